import { defineMessages } from "@weft/contract/kernel/message.ts";

export const noticeMessages = defineMessages({
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
