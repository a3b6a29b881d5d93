import { operaRecordExport, operaRecordList } from "@weft/contract/domains/access/record.ts";
import { useOpened } from "#client/opened.ts";
import {
  enterpriseColumn,
  filtersBeside,
  fixedTo,
  type OfEnterprise,
} from "#domains/enterprises/parts/enterprise/of-enterprise.tsx";
import { type Column, copyColumn, timeColumn } from "#kernel/list/columns.tsx";
import type { FilterSpec } from "#kernel/list/filter-bar.tsx";
import { ListPage } from "#kernel/list/list-page.tsx";
import { useList } from "#kernel/list/use-list.ts";
import { RangeBar } from "#parts/range/range-bar.tsx";
import { useRange } from "#parts/range/use-range.ts";
import { Missing } from "#ui/missing.tsx";
import { textWidth } from "#ui/text-width.ts";
import { useNarrow } from "#ui/use-narrow.ts";
import { ChangeTable } from "./change-table.tsx";
import { OperationDetails } from "./operation-details.tsx";
import { useOperationFilters } from "./operation-filters.tsx";
import { PlaceLink } from "./place-link.tsx";
import { type Operation, type RecordTexts, textOf, useRecordTexts } from "./record-texts.ts";
import { SealState } from "./seal-state.tsx";
import { UndoDialog } from "./undo-dialog.tsx";

const columnsOf = (t: RecordTexts, isNarrow: boolean): Column<Operation>[] => [
  timeColumn("createTime", t("record.time"), (row: Operation) => row.createTime, {
    form: "stamp",
    width: 176,
  }),
  {
    key: "story",
    title: t("record.story"),
    width: 560,
    // Cut there, with all of it on hover and among the details.
    narrowest: 320,
    need: ({ story }) => textWidth(textOf(story, t)),
    part: "name",
    // A card has room for the whole sentence, and no pointer that would show the rest of it.
    cell: (row) => (
      <span className={isNarrow ? "" : "w-cut"} title={textOf(row.story, t)}>
        {textOf(row.story, t)}
        {row.undo === "done" && (
          <span className="w-quiet"> · {t("record.undoneBy", { name: row.undoneBy })}</span>
        )}
      </span>
    ),
  },
  {
    key: "place",
    title: t("record.place"),
    width: 160,
    cell: (row) => <PlaceLink operation={row} otherwise={<Missing />} />,
  },
  enterpriseColumn<Operation>(t.field("enterpriseName"), { width: 144 }),
  copyColumn("ip", t("record.from"), (row: Operation) => row.ip, { width: 144, optional: true }),
];

/** Filters for what the device of all rows decides. */
const decided = new Set(["groupid", "nodeId", "templateId"]);
const isOfNode = ({ key }: FilterSpec): boolean => !decided.has(key);

const changesOf = ({ changes }: Operation) => <ChangeTable changes={changes} />;

interface Props extends OfEnterprise {
  /** The device whose rows alone are listed; absent: those of all. */
  readonly nodeId?: number;
}

/** Who changed what, when and from where: one sentence a row, with the difference below it. */
export function OperationList({ groupid, nodeId }: Props) {
  const t = useRecordTexts();
  const isNarrow = useNarrow();
  const picked = useRange("7d");
  const list = useList(operaRecordList, {
    fixed: { ...picked.range, ...fixedTo(groupid), ...(nodeId !== undefined && { nodeId }) },
  });
  const { opened, open, close } = useOpened();
  const filters = useOperationFilters(list);
  const row = list.rows.find((one) => one.id === opened?.id) ?? null;
  return (
    <ListPage
      title={t("record.operations")}
      list={{ ...list, refetch: picked.renewOr(list.refetch) }}
      rowKey="id"
      columns={columnsOf(t, isNarrow)}
      filters={nodeId === undefined ? filtersBeside(groupid, filters) : filters.filter(isOfNode)}
      summary={<SealState rows={list.rows} />}
      exports={operaRecordExport}
      tools={<RangeBar picked={picked} />}
      actions={({ id, undo }) => [
        { key: "details", label: t("act.details"), run: () => open("record", id) },
        ...(undo === "possible"
          ? [{ key: "undo", label: t("record.undo"), run: () => open("undo", id) }]
          : []),
      ]}
      // Cards of a narrow screen do not open: their changes are among the details.
      {...(!isNarrow && { expanded: changesOf })}
      empty={{ text: t("record.emptyOperations") }}
    >
      {opened?.what === "record" && row && (
        <OperationDetails
          operation={row}
          range={picked.key}
          onClose={close}
          onUndo={() => open("undo", row.id)}
        />
      )}
      {opened?.what === "undo" && row && <UndoDialog operation={row} onClose={close} />}
    </ListPage>
  );
}
