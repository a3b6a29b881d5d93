import { cpe } from "@weft/contract/domains/devices/cpe.ts";
import { routeNotice } from "@weft/contract/domains/overlay/route-notice.ts";
import { defineMessages } from "@weft/contract/kernel/message.ts";
import type { RowOf } from "@weft/contract/kernel/resource.ts";
import { paths } from "#client/paths.ts";
import { useTexts } from "#client/texts.ts";
import { Field } from "#kernel/form/field.tsx";
import { nameColumn, numberColumn } from "#kernel/list/columns.tsx";
import { resourcePage } from "#kernel/resource-view.tsx";
import { enableColumn } from "#parts/enable-column.tsx";

const noticeMessages = defineMessages({
  "routeNotice.title": ["路由通告", "Route notice"],
  "routeNotice.add": ["新增通告", "Add notice"],
  "routeNotice.network": ["通告网段", "Network"],
  "routeNotice.networkHelp": [
    "IPv4 或 IPv6 网段。CPE 自身有到该网段的路由时，以 BGP 通告给空间内的其他站点",
    "IPv4 or IPv6. While the CPE itself has a route to it, BGP announces it to the other sites of its spaces",
  ],
  "routeNotice.preference": ["站点优先级", "Site preference"],
  "routeNotice.preferenceHelp": [
    "1–8。两个或更多站点通告同一网段时各填一个：流量走数字最小且可达的站点，该站点中断后切换到下一个。留空：不允许其他站点通告该网段",
    "1 to 8. Set one at each of several sites that announce this network: traffic goes to the lowest number that is reachable, and to the next one when that fails. Empty: no other site may announce it",
  ],
  "routeNotice.empty": [
    "还没有路由通告。LAN 网段和已勾选通告的静态路由无需在此添加",
    "No notices yet. LAN sections and static routes that are announced need none",
  ],
  "routeNotice.saved": ["已保存，正在下发到设备", "Saved. Deploying to the device"],
  "routeNotice.removeBody": [
    "空间内的其他站点不再能经这台 CPE 到达该网段。",
    "Other sites of the space no longer reach the network through this CPE.",
  ],
});

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
