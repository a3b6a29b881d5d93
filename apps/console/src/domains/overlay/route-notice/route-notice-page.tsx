import { cpe } from "@weft/contract/domains/devices/cpe.ts";
import { routeNotice } from "@weft/contract/domains/overlay/route-notice.ts";
import type { RowOf } from "@weft/contract/kernel/resource.ts";
import { paths } from "#client/paths.ts";
import { useTexts } from "#client/texts.ts";
import { Field } from "#kernel/form/field.tsx";
import { nameColumn, numberColumn } from "#kernel/list/columns.tsx";
import { resourcePage } from "#kernel/resource-view.tsx";
import { enableColumn } from "#parts/enable-column.tsx";
import { noticeMessages } from "./messages.ts";

type Row = RowOf<typeof routeNotice>;

function NoticeFields() {
  const t = useTexts(noticeMessages);
  return (
    <>
      <Field name="cpeId" kind="combo" endpoint={cpe.ops.combo} />
      <Field
        name="network"
        kind="mono"
        label={t("routeNotice.network")}
        placeholder="10.99.0.0/16"
        help={t("routeNotice.networkHelp")}
      />
      <Field
        name="preference"
        kind="number"
        label={t("routeNotice.preference")}
        help={t("routeNotice.preferenceHelp")}
      />
      <Field name="enable" label={t.code("enable", true)} />
      <Field name="remark" />
    </>
  );
}

/** Networks that CPEs announce to their spaces (section 2.3). */
export default resourcePage(routeNotice, function useNotices() {
  const t = useTexts(noticeMessages);
  return {
    title: t("routeNotice.title"),
    addLabel: t("routeNotice.add"),
    empty: t("routeNotice.empty"),
    nameOf: (row) => row.network,
    columns: [
      nameColumn("network", t("routeNotice.network"), (row: Row) => ({ text: row.network }), {
        sort: true,
      }),
      {
        ...nameColumn("cpeName", t.field("cpeName"), (row: Row) => ({
          text: row.cpeName,
          to: paths.cpeDetail(row.cpeId),
        })),
        pinned: undefined,
        part: undefined,
      },
      enableColumn(t),
      numberColumn("preference", t("routeNotice.preference"), (row: Row) => row.preference),
      "remark",
      "createTime",
    ],
    filters: [{ key: "network", kind: "text", label: t("routeNotice.network") }],
    form: {
      initial: { network: "", enable: true, preference: null, remark: "" },
      body: () => <NoticeFields />,
    },
    removal: { body: () => t("routeNotice.removeBody") },
    touches: ["nodeState", "task"],
  };
});
