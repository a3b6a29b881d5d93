import { auditStatus, auditStatuses } from "@weft/contract/domains/enterprises/enums.ts";
import { vbrNode } from "@weft/contract/domains/overlay/vbr-node.ts";
import { useOpened } from "#client/opened.ts";
import { useNumberParam } from "#client/paths.ts";
import { useMay } from "#client/session.tsx";
import { useRemove } from "#feedback/use-remove.ts";
import { ListPage } from "#kernel/list/list-page.tsx";
import type { RowAction } from "#kernel/list/row-actions.tsx";
import { useResourceList } from "#kernel/list/use-list.ts";
import { VbrNodeAudit } from "./vbr-node-audit.tsx";
import { vbrNodeColumns } from "./vbr-node-columns.tsx";
import { VbrNodeForm } from "./vbr-node-form.tsx";
import { VbrNodeTable } from "./vbr-node-table.tsx";
import { tableOf, useVbrNodeTexts, type VbrNodeRow, type VbrNodeTexts } from "./vbr-node-texts.ts";

/** Cross-cloud nodes, and the table of the one that the address names (sections 2.3 and 6). */
export default function VbrNodePage() {
  const vbrNodeId = useNumberParam("vbrNodeId");
  return vbrNodeId === null ? <VbrNodes /> : <VbrNodeTable vbrNodeId={vbrNodeId} />;
}

function VbrNodes() {
  const t = useVbrNodeTexts();
  const mayPop = useMay()("vbrNodePopView");
  const list = useResourceList(vbrNode);
  const { opened, open, close } = useOpened();
  const actions = useVbrNodeActions(t, open);
  const row = list.rows.find(({ id }) => id === opened?.id) ?? null;
  const isEditing = opened?.what === "edit" && row !== null;
  const add = {
    label: t("vbrNode.add"),
    may: "vbrNodeAdd" as const,
    disabledReason: mayPop ? null : t("vbrNode.noPop"),
    run: () => open("add"),
  };
  return (
    <ListPage
      title={t("vbrNode.title")}
      list={list}
      rowKey="id"
      columns={vbrNodeColumns(t, mayPop)}
      filters={[
        { key: "name", kind: "text", label: t("vbrNode.search") },
        {
          key: "auditStatus",
          kind: "select",
          label: t.field("auditStatus"),
          options: auditStatuses.map((value) => ({ value, label: t.code("auditStatus", value) })),
        },
      ]}
      add={add}
      actions={actions}
      empty={{ text: t("vbrNode.empty"), ...(mayPop && { action: add }) }}
    >
      <VbrNodeForm
        open={opened?.what === "add" || isEditing}
        row={isEditing ? row : null}
        onClose={close}
      />
      <VbrNodeAudit row={opened?.what === "audit" ? row : null} onClose={close} />
    </ListPage>
  );
}

function useVbrNodeActions(t: VbrNodeTexts, open: (what: string, id?: number) => void) {
  const remove = useRemove(vbrNode, {
    title: ([row]) => t("removal.title", { name: row.name }),
    body: () => t("vbrNode.removeBody"),
  });
  return (row: VbrNodeRow): RowAction[] => [
    { key: "table", label: t("vbrNode.table"), to: tableOf(row.id) },
    {
      key: "audit",
      label: t("vbrNode.audit"),
      may: "vbrNodeAudit",
      disabledReason: row.auditStatus === auditStatus.waiting ? null : t("vbrNode.reviewed"),
      run: () => open("audit", row.id),
    },
    { key: "edit", label: t("act.edit"), may: "vbrNodeEdit", run: () => open("edit", row.id) },
    {
      key: "remove",
      label: t("act.remove"),
      may: "vbrNodeRemove",
      danger: true,
      run: () => void remove([row]),
    },
  ];
}
