import { defineMenu, group, hidden, hiddenGroup, page } from "./node.ts";

/** Screens that are no entries of the menu (section 2.4). */
const businessHidden = defineMenu([
  hidden(
    "/business-system/underlay/segmentRoute/routeEdit",
    ["编辑分段路由", "Edit segment route"],
    "SegmentRouteEdit",
  ),
  hiddenGroup(
    "/business-system/circuitmanage/circuitTable",
    ["线路报表", "Circuit report"],
    [
      hidden(
        "/business-system/circuitmanage/circuitTable/line",
        ["线路报表", "Circuit report"],
        "CircuitTableLine",
      ),
    ],
  ),
  hiddenGroup(
    "/business-system/circuitmanage/circuitAllTable",
    ["全部线路报表", "All circuits report"],
    [
      hidden(
        "/business-system/circuitmanage/circuitAllTable/line",
        ["全部线路报表", "All circuits report"],
        "CircuitAllTableLine",
      ),
    ],
  ),
  hiddenGroup(
    "/business-system/circuitmanage/circuitEnterTable",
    ["企业线路报表", "Enterprise circuits report"],
    [
      hidden(
        "/business-system/circuitmanage/circuitEnterTable/line",
        ["企业线路报表", "Enterprise circuits report"],
        "CircuitEnterTableLine",
      ),
    ],
  ),
  hidden(
    "/business-system/saasquickly/domain",
    ["域名加速组", "Domain acceleration group"],
    "SaasDomain",
  ),
  hidden("/business-system/saasquickly/dpi", ["DPI 加速组", "DPI acceleration group"], "SaasDpi"),
  hidden("/business-system/saasquickly/ip", ["IP 加速组", "IP acceleration group"], "SaasIp"),
  hidden(
    "/business-system/saasquickly/app",
    ["应用加速组", "Application acceleration group"],
    "SaasApp",
  ),
  hidden("/business-system/cug", ["CUG 管理", "CUG"], "Cug"),
]);

/** Business management (section 2.3). */
export const businessMenu = group(
  "/business-system",
  ["业务管理", "Business management"],
  { icon: "business", redirect: "/business-system/templatemanage" },
  [
    group("/business-system/underlay", ["Underlay", "Underlay"], { icon: "underlay" }, [
      page(
        "/business-system/underlay/segmentRoute",
        ["分段路由", "Underlay segment route"],
        "SegmentRoute",
        { icon: "segment" },
      ),
    ]),
    group("/business-system/overlay", ["Overlay", "Overlay"], { icon: "overlay" }, [
      page("/business-system/overlay/space", ["网络空间", "Network spaces"], "NetSpace", {
        icon: "space",
      }),
      page("/business-system/overlay/linkManage", ["链路管理", "Links"], "LinkManage", {
        icon: "link",
      }),
    ]),
    page("/business-system/routernotice", ["路由通告", "Route notice"], "RouteNotice", {
      icon: "notice",
    }),
    page("/business-system/templatemanage", ["模板管理", "Template management"], "RouterTemplate", {
      icon: "template",
    }),
    page("/business-system/saasquickly", ["应用加速", "Application acceleration"], "SaasQuickly", {
      icon: "acceleration",
    }),
    page("/business-system/circuitmanage", ["线路管理", "Circuit management"], "CircuitManage", {
      icon: "circuit",
    }),
    group("/business-system/vbrNode", ["跨云组网", "Cross-cloud networking"], { icon: "cloud" }, [
      page("/business-system/vbrNode/vbrNode", ["跨云组网", "Cross-cloud networking"], "VbrNode", {
        icon: "cloud",
      }),
    ]),
    ...businessHidden,
  ],
);
