import { operaRecordExport, operaRecordList } from "@weft/contract/domains/access/record.ts";
import { useOpened } from "#client/opened.ts";
import { actionText } from "#domains/access/parts/operations/action-text.ts";
import { type ModuleTexts, useModules } from "#domains/access/parts/operations/modules.ts";
import { type Column, copyColumn, textColumn, timeColumn } from "#kernel/list/columns.tsx";
import { ListPage } from "#kernel/list/list-page.tsx";
import { useList } from "#kernel/list/use-list.ts";
import { RangeBar } from "#parts/range/range-bar.tsx";
import { useRange } from "#parts/range/use-range.ts";
import { OperationDetails } from "./operation-details.tsx";
import {
  changesText,
  type Operation,
  type RecordTexts,
  rowText,
  useRecordTexts,
} from "./record-texts.ts";
import { SealState } from "./seal-state.tsx";

const columnsOf = (t: RecordTexts, modules: ModuleTexts): Column<Operation>[] => [
  timeColumn("createTime", t("record.time"), (row: Operation) => row.createTime, {
    form: "stamp",
    width: 176,
  }),
  textColumn("loginName", t("record.who"), (row: Operation) => row.loginName, { width: 144 }),
  textColumn("action", t.field("action"), (row: Operation) => actionText(row.action, t), {
    width: 144,
  }),
  textColumn("module", t.field("module"), (row: Operation) => modules.textOf(row.module), {
    width: 112,
  }),
  textColumn("row", t("record.row"), (row: Operation) => rowText(row, t), { width: 160 }),
  textColumn("changes", t("record.changed"), (row: Operation) => changesText(row, t), {
    width: 360,
    missing: t("record.noChange"),
  }),
  textColumn("enterpriseName", t.field("enterpriseName"), (row: Operation) => row.enterpriseName, {
    width: 144,
    optional: true,
  }),
  copyColumn("ip", t("record.from"), (row: Operation) => row.ip, { width: 144, optional: true }),
];

/** Who changed what, when and from where. */
export default function OperaRecordPage() {
  const t = useRecordTexts();
  const modules = useModules(t.language);
  const picked = useRange();
  const list = useList(operaRecordList, { fixed: picked.range });
  const { opened, open, close } = useOpened();
  const row = list.rows.find((one) => one.id === opened?.id) ?? null;
  return (
    <ListPage
      title={t("record.operations")}
      list={{ ...list, refetch: picked.renewOr(list.refetch) }}
      rowKey="id"
      columns={columnsOf(t, modules)}
      filters={[
        { key: "loginName", kind: "text", label: t("record.who") },
        {
          key: "module",
          kind: "select",
          label: t.field("module"),
          options: modules.options,
        },
      ]}
      summary={<SealState rows={list.rows} />}
      exports={operaRecordExport}
      tools={<RangeBar picked={picked} />}
      actions={({ id }) => [
        { key: "details", label: t("act.details"), run: () => open("record", id) },
      ]}
      empty={{ text: t("record.emptyOperations") }}
    >
      {opened?.what === "record" && row && (
        <OperationDetails
          operation={row}
          moduleText={modules.textOf(row.module)}
          onClose={close}
          onOnlyUser={() => list.setFilter("loginName", row.loginName)}
        />
      )}
    </ListPage>
  );
}
