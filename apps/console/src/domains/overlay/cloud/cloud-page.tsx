import { auditStatus, auditStatuses } from "@weft/contract/domains/enterprises/enums.ts";
import { vbrNode } from "@weft/contract/domains/overlay/vbr-node.ts";
import { useOpened } from "#client/opened.ts";
import { useNumberParam } from "#client/paths.ts";
import { useMay } from "#client/session.tsx";
import { useRemove } from "#feedback/use-remove.ts";
import { ListPage } from "#kernel/list/list-page.tsx";
import type { RowAction } from "#kernel/list/row-actions.tsx";
import { useResourceList } from "#kernel/list/use-list.ts";
import { CloudAudit } from "./cloud-audit.tsx";
import { cloudColumns } from "./cloud-columns.tsx";
import { CloudForm } from "./cloud-form.tsx";
import { CloudTable } from "./cloud-table.tsx";
import { type CloudRow, type CloudTexts, tableOf, useCloudTexts } from "./cloud-texts.ts";

/** Cross-cloud nodes, and the table of the one that the address names (sections 2.3 and 6). */
export default function CloudPage() {
  const vbrNodeId = useNumberParam("vbrNodeId");
  return vbrNodeId === null ? <CloudNodes /> : <CloudTable vbrNodeId={vbrNodeId} />;
}

function CloudNodes() {
  const t = useCloudTexts();
  const mayPop = useMay()("vbrNodePopView");
  const list = useResourceList(vbrNode);
  const { opened, open, close } = useOpened();
  const actions = useCloudActions(t, open);
  const row = list.rows.find(({ id }) => id === opened?.id) ?? null;
  const isEditing = opened?.what === "edit" && row !== null;
  const add = {
    label: t("cloud.add"),
    may: "vbrNodeAdd" as const,
    disabledReason: mayPop ? null : t("cloud.noPop"),
    run: () => open("add"),
  };
  return (
    <ListPage
      title={t("cloud.title")}
      summary={<span className="w-quiet">{t("cloud.kept")}</span>}
      list={list}
      rowKey="id"
      columns={cloudColumns(t, mayPop)}
      filters={[
        { key: "name", kind: "text", label: t("cloud.search") },
        {
          key: "auditStatus",
          kind: "select",
          label: t.field("auditStatus"),
          options: auditStatuses.map((value) => ({ value, label: t.code("auditStatus", value) })),
        },
      ]}
      add={add}
      actions={actions}
      empty={{ text: t("cloud.empty"), ...(mayPop && { action: add }) }}
    >
      <CloudForm
        open={opened?.what === "add" || isEditing}
        row={isEditing ? row : null}
        onClose={close}
      />
      <CloudAudit row={opened?.what === "audit" ? row : null} onClose={close} />
    </ListPage>
  );
}

function useCloudActions(t: CloudTexts, open: (what: string, id?: number) => void) {
  const remove = useRemove(vbrNode, {
    title: ([row]) => t("removal.title", { name: row.name }),
    body: () => t("cloud.removeBody"),
  });
  return (row: CloudRow): RowAction[] => [
    { key: "table", label: t("cloud.table"), to: tableOf(row.id) },
    {
      key: "audit",
      label: t("cloud.audit"),
      may: "vbrNodeAudit",
      disabledReason: row.auditStatus === auditStatus.waiting ? null : t("cloud.judged"),
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
