import { segmentRoute } from "@weft/contract/domains/overlay/segment-route.ts";
import type { DraftOf, RowOf } from "@weft/contract/kernel/resource.ts";
import { useOpened } from "#client/opened.ts";
import { paths } from "#client/paths.ts";
import { type Translate, useTexts } from "#client/texts.ts";
import { PopNames } from "#domains/devices/parts/node/pop-order.tsx";
import { useRemove } from "#feedback/use-remove.ts";
import { ResourceForm } from "#kernel/form/resource-form.tsx";
import { type Column, nameColumn, numberColumn, textColumn } from "#kernel/list/columns.tsx";
import { ListPage } from "#kernel/list/list-page.tsx";
import { useResourceList } from "#kernel/list/use-list.ts";
import { enableColumn } from "#parts/enable-column.tsx";
import { segmentMessages } from "./messages.ts";
import { SegmentFields } from "./segment-fields.tsx";

type Row = RowOf<typeof segmentRoute>;
type Texts = Translate<keyof typeof segmentMessages>;

const newRoute: DraftOf<typeof segmentRoute> = {
  ...{ name: "", groupid: null, cpeId: null, popIds: [], destination: "" },
  ...{ metric: 10, enable: true, remark: "" },
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
  enableColumn(t),
  textColumn("enterpriseName", t.field("enterpriseName"), (row: Row) => row.enterpriseName, {
    width: 112,
  }),
  textColumn("remark", t.field("remark"), (row: Row) => row.remark, { optional: true }),
];

/** Segment routes: POPs that traffic to a network crosses, in order (section 2.3). */
export default function SegmentRoutePage() {
  const t = useTexts(segmentMessages);
  const list = useResourceList(segmentRoute);
  const { opened, open, close } = useOpened();
  const remove = useRemove(segmentRoute, {
    title: ([row]) => t("removal.title", { name: row.name }),
    body: () => t("segment.removeBody"),
  });
  const add = { label: t("segment.add"), may: segmentRoute.may.add, run: () => open("add") };
  return (
    <ListPage
      title={t("segment.title")}
      list={list}
      rowKey="id"
      columns={columnsOf(t)}
      filters={[{ key: "name", kind: "text", label: t("segment.search") }]}
      add={add}
      empty={{ text: t("segment.empty"), action: add }}
      actions={(row: Row) => [
        {
          key: "edit",
          label: t("act.edit"),
          may: segmentRoute.may.edit,
          to: paths.segmentRouteEdit(row.id),
        },
        {
          key: "remove",
          label: t("act.remove"),
          may: segmentRoute.may.remove,
          danger: true,
          run: () => void remove([row]),
        },
      ]}
    >
      <ResourceForm
        resource={segmentRoute}
        open={opened?.what === "add"}
        row={null}
        title={t("segment.add")}
        initial={newRoute}
        width={720}
        onClose={close}
      >
        <SegmentFields />
      </ResourceForm>
    </ListPage>
  );
}
