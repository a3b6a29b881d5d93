import { cpe } from "@weft/contract/resources/cpe.ts";
import { linkList } from "@weft/contract/resources/link.ts";
import { netSpace } from "@weft/contract/resources/net-space.ts";
import { pop } from "@weft/contract/resources/pop.ts";
import { type Column, figureColumn, textColumn } from "#kernel/list/columns.tsx";
import type { FilterSpec } from "#kernel/list/filter-bar.tsx";
import { ListPage } from "#kernel/list/list-page.tsx";
import { useOpened } from "#kernel/list/opened.ts";
import { type List, useList } from "#kernel/list/use-list.ts";
import { linkColumns } from "#kernel/node/link-columns.tsx";
import type { LinkRow } from "#kernel/node/link-end.ts";
import { spaceColumn } from "#kernel/node/link-figures.tsx";
import { paths } from "#kernel/paths.ts";
import { useCall } from "#kernel/use-call.ts";
import { StateCounts } from "#ui/glyph.tsx";
import { useLinkActions } from "./link-actions.ts";
import { LinkAddDialog, LinkEditDialog } from "./link-form.tsx";
import { type LinkTexts, useLinkTexts } from "./link-texts.ts";

/** Measures come every five seconds; a page of them is asked for as often. */
const linksEvery = 5_000;
/** Spaces that the filter offers. */
const mostSpaces = 1_000;

/** All links with what was last measured on them; those that are down come first. */
export default function LinkPage() {
  const t = useLinkTexts();
  const list = useList(linkList, { every: linksEvery });
  const { opened, open, close } = useOpened();
  const row = list.rows.find(({ id }) => id === opened?.id) ?? null;
  const spaces = useCall(netSpace.ops.list, {
    name: null,
    groupid: null,
    page: 1,
    limit: mostSpaces,
    orderByColumn: "name",
    isAsc: "asc",
  });
  return (
    <ListPage
      title={t("links.title")}
      list={list}
      rowKey="id"
      columns={[...linkColumns(t), spaceColumn(t), ...wordColumns(t)]}
      actions={useLinkActions(open)}
      add={{ label: t("links.add"), run: () => open("add") }}
      filters={[
        { key: "name", kind: "text", label: t("links.search") },
        {
          key: "status",
          kind: "select",
          label: t("links.state"),
          options: [0, 1].map((value) => ({ value, label: t.code("linkUp", value) })),
        },
        {
          key: "netSpaceId",
          kind: "select",
          label: t("links.space"),
          options: (spaces.data ?? []).map(({ id, name }) => ({ value: id, label: name })),
        },
        ...useNodeFilter(list.filters.nodeId, t("links.node")),
      ]}
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

/** What an operator said of a link. */
const wordColumns = (t: LinkTexts): Column<LinkRow>[] => [
  textColumn(
    "made",
    t("links.origin"),
    (row: LinkRow) => t(row.made ? "links.origin.made" : "links.origin.auto"),
    { width: 96 },
  ),
  figureColumn("preference", t("links.preference"), (row: LinkRow) => row.preference, {
    missing: t("links.usual"),
  }),
  textColumn("remark", t.field("remark"), (row: LinkRow) => row.remark || null, {
    optional: true,
  }),
];

/** Only while an address asks for one node: its name stands among the filters, to be cleared. */
function useNodeFilter(nodeId: number | null, label: string): FilterSpec[] {
  const isOn = nodeId !== null;
  const cpes = useCall(cpe.ops.combo, isOn ? {} : null);
  const pops = useCall(pop.ops.combo, isOn ? {} : null);
  if (!isOn) return [];
  const nodes = [...(pops.data ?? []), ...(cpes.data ?? [])];
  const options = nodes.map(({ id, name }) => ({ value: id, label: name }));
  return [{ key: "nodeId", kind: "select", label, options }];
}

type Filters = { netSpaceId: number; nodeId: number; status: number; name: string };

function LinkCounts({ list }: { readonly list: List<LinkRow, Filters> }) {
  const t = useLinkTexts();
  const count = (status: number) => ({ ...list.filters, status, page: 1, limit: 1 });
  const down = useCall(linkList, count(0), { every: linksEvery, keep: true });
  const up = useCall(linkList, count(1), { every: linksEvery, keep: true });
  return (
    <StateCounts
      counts={[
        { glyph: "bad", count: down.count ?? 0, word: t.code("linkUp", 0) },
        { glyph: "ok", count: up.count ?? 0, word: t.code("linkUp", 1) },
      ]}
      onPick={(glyph) => {
        const status = glyph === "ok" ? 1 : 0;
        list.setFilter("status", list.filters.status === status ? null : status);
      }}
    />
  );
}
