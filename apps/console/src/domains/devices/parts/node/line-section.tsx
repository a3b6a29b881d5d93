import { line } from "@weft/contract/domains/devices/line.ts";
import type { DraftOf } from "@weft/contract/kernel/resource.ts";
import { useOpened } from "#client/opened.ts";
import { paths } from "#client/paths.ts";
import { useMay } from "#client/session.tsx";
import { EmptyState } from "#feedback/empty-state.tsx";
import { useRemove } from "#feedback/use-remove.ts";
import { ResourceForm } from "#kernel/form/resource-form.tsx";
import { PlainTable } from "#kernel/list/resource-table.tsx";
import type { List } from "#kernel/list/use-list.ts";
import { ListFiles } from "#parts/import/list-files.tsx";
import { type LineRow, lineColumns } from "./line-columns.tsx";
import { LineFields, slots } from "./line-fields.tsx";
import type { NodeCard } from "./node-card.ts";
import { SectionFrame } from "./node-settings.tsx";
import { useNodeTexts } from "./node-texts.ts";

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
  ipv6Mode: "off",
  ip6: null,
  gateway6: null,
  prefixLength: null,
  publicIp: null,
  publicPort: null,
  isp: "",
  lineQuality: 0,
  reachable: false,
  mtu: 1_420,
  upBandwidth: null,
  downBandwidth: null,
  remark: "",
});

/** A line that asks for its address has none of its own to keep. */
const cleaned = (draft: DraftOf<typeof line>): DraftOf<typeof line> => {
  const { addressing, ipv6Mode, ip, gateway, ip6, gateway6, prefixLength } = draft;
  const [isStatic, isStatic6] = [addressing === "static", ipv6Mode === "static"];
  return {
    ...draft,
    ip: isStatic ? ip : null,
    gateway: isStatic ? gateway : null,
    ip6: isStatic6 ? ip6 : null,
    gateway6: isStatic6 ? gateway6 : null,
    prefixLength: ipv6Mode === "delegated" ? prefixLength : null,
  };
};

interface Props {
  readonly node: NodeCard;
  readonly list: List<LineRow>;
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
      title={t("line.title")}
      tools={<ListFiles list={list} />}
      add={{
        label: t("line.add"),
        may: "cpeConfig",
        run: () => open("addLine"),
        disabledReason: free === undefined ? t("line.full") : null,
      }}
    >
      <PlainTable
        rows={list.rows}
        isFirstLoad={list.isFirstLoad}
        error={list.error}
        retry={list.refetch}
        rowKey="id"
        columns={lineColumns(t)}
        empty={<EmptyState kind="good" text={t("line.empty")} />}
        actions={(row: LineRow) => [
          { key: "report", label: t("node.report"), to: paths.lineReport(row.id) },
          {
            key: "edit",
            label: t("node.edit"),
            may: "cpeConfig",
            run: () => open("line", row.id),
          },
          {
            key: "remove",
            label: t("node.remove"),
            may: "cpeConfig",
            danger: true,
            run: () => void remove([row]),
          },
        ]}
      />
      {may("cpeConfig") && (
        <ResourceForm
          resource={line}
          // Which slots are free is known once the lines are.
          open={isOpen && !list.isFirstLoad}
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
