import { segmentsCapability } from "@weft/contract/device/v1/segments.ts";
import { segmentRoute } from "@weft/contract/domains/overlay/segment-route.ts";
import type { DraftOf, RowOf } from "@weft/contract/kernel/resource.ts";
import { paths } from "#client/paths.ts";
import { type Translate, useTexts } from "#client/texts.ts";
import { refreshEvery } from "#client/use-call.ts";
import { PopNames } from "#domains/devices/parts/node/pop-order.tsx";
import { CapabilitiesProvider } from "#feedback/device-capabilities.tsx";
import {
  type Column,
  nameColumn,
  numberColumn,
  stateColumn,
  textColumn,
} from "#kernel/list/columns.tsx";
import { resourcePage } from "#kernel/resource-view.tsx";
import { segmentMessages } from "./messages.ts";
import { SegmentFields } from "./segment-fields.tsx";
import { stateOf } from "./segment-state.tsx";

type Row = RowOf<typeof segmentRoute>;
type Texts = Translate<keyof typeof segmentMessages>;

const newRoute: DraftOf<typeof segmentRoute> = {
  name: "",
  groupid: null,
  cpeId: null,
  popIds: [],
  destination: "",
  metric: 10,
  enable: true,
  remark: "",
};

const columnsOf = (t: Texts): Column<Row>[] => [
  nameColumn(
    "name",
    t.field("name"),
    (row: Row) => ({ text: row.name, to: paths.segmentRouteEdit(row.id) }),
    { sort: true, width: 168 },
  ),
  textColumn("cpeName", t("segment.from"), (row: Row) => row.cpeName ?? t("segment.any"), {
    width: 136,
  }),
  {
    key: "popIds",
    title: t("segment.hops"),
    width: 208,
    cell: (row) => <PopNames ids={row.popIds} />,
  },
  textColumn("destination", t.field("destination"), (row: Row) => row.destination, {
    width: 152,
    sort: true,
  }),
  numberColumn("metric", t.field("metric"), (row: Row) => row.metric, { width: 96, sort: true }),
  stateColumn("state", t("segment.state"), (row: Row) => stateOf(t, row), { width: 152 }),
  textColumn("enterpriseName", t.field("enterpriseName"), (row: Row) => row.enterpriseName, {
    width: 112,
  }),
  textColumn("remark", t.field("remark"), (row: Row) => row.remark, { optional: true }),
];

const Routes = resourcePage(
  segmentRoute,
  function useSegmentRoutes() {
    const t = useTexts(segmentMessages);
    return {
      title: t("segment.title"),
      addLabel: t("segment.add"),
      empty: t("segment.empty"),
      nameOf: (row) => row.name,
      columns: columnsOf(t),
      filters: [{ key: "name", kind: "text", label: t("segment.search") }],
      form: { initial: newRoute, width: 720, body: () => <SegmentFields /> },
      actions: (row, { edit: { run: _, ...edit }, remove }) => [
        { ...edit, to: paths.segmentRouteEdit(row.id) },
        remove,
      ],
      removal: { body: () => t("segment.removeBody") },
    };
  },
  () => ({ every: refreshEvery }),
);

/** Segment routes: POPs that traffic to a network crosses, in order (section 2.3). What acts each row says itself. */
export default function SegmentRoutePage() {
  return (
    <CapabilitiesProvider capabilities={[segmentsCapability]}>
      <Routes />
    </CapabilitiesProvider>
  );
}
