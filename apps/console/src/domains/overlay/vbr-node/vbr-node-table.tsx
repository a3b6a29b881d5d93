import { vbrNode, vbrTable } from "@weft/contract/domains/overlay/vbr-node.ts";
import type { RowOf } from "@weft/contract/kernel/resource.ts";
import { Link } from "react-router";
import { useOpened } from "#client/opened.ts";
import { paths, useBackTo } from "#client/paths.ts";
import { useCall } from "#client/use-call.ts";
import { useRemove } from "#feedback/use-remove.ts";
import { Field } from "#kernel/form/field.tsx";
import { ResourceForm } from "#kernel/form/resource-form.tsx";
import { type Column, nameColumn, textColumn } from "#kernel/list/columns.tsx";
import { ListPage } from "#kernel/list/list-page.tsx";
import { useResourceList } from "#kernel/list/use-list.ts";
import { useVbrNodeTexts, type VbrNodeTexts } from "./vbr-node-texts.ts";

type Row = RowOf<typeof vbrTable>;
const touches = ["vbrNode"];

const columnsOf = (t: VbrNodeTexts): Column<Row>[] => [
  nameColumn("network", t("table.network"), (row: Row) => ({ text: row.network }), { sort: true }),
  textColumn("nextHop", t.field("nextHop"), (row: Row) => row.nextHop, { width: 176 }),
  textColumn("remark", t.field("remark"), (row: Row) => row.remark, { width: 240 }),
];

/** Networks behind one cross-cloud node. */
export function VbrNodeTable({ vbrNodeId }: { readonly vbrNodeId: number }) {
  const t = useVbrNodeTexts();
  const name = useNodeName(vbrNodeId);
  const list = useResourceList(vbrTable, { fixed: { vbrNodeId } });
  const { opened, open, close } = useOpened();
  const remove = useRemove(vbrTable, {
    title: ([row]) => t("removal.title", { name: row.network }),
    body: () => t("table.removeBody"),
    touches,
  });
  const back = useBackTo(paths.cloud());
  const row = list.rows.find(({ id }) => id === opened?.id) ?? null;
  const isEditing = opened?.what === "edit" && row !== null;
  const add = { label: t("table.add"), may: "vbrTableAdd" as const, run: () => open("add") };
  return (
    <ListPage
      title={t("table.title", { name })}
      list={list}
      rowKey="id"
      columns={columnsOf(t)}
      tools={
        <Link className="w-link" to={back}>
          {t("table.back")}
        </Link>
      }
      add={add}
      empty={{ text: t("table.empty"), action: add }}
      actions={(one: Row) => [
        { key: "edit", label: t("act.edit"), may: "vbrTableEdit", run: () => open("edit", one.id) },
        {
          key: "remove",
          label: t("act.remove"),
          may: "vbrTableRemove",
          danger: true,
          run: () => void remove([one]),
        },
      ]}
    >
      <ResourceForm
        resource={vbrTable}
        open={opened?.what === "add" || isEditing}
        row={isEditing ? row : null}
        title={isEditing ? t("vbrNode.editOf", { name: row.network }) : t("table.add")}
        initial={{ vbrNodeId, network: "", nextHop: "", remark: "" }}
        touches={touches}
        onClose={close}
      >
        <Field name="network" kind="mono" label={t("table.network")} placeholder="172.16.0.0/16" />
        <Field name="nextHop" kind="mono" placeholder="169.254.10.2" />
        <Field name="remark" />
      </ResourceForm>
    </ListPage>
  );
}

/** What the node is called; empty while that is not known. */
function useNodeName(id: number): string {
  const { data } = useCall(vbrNode.ops.list, {
    ...{ name: null, popId: null, auditStatus: null, orderByColumn: null, isAsc: null },
    ...{ page: 1, limit: 1_000 },
  });
  return data?.find((one) => one.id === id)?.name ?? "";
}
