import { pop } from "@weft/contract/domains/devices/pop.ts";
import { auditStatus, auditStatuses } from "@weft/contract/domains/enterprises/enums.ts";
import { clouds } from "@weft/contract/domains/overlay/enums.ts";
import { vbrNode, vbrNodeAudit, vbrTable } from "@weft/contract/domains/overlay/vbr-node.ts";
import { defineMessages } from "@weft/contract/kernel/message.ts";
import type { DraftOf, RowOf } from "@weft/contract/kernel/resource.ts";
import { Link } from "react-router";
import { useOpened } from "#client/opened.ts";
import { paths, useBackTo, useNumberParam, withSearch } from "#client/paths.ts";
import { useMay } from "#client/session.tsx";
import { codeOptions, useTexts } from "#client/texts.ts";
import { useCall } from "#client/use-call.ts";
import { EnterpriseControl } from "#domains/enterprises/parts/enterprise/enterprise-control.tsx";
import { useRemove } from "#feedback/use-remove.ts";
import { Field, FieldRow } from "#kernel/form/field.tsx";
import { ResourceForm } from "#kernel/form/resource-form.tsx";
import {
  type Column,
  nameColumn,
  numberColumn,
  stateColumn,
  textColumn,
  timeColumn,
} from "#kernel/list/columns.tsx";
import { ListPage } from "#kernel/list/list-page.tsx";
import type { RowAction } from "#kernel/list/row-actions.tsx";
import { useResourceList } from "#kernel/list/use-list.ts";
import { resourcePage } from "#kernel/resource-view.tsx";
import { CallDialog } from "#parts/call-dialog.tsx";
import { MegabitsControl } from "#parts/fields/megabits-control.tsx";
import type { Glyph } from "#ui/glyph.tsx";

const vbrNodeMessages = defineMessages({
  "vbrNode.title": ["跨云组网", "Cross-cloud networking"],
  "vbrNode.add": ["新增云节点", "Add cloud node"],
  "vbrNode.editOf": ["编辑 {name}", "Edit {name}"],
  "vbrNode.search": ["名称", "Name"],
  "vbrNode.empty": [
    "还没有云节点。选择云和 POP，填写专线的 VLAN 与两端地址，提交审核",
    "No cloud nodes yet. Select cloud and POP, enter VLAN and both addresses of the line, and submit it",
  ],
  "vbrNode.noPop": ["缺少查看 POP 的权限", "You do not have permission to see POPs"],
  "vbrNode.again": ["保存后等待审核", "After saving, it waits for review"],
  "vbrNode.vlanHelp": ["0 或空为不打标签", "0 or empty: untagged"],
  "vbrNode.untagged": ["不打标签", "Untagged"],
  "vbrNode.audit": ["审核", "Audit"],
  "vbrNode.auditOf": ["审核 {name}", "Audit {name}"],
  "vbrNode.reviewed": [
    "已审核；编辑后可再次审核",
    "It has been reviewed; an edit submits it for review again",
  ],
  "vbrNode.verdict": ["结论", "Verdict"],
  "vbrNode.pass": ["通过", "Approve"],
  "vbrNode.refuse": ["驳回", "Reject"],
  "vbrNode.comment": ["审核意见", "Review comment"],
  "vbrNode.removeBody": [
    "云节点和它的全部表项一并删除，不能恢复。",
    "The node and all rows of its table are deleted permanently.",
  ],
  "vbrNode.table": ["表项", "Table"],
  "vbrNode.tableRows": ["表项数", "Table rows"],
  "table.title": ["{name} 的 VBR 表", "VBR table of {name}"],
  "table.back": ["返回云节点", "Back to cloud nodes"],
  "table.add": ["新增表项", "Add row"],
  "table.network": ["目的网段", "Network"],
  "table.empty": [
    "还没有表项。添加云内网段和去往它的下一跳",
    "No rows yet. Add networks of the cloud and the next hop to them",
  ],
  "table.removeBody": [
    "该网段不再由这个云节点到达。",
    "The network is no longer reachable through this node.",
  ],
});

const useVbrNodeTexts = () => useTexts(vbrNodeMessages);
type VbrNodeTexts = ReturnType<typeof useVbrNodeTexts>;
export type VbrNodeRow = RowOf<typeof vbrNode>;

/** Address of the table of a node. */
const tableOf = (vbrNodeId: number): string => withSearch(paths.cloud(), { vbrNodeId });

type Row = RowOf<typeof vbrTable>;

const columnsOf = (t: VbrNodeTexts): Column<Row>[] => [
  nameColumn("network", t("table.network"), (row: Row) => ({ text: row.network }), { sort: true }),
  textColumn("nextHop", t.field("nextHop"), (row: Row) => row.nextHop, { width: 176 }),
  textColumn("remark", t.field("remark"), (row: Row) => row.remark, { width: 240 }),
];

/** What the node is called; empty while that is not known. */
function useNodeName(id: number): string {
  const { data } = useCall(vbrNode.ops.list, {
    name: null,
    popId: null,
    auditStatus: null,
    orderByColumn: null,
    isAsc: null,
    page: 1,
    limit: 1_000,
  });
  return data?.find((row) => row.id === id)?.name ?? "";
}

interface VbrNodeTableProps {
  readonly vbrNodeId: number;
}

/** Networks behind one cross-cloud node. */
const VbrNodeTable = resourcePage(
  vbrTable,
  function useVbrNodeTable(_, { vbrNodeId }: VbrNodeTableProps) {
    const t = useVbrNodeTexts();
    const name = useNodeName(vbrNodeId);
    const back = useBackTo(paths.cloud());
    return {
      title: t("table.title", { name }),
      addLabel: t("table.add"),
      empty: t("table.empty"),
      nameOf: (row) => row.network,
      columns: columnsOf(t),
      tools: (
        <Link className="w-link" to={back}>
          {t("table.back")}
        </Link>
      ),
      form: {
        initial: { vbrNodeId, network: "", nextHop: "", remark: "" },
        editTitle: (row) => t("vbrNode.editOf", { name: row.network }),
        fields: [
          {
            name: "network",
            kind: "mono",
            label: t("table.network"),
            placeholder: "172.16.0.0/16",
          },
          { name: "nextHop", kind: "mono", placeholder: "169.254.10.2" },
          "remark",
        ],
      },
      removal: { body: () => t("table.removeBody") },
      touches: ["vbrNode"],
    };
  },
  ({ vbrNodeId }) => ({ fixed: { vbrNodeId } }),
);

const glyphs: Readonly<Record<VbrNodeRow["auditStatus"], Glyph>> = { 0: "off", 1: "ok", 2: "bad" };

const endsOf = ({ localIp, peerIp }: VbrNodeRow): string | null =>
  localIp && peerIp ? `${localIp} – ${peerIp}` : null;

/** @param mayPop whether the person may see on which POP a node is (section 6). */
const vbrNodeColumns = (t: VbrNodeTexts, mayPop: boolean): Column<VbrNodeRow>[] => [
  stateColumn(
    "auditStatus",
    t.field("auditStatus"),
    (row: VbrNodeRow) => ({
      glyph: glyphs[row.auditStatus],
      label: t.code("auditStatus", row.auditStatus),
      ...(row.auditRemark && { hint: row.auditRemark }),
    }),
    { width: 112 },
  ),
  nameColumn(
    "name",
    t.field("name"),
    (row: VbrNodeRow) => ({ text: row.name, to: tableOf(row.id) }),
    { sort: true, width: 152 },
  ),
  textColumn("cloud", t.field("cloud"), (row: VbrNodeRow) => t.code("cloud", row.cloud), {
    width: 112,
  }),
  ...(mayPop
    ? [textColumn("popName", t.field("popName"), (row: VbrNodeRow) => row.popName, { width: 104 })]
    : []),
  {
    // An identifier, not a quantity: without separators.
    ...textColumn(
      "vlan",
      t.field("vlan"),
      (row: VbrNodeRow) => (row.vlan ? String(row.vlan) : null),
      {
        width: 72,
        missing: t("vbrNode.untagged"),
      },
    ),
    align: "right",
  },
  textColumn("ends", `${t.field("localIp")} – ${t.field("peerIp")}`, endsOf, { width: 216 }),
  numberColumn(
    "bandwidth",
    `${t.field("bandwidth")} Mbit/s`,
    (row: VbrNodeRow) => (row.bandwidth === null ? null : row.bandwidth / 1_000),
    { width: 128 },
  ),
  numberColumn("routes", t("vbrNode.tableRows"), (row: VbrNodeRow) => row.routes, { width: 88 }),
  textColumn("enterpriseName", t.field("enterpriseName"), (row: VbrNodeRow) => row.enterpriseName, {
    optional: true,
  }),
  textColumn("auditBy", t.field("auditBy"), (row: VbrNodeRow) => row.auditBy, { optional: true }),
  timeColumn("auditTime", t.field("auditTime"), (row: VbrNodeRow) => row.auditTime, {
    optional: true,
  }),
  textColumn("remark", t.field("remark"), (row: VbrNodeRow) => row.remark, { optional: true }),
];

const newNode: DraftOf<typeof vbrNode> = {
  name: "",
  groupid: null,
  cloud: "aliyun",
  popId: null,
  vlan: null,
  localIp: null,
  peerIp: null,
  bandwidth: null,
  remark: "",
};

interface VbrNodeFormProps {
  readonly open: boolean;
  /** null: a new one. */
  readonly row: VbrNodeRow | null;
  readonly onClose: () => void;
}

/** The attachment of a POP to a cloud; every change waits for its audit. */
function VbrNodeForm({ open, row, onClose }: VbrNodeFormProps) {
  const t = useVbrNodeTexts();
  const mayPop = useMay()("vbrNodePopView");
  return (
    <ResourceForm
      resource={vbrNode}
      open={open}
      row={row}
      title={row ? t("vbrNode.editOf", { name: row.name }) : t("vbrNode.add")}
      initial={newNode}
      width={720}
      onClose={onClose}
    >
      <FieldRow>
        <Field name="name" />
        <Field name="groupid" kind={EnterpriseControl} />
      </FieldRow>
      <FieldRow>
        <Field name="cloud" kind="select" options={codeOptions(t, "cloud", clouds)} />
        {mayPop && <Field name="popId" kind="combo" endpoint={pop.ops.combo} />}
      </FieldRow>
      <FieldRow>
        <Field name="vlan" help={t("vbrNode.vlanHelp")} />
        <Field name="bandwidth" kind={MegabitsControl} />
      </FieldRow>
      <FieldRow>
        <Field name="localIp" kind="mono" placeholder="169.254.10.1" />
        <Field name="peerIp" kind="mono" placeholder="169.254.10.2" />
      </FieldRow>
      <Field name="remark" help={t("vbrNode.again")} />
    </ResourceForm>
  );
}

interface Props {
  /** null: closed. */
  readonly row: VbrNodeRow | null;
  readonly onClose: () => void;
}

/** Approves or rejects a waiting node, with a remark. */
function VbrNodeAudit({ row, onClose }: Props) {
  const t = useVbrNodeTexts();
  return (
    <CallDialog
      endpoint={vbrNodeAudit}
      open={row !== null}
      title={t("vbrNode.auditOf", { name: row?.name ?? "" })}
      initial={{ id: row?.id ?? 0, status: auditStatus.approved, remark: null }}
      ok={t("vbrNode.audit")}
      touches={["vbrNode"]}
      onClose={onClose}
    >
      <Field
        name="status"
        kind="radio"
        label={t("vbrNode.verdict")}
        options={[
          { value: auditStatus.approved, label: t("vbrNode.pass") },
          { value: auditStatus.rejected, label: t("vbrNode.refuse") },
        ]}
      />
      <Field name="remark" label={t("vbrNode.comment")} />
    </CallDialog>
  );
}

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
          options: codeOptions(t, "auditStatus", auditStatuses),
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
