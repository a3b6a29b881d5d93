import { staticRoute } from "@weft/contract/domains/devices/static-route.ts";
import type { DraftOf, RowOf } from "@weft/contract/kernel/resource.ts";
import { useOpened } from "#client/opened.ts";
import type { NodeCard } from "#domains/devices/parts/node/node-card.ts";
import { SectionFrame } from "#domains/devices/parts/node/node-settings.tsx";
import { EmptyState } from "#feedback/empty-state.tsx";
import { useRemove } from "#feedback/use-remove.ts";
import { Field, FieldRow } from "#kernel/form/field.tsx";
import { ResourceForm } from "#kernel/form/resource-form.tsx";
import { type Column, copyColumn, stateColumn, textColumn } from "#kernel/list/columns.tsx";
import { ResourceTable } from "#kernel/list/resource-table.tsx";
import type { List } from "#kernel/list/use-list.ts";
import { ListFiles } from "#parts/import/list-files.tsx";
import { type CpeTexts, useCpeTexts } from "./cpe-texts.ts";

type RouteRow = RowOf<typeof staticRoute>;

/** What a write to a route changes beside the route itself. */
const touches = ["nodeState", "task"];

const newRoute = (nCpeID: number): DraftOf<typeof staticRoute> => ({
  nCpeID,
  nEnable: true,
  destination: "",
  nextHop: "",
  metric: 1,
  announce: true,
  remark: "",
});

const columnsOf = (t: CpeTexts): Column<RouteRow>[] => [
  stateColumn(
    "nEnable",
    t.field("nEnable"),
    (row: RouteRow) => ({
      glyph: row.nEnable ? "ok" : "disabled",
      label: t.code("enable", row.nEnable),
    }),
    { width: 104 },
  ),
  {
    key: "destination",
    title: t.field("destination"),
    pinned: "left",
    part: "name",
    sort: "destination",
    width: 184,
    cell: (row) => <span className="w-mono">{row.destination}</span>,
  },
  copyColumn("nextHop", t.field("nextHop"), (row: RouteRow) => row.nextHop),
  {
    key: "metric",
    title: t.field("metric"),
    align: "right",
    sort: "metric",
    width: 96,
    cell: (row) => row.metric,
  },
  textColumn(
    "announce",
    t.field("announce"),
    (row: RouteRow) => t(row.announce ? "route.announceYes" : "route.announceNo"),
    { width: 136 },
  ),
  textColumn("remark", t.field("remark"), (row: RouteRow) => row.remark || null),
];

interface Props {
  readonly node: NodeCard;
  readonly list: List<RouteRow>;
}

/** Networks behind a router of the site, with their drawer. */
export function StaticRoutes({ node, list }: Props) {
  const t = useCpeTexts();
  const { opened, open, close } = useOpened();
  const remove = useRemove(staticRoute, {
    title: ([row]) => t("route.removeTitle", { node: node.name, destination: row.destination }),
    body: ([row]) => t("route.removeBody", { destination: row.destination }),
    touches,
    done: t("node.saved"),
  });
  const row =
    opened?.what === "route" ? (list.rows.find(({ nID }) => nID === opened.id) ?? null) : null;
  return (
    <SectionFrame
      title={t("cpe.routes")}
      tools={<ListFiles list={list} />}
      add={{ label: t("route.add"), may: "configStaticroute", run: () => open("addRoute") }}
    >
      <ResourceTable
        list={list}
        rowKey="nID"
        columns={columnsOf(t)}
        empty={<EmptyState kind="good" text={t("route.empty")} />}
        actions={(route: RouteRow) => [
          {
            key: "edit",
            label: t("node.edit"),
            may: "configStaticroute",
            run: () => open("route", route.nID),
          },
          {
            key: "remove",
            label: t("node.remove"),
            may: "configStaticroute",
            danger: true,
            run: () => void remove([route]),
          },
        ]}
      />
      <ResourceForm
        resource={staticRoute}
        open={opened?.what === "addRoute" || row !== null}
        row={row}
        title={
          row
            ? t("route.editOf", { destination: row.destination })
            : t("route.addTo", { name: node.name })
        }
        initial={newRoute(node.id)}
        saved={t("node.saved")}
        touches={touches}
        onClose={close}
      >
        <FieldRow>
          <Field name="destination" kind="mono" placeholder="10.9.0.0/16" />
          <Field
            name="nextHop"
            kind="mono"
            placeholder="10.1.1.254"
            help={t("route.nextHopHelp")}
          />
        </FieldRow>
        <Field name="metric" help={t("route.metricHelp")} />
        <Field name="announce" help={t("route.announceHelp")} />
        <Field name="nEnable" label={t.code("enable", true)} />
        <Field name="remark" />
      </ResourceForm>
    </SectionFrame>
  );
}
