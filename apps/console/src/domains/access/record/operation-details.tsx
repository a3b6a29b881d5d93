import { actionPart } from "@weft/contract/domains/access/record-actions.ts";
import Button from "antd/es/button";
import { Link } from "react-router";
import { paths, withSearch } from "#client/paths.ts";
import { Copyable } from "#ui/copyable.tsx";
import type { Fact } from "#ui/detail-head.tsx";
import { KeyValue } from "#ui/key-value.tsx";
import { Missing } from "#ui/missing.tsx";
import { Drawer } from "#ui/overlay/drawer.tsx";
import { TimeText } from "#ui/time-text.tsx";
import { ChangeTable } from "./change-table.tsx";
import styles from "./operation-details.module.css";
import { PlaceLink } from "./place-link.tsx";
import { type Operation, type RecordTexts, textOf, useRecordTexts } from "./record-texts.ts";

interface Props {
  readonly operation: Operation;
  /** Range of the log in its address, which the narrowed log keeps. */
  readonly range: string;
  readonly onClose: () => void;
  /** Opens the dialog that undoes it. */
  readonly onUndo: () => void;
}

/** What the operation was, as a sentence. */
const factsOf = (operation: Operation, range: string, t: RecordTexts): Fact[] => {
  const { loginName, module, rowId, action } = operation;
  // Of all rows of a place the number is the place's.
  const isOfOne = rowId !== null && actionPart(action) !== "clear";
  const only = (filters: Readonly<Record<string, string | number | null>>, text: string) => (
    <Link className="w-link" to={withSearch(paths.operaRecord(), { ...filters, range })}>
      {text}
    </Link>
  );
  return [
    { label: t("record.time"), value: <TimeText value={operation.createTime} /> },
    {
      label: t("record.who"),
      value: (
        <>
          {loginName} {only({ loginName }, t("record.onlyThis"))}
        </>
      ),
    },
    {
      label: t.field("module"),
      value: (
        <>
          {textOf(operation.object, t)} {isOfOne && only({ module, rowId }, t("record.onlyObject"))}
        </>
      ),
    },
    {
      label: t("record.place"),
      value: <PlaceLink operation={operation} otherwise={<Missing />} />,
    },
    {
      label: t.field("enterpriseName"),
      value: (
        <Link className="w-link" to={paths.enterprisePage(operation.groupid)}>
          {operation.enterpriseName}
        </Link>
      ),
    },
    { label: t("record.from"), value: <Copyable text={operation.ip} mono /> },
  ];
};

/** As programs know it. */
const rawOf = ({ action, module, rowId, requestId }: Operation, t: RecordTexts): Fact[] => [
  { label: t("record.call"), value: <Copyable text={action} mono /> },
  { label: t("record.moduleKey"), value: <Copyable text={module} mono /> },
  { label: t("record.rowId"), value: rowId === null ? <Missing /> : rowId },
  { label: t("record.requestId"), value: <Copyable text={requestId} mono /> },
];

/** One operation with everything it changed, field by field. */
export function OperationDetails({ operation, range, onClose, onUndo }: Props) {
  const t = useRecordTexts();
  return (
    <Drawer
      open
      size={720}
      title={textOf(operation.story, t)}
      onClose={onClose}
      footer={
        operation.undo === "possible" ? (
          <Button onClick={onUndo}>{t("record.undo")}</Button>
        ) : operation.undo === "done" ? (
          <span className="w-quiet">{t("record.undoneBy", { name: operation.undoneBy })}</span>
        ) : null
      }
    >
      <KeyValue columns={2} items={factsOf(operation, range, t)} />
      <div className={styles.changes}>
        <ChangeTable changes={operation.changes} />
      </div>
      <h3 className={styles.raw}>{t("record.raw")}</h3>
      <KeyValue columns={2} items={rawOf(operation, t)} />
    </Drawer>
  );
}
