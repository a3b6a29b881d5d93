/**
 * What the demonstration shows: an operator with two POPs, an agent with two enterprises, and their
 * sites in different states. Names and networks are invented; addresses are documentation ranges
 * (RFC 5737).
 */
export interface DemoEnterprise {
  readonly name: string;
  readonly parent: string | null;
  readonly isAgent: boolean;
  readonly provice: string;
  readonly city: string;
}

export interface DemoNode {
  readonly name: string;
  readonly enterprise: string | null;
  readonly sn: string;
  /** Last octet of its line addresses. */
  readonly host: number;
  /** Second octet of its LAN, CPEs only. */
  readonly lan?: number;
  /** connected: runs; waiting: used its claim, not approved; absent: never seen. */
  readonly state: "connected" | "waiting" | "absent";
  readonly longitude: number;
  readonly latitude: number;
  readonly regions?: string;
}

export interface DemoSpace {
  readonly name: string;
  readonly enterprise: string;
  readonly topology: 0 | 1;
  readonly pops: readonly string[];
  readonly cpes: readonly string[];
}

export const enterprises: readonly DemoEnterprise[] = [
  { name: "华东渠道", parent: null, isAgent: true, provice: "上海市", city: "上海市" },
  { name: "蓝海零售", parent: "华东渠道", isAgent: false, provice: "浙江省", city: "杭州市" },
  { name: "远山制造", parent: "华东渠道", isAgent: false, provice: "江苏省", city: "苏州市" },
];

export const pops: readonly DemoNode[] = [
  {
    name: "上海-01",
    enterprise: null,
    sn: "DEMO-POP-SH01",
    host: 10,
    state: "connected",
    longitude: 121.473701,
    latitude: 31.230416,
    regions: "上海市",
  },
  {
    name: "北京-01",
    enterprise: null,
    sn: "DEMO-POP-BJ01",
    host: 20,
    state: "connected",
    longitude: 116.407526,
    latitude: 39.904211,
    regions: "北京市",
  },
];

const site = (
  name: string,
  enterprise: string,
  host: number,
  [longitude, latitude]: readonly [number, number],
  state: DemoNode["state"] = "connected",
): DemoNode => ({
  name,
  enterprise,
  sn: `DEMO-CPE-${String(host).padStart(4, "0")}`,
  host,
  lan: host,
  state,
  longitude,
  latitude,
});

export const cpes: readonly DemoNode[] = [
  site("杭州总部", "蓝海零售", 101, [120.15507, 30.274085]),
  site("杭州门店-01", "蓝海零售", 102, [120.2, 30.25]),
  site("宁波门店-01", "蓝海零售", 103, [121.549792, 29.868388]),
  site("温州门店-01", "蓝海零售", 104, [120.672111, 28.000575]),
  site("绍兴门店-01", "蓝海零售", 105, [120.582112, 29.997117], "waiting"),
  site("苏州工厂", "远山制造", 111, [120.619585, 31.299379]),
  site("无锡仓库", "远山制造", 112, [120.301663, 31.574729]),
  site("天津办事处", "远山制造", 113, [117.190182, 39.125596]),
  site("徐州仓库", "远山制造", 114, [117.184811, 34.261792], "absent"),
];

export const spaces: readonly DemoSpace[] = [
  {
    name: "零售生产网",
    enterprise: "蓝海零售",
    topology: 0,
    pops: ["上海-01"],
    cpes: ["杭州总部", "杭州门店-01", "宁波门店-01", "温州门店-01", "绍兴门店-01"],
  },
  {
    name: "制造骨干网",
    enterprise: "远山制造",
    topology: 1,
    pops: ["上海-01", "北京-01"],
    cpes: ["苏州工厂", "无锡仓库", "天津办事处", "徐州仓库"],
  },
];
