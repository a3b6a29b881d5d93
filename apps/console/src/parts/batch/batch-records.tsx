import { batchList } from "@weft/contract/domains/access/batch.ts";
import type { OutputOf } from "@weft/contract/kernel/endpoint.ts";
import { type Translate, useTexts } from "#client/texts.ts";
import { refreshEvery } from "#client/use-call.ts";
import {
  type Column,
  numberColumn,
  stateColumn,
  textColumn,
  timeColumn,
} from "#kernel/list/columns.tsx";
import { ResourceTable } from "#kernel/list/resource-table.tsx";
import { useList } from "#kernel/list/use-list.ts";
import { Drawer } from "#ui/overlay/drawer.tsx";
import { isOpen } from "./batch-state.ts";
import { batchMessages } from "./messages.ts";
import { useBatch } from "./use-batch.tsx";

type Row = OutputOf<typeof batchList>[number];

const glyphOf = ({ batchStatus, failed }: Row) => {
  if (isOpen(batchStatus)) return "run";
  return failed > 0 ? "warn" : batchStatus === 2 ? "ok" : "off";
};

const columnsOf = (t: Translate): Column<Row>[] => [
  textColumn("action", t.field("action"), ({ action }: Row) => t.code("batchAction", action), {
    width: 176,
  }),
  stateColumn(
    "batchStatus",
    t.field("batchStatus"),
    (row: Row) => ({ glyph: glyphOf(row), label: t.code("batchStatus", row.batchStatus) }),
    { width: 112 },
  ),
  numberColumn("total", t.field("total"), ({ total }: Row) => total, { width: 88 }),
  numberColumn("done", t.code("itemStatus", 1), ({ done }: Row) => done, { width: 88 }),
  numberColumn("failed", t.code("itemStatus", 2), ({ failed }: Row) => failed, { width: 88 }),
  timeColumn("createTime", t.field("createTime"), ({ createTime }: Row) => createTime, {
    form: "stamp",
    width: 176,
  }),
];

/** The person's own actions on many rows, newest first, each with its report. */
export function BatchRecords({ onClose }: { readonly onClose: () => void }) {
  const t = useTexts(batchMessages);
  const list = useList(batchList, { every: refreshEvery, inUrl: false });
  const { show, dialog } = useBatch(["batch"]);
  return (
    <Drawer open size={840} title={t("batch.records")} onClose={onClose}>
      <ResourceTable
        list={list}
        columns={columnsOf(t)}
        rowKey="id"
        actions={({ id }) => [{ key: "report", label: t("batch.report"), run: () => show(id) }]}
        empty={t("batch.noRecords")}
      />
      {dialog}
    </Drawer>
  );
}
