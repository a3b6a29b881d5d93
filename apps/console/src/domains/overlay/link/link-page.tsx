import { cpe } from "@weft/contract/domains/devices/cpe.ts";
import { pop } from "@weft/contract/domains/devices/pop.ts";
import { linkList } from "@weft/contract/domains/overlay/link.ts";
import { useState } from "react";
import { useOpened } from "#client/opened.ts";
import { paths } from "#client/paths.ts";
import { useCall } from "#client/use-call.ts";
import { linkColumns } from "#domains/devices/parts/node/link-columns.tsx";
import type { LinkRow } from "#domains/devices/parts/node/link-end.ts";
import { spaceColumn } from "#domains/devices/parts/node/link-metrics.tsx";
import { type Column, numberColumn, textColumn } from "#kernel/list/columns.tsx";
import type { FilterSpec } from "#kernel/list/filter-bar.tsx";
import { ListPage } from "#kernel/list/list-page.tsx";
import { useList } from "#kernel/list/use-list.ts";
import { useLinkActions } from "./link-actions.ts";
import { LinkCounts, linksEvery } from "./link-counts.tsx";
import { useLinkFilters } from "./link-filters.ts";
import { LinkAddDialog, LinkEditDialog } from "./link-form.tsx";
import { type LinkTexts, useLinkTexts } from "./link-texts.ts";

const byName = { worst: null };

/** All links with what was last measured on them; those that are down come first. */
export default function LinkPage() {
  const t = useLinkTexts();
  const list = useList(linkList, { every: linksEvery, fixed: byName });
  const { opened, open, close } = useOpened();
  const row = useOpenedRow(list.rows, opened?.id ?? null);
  const filters = useLinkFilters();
  return (
    <ListPage
      title={t("links.title")}
      list={list}
      rowKey="id"
      columns={[...linkColumns(t), spaceColumn(t), ...plainColumns(t)]}
      actions={useLinkActions(open)}
      add={{ label: t("links.add"), run: () => open("add") }}
      filters={[...filters, ...useNodeFilter(list.filters.nodeId, t("links.node"))]}
      summary={<LinkCounts list={list} />}
      empty={{
        text: t("links.empty"),
        action: { label: t("links.toSpaces"), to: paths.netSpace() },
      }}
    >
      <LinkAddDialog
        open={opened?.what === "add"}
        netSpaceId={list.filters.netSpaceId}
        onClose={close}
      />
      {row && <LinkEditDialog row={row} open={opened?.what === "edit"} onClose={close} />}
    </ListPage>
  );
}

/**
 * The row that is being edited. A new link gets another id and another place
 * in the list once it is established: the open form stays open.
 */
function useOpenedRow(rows: readonly LinkRow[], id: number | null): LinkRow | null {
  const [last, setLast] = useState<LinkRow | null>(null);
  const row = rows.find((row) => row.id === id) ?? null;
  if (row && row !== last) setLast(row);
  return row ?? (last?.id === id ? last : null);
}

/** What an operator set of a link. */
const plainColumns = (t: LinkTexts): Column<LinkRow>[] => [
  textColumn(
    "made",
    t("links.origin"),
    (row: LinkRow) => t(row.made ? "links.origin.made" : "links.origin.auto"),
    { width: 96 },
  ),
  numberColumn("preference", t("links.preference"), (row: LinkRow) => row.preference, {
    missing: t("links.bySlot"),
  }),
  textColumn("remark", t.field("remark"), (row: LinkRow) => row.remark || null, {
    optional: true,
  }),
];

/** Only while an address asks for one node: its name is among the filters, to be cleared. */
function useNodeFilter(nodeId: number | null, label: string): FilterSpec[] {
  const isOn = nodeId !== null;
  const cpes = useCall(cpe.ops.combo, isOn ? {} : null);
  const pops = useCall(pop.ops.combo, isOn ? {} : null);
  if (!isOn) return [];
  const nodes = [...(pops.data ?? []), ...(cpes.data ?? [])];
  const options = nodes.map(({ id, name }) => ({ value: id, label: name }));
  return [{ key: "nodeId", kind: "select", label, options }];
}
