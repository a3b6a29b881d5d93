import { consoleNumbers } from "@weft/contract/domains/monitoring/console-numbers.ts";
import { netSpace } from "@weft/contract/domains/overlay/net-space.ts";
import { useOpened } from "#client/opened.ts";
import { paths, withSearch } from "#client/paths.ts";
import { useMay } from "#client/session.tsx";
import { refreshEvery, useCall } from "#client/use-call.ts";
import { EnterpriseFilter } from "#domains/enterprises/parts/enterprise/enterprise-control.tsx";
import {
  enterpriseColumn,
  filtersBeside,
  fixedTo,
  type OfEnterprise,
} from "#domains/enterprises/parts/enterprise/of-enterprise.tsx";
import type { NextStep } from "#feedback/empty-state.tsx";
import { useRemove } from "#feedback/use-remove.ts";
import {
  type Column,
  nameColumn,
  numberColumn,
  textColumn,
  timeColumn,
} from "#kernel/list/columns.tsx";
import { ListPage } from "#kernel/list/list-page.tsx";
import type { RowAction } from "#kernel/list/row-actions.tsx";
import { useResourceList } from "#kernel/list/use-list.ts";
import { type Glyph, StatusGlyph } from "#ui/glyph.tsx";
import { Missing } from "#ui/missing.tsx";
import { NetSpaceForm } from "./net-space-form.tsx";
import { type SpaceRow, type SpaceTexts, useSpaceTexts } from "./net-space-texts.ts";

/** Isolated overlays, each of one enterprise (section 2.3). */
export function NetSpaceList({ groupid: fixed }: OfEnterprise) {
  const t = useSpaceTexts();
  const list = useResourceList(netSpace, { every: refreshEvery, fixed: fixedTo(fixed) });
  const { opened, open, close } = useOpened();
  const actions = useSpaceActions(t, open);
  const row = list.rows.find(({ id }) => id === opened?.id) ?? null;
  const isEditing = opened?.what === "edit" && row !== null;
  const add = { label: t("space.add"), may: "netSpaceAdd" as const, run: () => open("add") };
  const empty = useFirstRun(t, add);
  // With nothing there yet, the one button is where the rows would be.
  const isBare = list.count === 0 && list.activeFilters === 0;
  return (
    <ListPage
      title={t("space.title")}
      list={list}
      rowKey="id"
      columns={spaceColumns(t)}
      filters={filtersBeside(fixed, [
        { key: "name", kind: "text", label: t("space.search") },
        { key: "groupid", kind: EnterpriseFilter, label: t.field("groupid") },
      ])}
      {...((!isBare || empty.action !== add) && { add })}
      actions={actions}
      empty={empty}
    >
      <NetSpaceForm
        open={opened?.what === "add" || isEditing}
        row={isEditing ? row : null}
        groupid={fixed ?? list.filters.groupid}
        onClose={close}
      />
    </ListPage>
  );
}

/** The way of a new installation: a space joins what has to be there before. */
function useFirstRun(t: SpaceTexts, add: NextStep): { text: string; action?: NextStep } {
  const may = useMay();
  const { data: numbers } = useCall(consoleNumbers, {});
  const text = t("space.empty");
  if (numbers?.pop === 0) return { text, action: { label: t("space.toPop"), to: paths.pop() } };
  if (numbers?.cpe === 0) return { text, action: { label: t("space.toCpe"), to: paths.cpe() } };
  return { text, ...(may("netSpaceAdd") && { action: add }) };
}

const linksGlyph = ({ links, linksUp }: SpaceRow): Glyph =>
  linksUp === links ? "ok" : linksUp === 0 ? "bad" : "warn";

const spaceColumns = (t: SpaceTexts): Column<SpaceRow>[] => [
  {
    key: "linksUp",
    title: t("space.linksUp"),
    width: 104,
    cell: (row) =>
      row.links === 0 ? (
        <Missing reason={t("space.linksEmpty")} />
      ) : (
        <span className="w-state">
          <StatusGlyph glyph={linksGlyph(row)} />
          {row.linksUp}/{row.links}
        </span>
      ),
  },
  nameColumn(
    "name",
    t.field("name"),
    (row: SpaceRow) => ({
      text: row.name,
      to: withSearch(paths.links(), { netSpaceId: row.id }),
    }),
    { sort: true },
  ),
  enterpriseColumn<SpaceRow>(t.field("enterpriseName")),
  textColumn("topology", t.field("topology"), (row: SpaceRow) => t.code("topology", row.topology)),
  numberColumn("pops", t("space.pops"), (row: SpaceRow) => row.popIds.length),
  numberColumn("cpes", t("space.cpes"), (row: SpaceRow) => row.cpeIds.length),
  textColumn("remark", t.field("remark"), (row: SpaceRow) => row.remark || null),
  timeColumn("createTime", t.field("createTime"), (row: SpaceRow) => row.createTime, {
    sort: true,
  }),
];

function useSpaceActions(t: SpaceTexts, open: (what: string, id?: number) => void) {
  const remove = useRemove(netSpace, {
    title: ([row]) => t("space.removeTitle", { name: row.name }),
    body: ([row]) => t("space.removeBody", { cpes: row.cpeIds.length, links: row.links }),
    typed: ([row]) => (row.links > 0 ? row.name : null),
    touches: ["link", "cpe", "pop", "nodeState"],
  });
  return (row: SpaceRow): RowAction[] => [
    {
      key: "links",
      label: t("space.links"),
      to: withSearch(paths.links(), { netSpaceId: row.id }),
    },
    { key: "edit", label: t("space.edit"), may: "netSpaceEdit", run: () => open("edit", row.id) },
    {
      key: "remove",
      label: t("space.remove"),
      may: "netSpaceRemove",
      danger: true,
      run: () => void remove([row]),
    },
  ];
}
