import { fieldText } from "@weft/contract/value-texts.ts";
import Button from "antd/es/button";
import { actionText } from "#domains/access/parts/operations/action-text.ts";
import { type Column, textColumn } from "#kernel/list/columns.tsx";
import { PlainTable } from "#kernel/list/resource-table.tsx";
import { Copyable } from "#ui/copyable.tsx";
import { KeyValue } from "#ui/key-value.tsx";
import { Drawer } from "#ui/overlay/drawer.tsx";
import { TimeText } from "#ui/time-text.tsx";
import styles from "./operation-details.module.css";
import {
  type Change,
  type Operation,
  type RecordTexts,
  rowText,
  useRecordTexts,
  valueTexts,
} from "./record-texts.ts";

interface Props {
  readonly operation: Operation;
  /** What the operation was about. */
  readonly moduleText: string;
  readonly onClose: () => void;
  /** Narrows the log to this user. */
  readonly onOnlyUser: () => void;
}

const columnsOf = (t: RecordTexts): Column<Change>[] => [
  textColumn("field", t("record.field"), (row: Change) => fieldText(row.field, t.language), {
    width: 144,
  }),
  {
    key: "old",
    title: t("record.old"),
    cell: (row) => <span className={styles.value}>{valueTexts(row, t).old}</span>,
  },
  {
    key: "new",
    title: t("record.new"),
    cell: (row) => <span className={styles.value}>{valueTexts(row, t).new}</span>,
  },
];

/** One operation with everything it changed, field by field. */
export function OperationDetails({ operation, moduleText, onClose, onOnlyUser }: Props) {
  const t = useRecordTexts();
  const action = actionText(operation.action, t);
  return (
    <Drawer
      open
      size={720}
      title={t("record.detailsOf", { action, name: rowText(operation, t) })}
      extra={<Button onClick={onOnlyUser}>{t("record.onlyThis")}</Button>}
      onClose={onClose}
    >
      <KeyValue
        columns={2}
        items={[
          { label: t("record.time"), value: <TimeText value={operation.createTime} /> },
          { label: t("record.who"), value: operation.loginName },
          { label: t.field("module"), value: moduleText },
          { label: t("record.row"), value: rowText(operation, t) },
          { label: t.field("enterpriseName"), value: operation.enterpriseName },
          { label: t("record.from"), value: <Copyable text={operation.ip} mono /> },
          { label: t("record.requestId"), value: <Copyable text={operation.requestId} mono /> },
        ]}
      />
      <div className={styles.changes}>
        <PlainTable
          rows={operation.changes}
          columns={columnsOf(t)}
          rowKey="field"
          empty={<p>{t("record.noChange")}</p>}
        />
      </div>
    </Drawer>
  );
}
