import type { DraftOf, RowOf } from "@weft/contract/kernel/resource.ts";
import { line } from "@weft/contract/resources/line.ts";
import { EmptyState } from "#kernel/feedback/empty-state.tsx";
import { useRemove } from "#kernel/feedback/use-remove.ts";
import { ResourceForm } from "#kernel/form/resource-form.tsx";
import { type Column, stateColumn, textColumn } from "#kernel/list/columns.tsx";
import { useOpened } from "#kernel/list/opened.ts";
import { ResourceTable } from "#kernel/list/resource-table.tsx";
import type { List } from "#kernel/list/use-list.ts";
import { useMay } from "#kernel/session.tsx";
import { Copyable } from "#ui/copyable.tsx";
import { threeDigits } from "#ui/figure.tsx";
import type { Glyph } from "#ui/glyph.tsx";
import { Missing } from "#ui/missing.tsx";
import { LineFields, slots } from "./line-fields.tsx";
import type { NodeCard } from "./node-card.ts";
import { SectionFrame } from "./node-settings.tsx";
import { type NodeTexts, useNodeTexts } from "./node-texts.ts";

type LineRow = RowOf<typeof line>;
export type LineList = List<LineRow>;

/** What a write to a line changes beside the line itself. */
const touches = ["nodeState", "cpe", "pop", "link", "task"];

const newLine = (nodeId: number, slot: number): DraftOf<typeof line> => ({
  nodeId,
  slot,
  name: "",
  interfaceName: `wan${slot}`,
  addressing: "dhcp",
  ip: null,
  gateway: null,
  isp: "",
  lineQuality: 0,
  reachable: false,
  mtu: 1_420,
  upBandwidth: null,
  downBandwidth: null,
  remark: "",
});

/** A line that asks for its address has none of its own to keep. */
const cleaned = (draft: DraftOf<typeof line>): DraftOf<typeof line> =>
  draft.addressing === "static" ? draft : { ...draft, ip: null, gateway: null };

const lineState = (row: LineRow, t: NodeTexts): { glyph: Glyph; word: string; hint?: string } => {
  if (row.status === null) {
    return { glyph: "unknown", word: t("line.unknown"), hint: t("line.notReported") };
  }
  return row.status === 1
    ? { glyph: "ok", word: t("line.up") }
    : { glyph: "bad", word: t("line.down") };
};

const bandwidthText = (kbps: number | null): string =>
  kbps === null ? "—" : threeDigits(kbps / 1_000);

/** The address the box has; what was set is named where it differs. */
function Address({ row, t }: { readonly row: LineRow; readonly t: NodeTexts }) {
  const shown = row.currentIp ?? row.ip;
  if (shown === null) return <Missing reason={t("line.notReported")} />;
  const differs = row.ip !== null && row.currentIp !== null && row.ip !== row.currentIp;
  return (
    <span
      title={
        differs
          ? t("line.differs", { ip: row.ip ?? "", currentIp: row.currentIp ?? "" })
          : undefined
      }
    >
      <Copyable text={shown} short={24} />
    </span>
  );
}

const columnsOf = (t: NodeTexts): Column<LineRow>[] => [
  stateColumn("status", t("link.state"), (row: LineRow) => lineState(row, t), { width: 96 }),
  {
    key: "name",
    title: t.field("name"),
    pinned: "left",
    part: "name",
    width: 144,
    cell: (row) => `wan${row.slot} · ${row.name}`,
  },
  textColumn("interfaceName", t.field("interfaceName"), (row: LineRow) => row.interfaceName, {
    width: 88,
  }),
  textColumn(
    "addressing",
    t.field("addressing"),
    (row: LineRow) => t.code("addressing", row.addressing),
    { width: 96 },
  ),
  {
    key: "currentIp",
    title: t.field("currentIp"),
    width: 184,
    cell: (row) => <Address row={row} t={t} />,
  },
  textColumn("isp", t.field("isp"), (row: LineRow) => row.isp || null, { width: 104 }),
  {
    key: "bandwidth",
    title: t("line.bandwidth"),
    align: "right",
    width: 136,
    cell: (row) => `${bandwidthText(row.downBandwidth)} / ${bandwidthText(row.upBandwidth)}`,
  },
  {
    key: "mtu",
    title: t.field("mtu"),
    align: "right",
    width: 88,
    cell: (row) => row.mtu,
  },
  textColumn(
    "reachable",
    t.field("reachable"),
    (row: LineRow) => t(row.reachable ? "line.reachableYes" : "line.reachableNo"),
    { width: 96 },
  ),
  textColumn("remark", t.field("remark"), (row: LineRow) => row.remark || null, { optional: true }),
];

interface Props {
  readonly node: NodeCard;
  readonly list: LineList;
}

/** WAN lines of a node with their drawer. */
export function LineSection({ node, list }: Props) {
  const t = useNodeTexts();
  const may = useMay();
  const { opened, open, close } = useOpened();
  const remove = useRemove(line, {
    title: ([row]) =>
      t("line.removeTitle", { node: node.name, slot: `wan${row.slot}`, name: row.name }),
    body: () => t("line.removeBody"),
    touches,
  });
  const used = list.rows.map((row) => row.slot);
  const free = slots.find((slot) => !used.includes(slot));
  const row =
    opened?.what === "line" ? (list.rows.find(({ id }) => id === opened.id) ?? null) : null;
  const isOpen = opened?.what === "addLine" || row !== null;
  return (
    <SectionFrame
      title={t("node.card.lines")}
      add={{
        label: t("line.add"),
        may: "cpeConfig",
        run: () => open("addLine"),
        disabledReason: free === undefined ? t("line.full") : null,
      }}
    >
      <ResourceTable
        list={list}
        rowKey="id"
        columns={columnsOf(t)}
        empty={<EmptyState kind="good" text={t("line.empty")} />}
        actions={(one: LineRow) => [
          {
            key: "edit",
            label: t("node.edit"),
            may: "cpeConfig",
            run: () => open("line", one.id),
          },
          {
            key: "remove",
            label: t("node.remove"),
            may: "cpeConfig",
            danger: true,
            run: () => void remove([one]),
          },
        ]}
      />
      {may("cpeConfig") && (
        <ResourceForm
          resource={line}
          open={isOpen}
          row={row}
          title={
            row
              ? t("line.editOf", { slot: `wan${row.slot}`, name: row.name })
              : t("line.addTo", { name: node.name })
          }
          initial={newLine(node.id, free ?? 1)}
          send={cleaned}
          saved={t("node.saved")}
          touches={touches}
          onClose={close}
        >
          <LineFields taken={used.filter((slot) => slot !== row?.slot)} />
        </ResourceForm>
      )}
    </SectionFrame>
  );
}
