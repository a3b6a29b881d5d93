import { staticRoute } from "@weft/contract/domains/devices/static-route.ts";
import { routeNotice } from "@weft/contract/domains/overlay/route-notice.ts";
import { segmentRoute } from "@weft/contract/domains/overlay/segment-route.ts";
import { defaultClasses, trafficClassEdit } from "@weft/contract/domains/overlay/traffic-class.ts";
import { vbrNode, vbrNodeAudit, vbrTable } from "@weft/contract/domains/overlay/vbr-node.ts";
import type { DestinationKind } from "@weft/contract/domains/policies/destination-enums.ts";
import { saasGroups } from "@weft/contract/domains/policies/saas-group.ts";
import { xwanSpeed, xwanSpeedDefine } from "@weft/contract/domains/policies/xwan-speed.ts";
import type { Caller } from "@weft/contract/kernel/client.ts";
import { classedEnterprise } from "./fleet.ts";

/** Ids of enterprises and nodes by name. */
export type IdOf = (name: string) => number;

type Group = readonly [DestinationKind, owner: string, name: string, pop: string, values: string[]];

/** Each leaves at a POP of its enterprise's spaces: others are none that the sites have a link to. */
export const accelerated: readonly Group[] = [
  ["domain", "蓝海零售", "海外办公域名", "上海-01", ["*.office.com", "*.zoom.us", "github.com"]],
  ["domain", "海通物流", "报关平台", "上海-01", ["*.singlewindow.cn"]],
  ["dpi", "远山制造", "语音与会议", "上海-01", ["500", "502", "503"]],
  ["ip", "海通物流", "海外仓网段", "广州-01", ["203.0.113.0/24", "198.51.100.128/25"]],
  ["app", "蓝海零售", "办公套件", "上海-01", ["1001", "1002"]],
];

/** Kinds and values of the profile's definitions. */
const definitions = [
  ["domain", "*.salesforce.com"],
  ["domain", "*.sap.com"],
  ["ip", "203.0.113.0/24"],
  ["app", "1001"],
] as const;

async function addAcceleration(call: Caller, idOf: IdOf): Promise<void> {
  for (const [kind, owner, name, pop, values] of accelerated)
    await call(saasGroups[kind].ops.add, {
      name,
      groupid: idOf(owner),
      values,
      popId: idOf(pop),
      enable: true,
      remark: "",
    });
  const groupid = idOf("远山制造");
  const { data } = await call(xwanSpeed.ops.add, {
    name: "跨境办公",
    type: 1,
    groupid,
    enable: true,
    remark: "研发与外贸",
  });
  for (const [kind, value] of definitions)
    await call(xwanSpeedDefine.ops.add, { speedId: data.id, kind, value, remark: "" });
}

async function addClouds(call: Caller, idOf: IdOf): Promise<void> {
  const shared = { groupid: idOf("蓝海零售"), remark: "" };
  const { data: east } = await call(vbrNode.ops.add, {
    ...shared,
    name: "阿里云华东2",
    cloud: "aliyun",
    popId: idOf("上海-01"),
    vlan: 1201,
    localIp: "169.254.10.1",
    peerIp: "169.254.10.2",
    bandwidth: 200_000,
  });
  await call(vbrNodeAudit, { id: east.id, status: 1, remark: "专线已开通" });
  for (const network of ["172.18.0.0/16", "172.19.0.0/16"])
    await call(vbrTable.ops.add, {
      vbrNodeId: east.id,
      network,
      nextHop: "169.254.10.2",
      remark: "",
    });
  await call(vbrNode.ops.add, {
    ...shared,
    name: "腾讯云广州",
    cloud: "tencent",
    popId: idOf("广州-01"),
    vlan: 1310,
    localIp: "169.254.20.1",
    peerIp: "169.254.20.2",
    bandwidth: 100_000,
  });
}

/** What enterprises of the demonstration accelerate, announce, and reach in clouds. */
export async function addBusiness(call: Caller, idOf: IdOf): Promise<void> {
  await addAcceleration(call, idOf);
  await addClouds(call, idOf);
  await call(trafficClassEdit, {
    ...defaultClasses,
    groupid: idOf(classedEnterprise),
    enable: true,
  });
  await call(segmentRoute.ops.add, {
    name: "华南去往北京",
    groupid: idOf("海通物流"),
    cpeId: idOf("深圳口岸"),
    popIds: [idOf("广州-01"), idOf("上海-01"), idOf("北京-01")],
    destination: "10.200.0.0/16",
    metric: 10,
    enable: true,
    remark: "报关系统",
  });
  const machineRoom = { cpeId: idOf("杭州总部"), network: "172.16.0.0/21" };
  // A device announces what it has a route to.
  await call(staticRoute.ops.add, {
    nCpeID: machineRoom.cpeId,
    nEnable: true,
    destination: machineRoom.network,
    nextHop: "10.101.1.250",
    metric: 1,
    announce: false,
    remark: "总部机房",
  });
  await call(routeNotice.ops.add, {
    ...machineRoom,
    enable: true,
    preference: null,
    remark: "总部机房",
  });
}
