/**
 * What acts on every value that operators save. A value that waits for a capability of the edge is
 * saved only: forms and lists say so, and a published template names its objects among them. When
 * edges learn a capability, its entries change here; nothing else has to.
 */
import type { CpeItem } from "#domains/devices/cpe-config.ts";
import type { StandbyDraft } from "#domains/devices/cpe-standby.ts";
import type { resources as devices } from "#domains/devices/domain.ts";
import type { resources as overlay } from "#domains/overlay/domain.ts";
import type { resources as policies } from "#domains/policies/domain.ts";
import { accessType } from "#domains/policies/enums.ts";
import { policyAction, policyCapability } from "#domains/policies/policy-actions.ts";
import { type PolicyFamilyName, policyFamilies } from "#domains/policies/policy-families.ts";
import type { AnyResource, DraftOf } from "#kernel/resource.ts";

type Known = typeof devices & typeof overlay & typeof policies;

/** Capabilities that edges are to report, or that the controller is to get. */
type Capability =
  | "cloud"
  | "ctg"
  | "cug"
  | "dns.entries"
  | "filter.names"
  | "inspection"
  | "lan.dhcp"
  | "lan.prefix"
  | "lan.reservations"
  | "log.bytes"
  | "log.flows"
  | "path.lines"
  | "policy.routerIpgroup"
  | "policy.routerUrlgroup"
  | "policy.routerTimenode"
  | "pppoe.client"
  | "segments"
  | "shaping"
  | "standby"
  | "vlan"
  | "wan.ipv6"
  | "wan.web"
  | "wifi";

/**
 * `state`: part of the desired state of a device, or of the links that it has. `controller`: the
 * controller acts with it itself. `label`: says something to readers only. `kept`: the specification
 * gives it a range and neither meaning nor unit, so nothing can act on it.
 */
type Effect = "state" | "controller" | "label" | "kept" | Capability;

type FieldsOf<Of extends AnyResource> = Readonly<Record<keyof DraftOf<Of> & string, Effect>>;

/** Effect of every field of every resource that concerns the network; one effect: of all of them. */
const ofResources = {
  pop: {
    ...({ name: "state", groupid: "controller", sn: "controller", bandwidth: "shaping" } as const),
    // Sites prefer the nearest POP.
    ...({ regions: "controller", longitude: "controller", latitude: "controller" } as const),
    remark: "label",
    // Lists, alarms and notifications name it when it is due; from then on it gets no new links.
    expireTime: "controller",
  },
  cpe: {
    ...({ alias: "state", groupid: "controller", sn: "controller", enable: "state" } as const),
    ...({ longitude: "controller", latitude: "controller" } as const),
    ...({ areaId: "label", remark: "label" } as const),
    ...({ xMode: "state", expireTime: "state" } as const),
    timezone: "state",
  },
  branch: {
    groupid: "controller",
    name: "label",
    regions: "label",
    address: "label",
    cpeIds: "label",
    remark: "label",
  },
  line: {
    ...({ nodeId: "state", slot: "state", name: "label", interfaceName: "state" } as const),
    ...({ addressing: "state", ip: "state", gateway: "state", isp: "state" } as const),
    ...({ publicIp: "state", publicPort: "state" } as const),
    ...({ ipv6Mode: "wan.ipv6", ip6: "wan.ipv6", gateway6: "wan.ipv6" } as const),
    prefixLength: "lan.prefix",
    ...({ lineQuality: "path.lines", reachable: "state", mtu: "state" } as const),
    ...({ upBandwidth: "shaping", downBandwidth: "shaping", remark: "label" } as const),
  },
  lansection: {
    ...({ nCpeID: "state", interfaceName: "state", network: "state", network6: "state" } as const),
    ...({ vlan: "vlan", enableForward: "state", enableDirect: "state" } as const),
    ...({ ipv6Slot: "lan.prefix", ipv6Subnet: "lan.prefix" } as const),
    ...({ enableCentral: "state", ownAddress: "standby", remark: "label" } as const),
    ...({ dhcpStart: "lan.dhcp", dhcpEnd: "lan.dhcp" } as const),
  },
  staticroute: {
    ...({ nCpeID: "state", nEnable: "state", destination: "state", nextHop: "state" } as const),
    ...({ metric: "state", announce: "state", remark: "label" } as const),
  },
  dnsmasq: "dns.entries",
  dhcpReservation: "lan.reservations",
  // Commands to devices, not states of them.
  dialTask: "controller",
  firmwareTask: "controller",
  netSpace: {
    ...({ name: "label", groupid: "controller", topology: "state" } as const),
    ...({ popIds: "state", cpeIds: "state", remark: "label" } as const),
  },
  xwanCircuit: {
    ...({ name: "label", groupid: "controller", sourceId: "state", targetId: "state" } as const),
    ...({ bandwidth: "state", guaranteed: "state", lineQuality: "path.lines" } as const),
    ...({ enable: "state", expireTime: "state", remark: "label" } as const),
  },
  cug: {
    ...({ name: "label", groupid: "controller", bandwidth: "state", cpeIds: "state" } as const),
    ...({ enable: "state", remark: "label" } as const),
  },
  segmentRoute: "segments",
  routeNotice: {
    ...({ cpeId: "state", network: "state", enable: "state", preference: "state" } as const),
    remark: "label",
  },
  vbrNode: "cloud",
  vbrTable: "cloud",
  popStrategy: { name: "label", groupid: "controller", popIds: "state", remark: "label" },
  popGroup: { name: "label", strategyId: "state", popIds: "state" },
  "saasGroup.domain": {
    ...({ name: "label", groupid: "controller", values: "state", popId: "state" } as const),
    ...({ enable: "state", remark: "label" } as const),
  },
  // What a flow's packets say of its protocol is asked by no device.
  "saasGroup.dpi": "inspection",
  "saasGroup.ip": {
    ...({ name: "label", groupid: "controller", values: "state", popId: "state" } as const),
    ...({ enable: "state", remark: "label" } as const),
  },
  "saasGroup.app": {
    ...({ name: "label", groupid: "controller", values: "state", popId: "state" } as const),
    ...({ enable: "state", remark: "label" } as const),
  },
  xwanSpeed: {
    ...({ name: "label", type: "label", groupid: "controller", enable: "state" } as const),
    remark: "label",
  },
  xwanSpeedDefine: { speedId: "state", kind: "state", value: "state", remark: "label" },
  // Groups of a template or node that have their name and no entries take their members.
  ipgroup: {
    name: "policy.routerIpgroup",
    groupid: "controller",
    members: "policy.routerIpgroup",
    share: "policy.routerIpgroup",
    remark: "label",
  },
  urlgroup: {
    name: "policy.routerUrlgroup",
    groupid: "controller",
    members: "policy.routerUrlgroup",
    remark: "label",
  },
  xaclrules: {
    ...({ nCpeID: "state", nEnable: "state", nSection: "state", sort: "state" } as const),
    ...({ name: "label", action: "state", protocol: "state", remark: "label" } as const),
    ...({ srcIp: "state", dstIp: "state", srcPort: "state", dstPort: "state" } as const),
  },
  blacklist: {
    ...({ groupid: "controller", type: "state", value: "state", cpeIds: "state" } as const),
    ...({ enable: "state", remark: "label" } as const),
  },
} as const satisfies { readonly [Name in keyof Known]: Effect | FieldsOf<Known[Name]> };

/** Effect of every item of a CPE's configuration. */
const ofCpeConfig = {
  ...({ nDynamicdhcp: "lan.dhcp", nXACLEnabled: "state" } as const),
  // Tunnels are always encrypted: the controller refuses any other value.
  nDataEncrypt: "controller",
  ...({ nWanWebAlloc: "wan.web", nHidden: "wifi", nHidden5G: "wifi", szCrontab: "state" } as const),
  ...({ byteLog: "log.bytes", auditLog: "log.flows", isCloudManage: "controller" } as const),
  ...({ bandwidth: "shaping", mtu: "state", xMode: "state" } as const),
  ...({ ssid: "wifi", ssid5G: "wifi", nodeLifetime: "kept" } as const),
} as const satisfies Readonly<Record<CpeItem, Effect>>;

/** What calls of their own save of a CPE: its hot standby, its closed user groups, its carrier. */
const ofCpeCalls = {
  ...({ hotStandbyGroup: "standby", hotStandbyRole: "standby" } as const),
  hotStandbyPriority: "standby",
  ...({ cugEnable: "cug", cugBandwidth: "cug", isPush: "ctg" } as const),
} as const satisfies Readonly<
  Record<keyof StandbyDraft | "cugEnable" | "cugBandwidth" | "isPush", Effect>
>;

/** Fields of policy objects that wait although the others act. */
const ofPolicyFields = {
  "routerInterface.vlan": "vlan",
  "routerInterfaceline.vlan": "vlan",
  "routerInterfaceline.pppoeUser": "pppoe.client",
  "routerInterfaceline.pppoePassword": "pppoe.client",
  "routerInterfaceline.lineQuality": "path.lines",
  // A resolver cannot redirect: the rule denies.
  "routerUrlrule.redirectUrl": "inspection",
  "routerInterfaceline.hotStandbyGroup": "standby",
  "routerInterfaceline.hotStandbyPriority": "standby",
} as const satisfies Readonly<Record<`${PolicyFamilyName}.${string}`, Capability>>;

/** Values of a field that wait although the others act. */
const ofValues = {
  "blacklist.type.domain": "dns.entries",
  "blacklist.type.url": "filter.names",
  "xwanSpeedDefine.kind.dpi": "inspection",
  [`routerInterfaceline.accessType.${accessType.pppoe}`]: "pppoe.client",
} as const satisfies Readonly<Record<string, Capability>>;

/** Subject -> its effect, a whole resource under its name and a field as `resource.field`. */
const effects: ReadonlyMap<string, string> = new Map([
  ...Object.entries(ofResources).flatMap(([name, effect]): [string, string][] =>
    typeof effect === "string"
      ? [[name, effect]]
      : Object.entries(effect).map(([field, one]) => [`${name}.${field}`, one]),
  ),
  ...Object.entries(ofCpeConfig).map(([item, one]): [string, string] => [`cpeConfig.${item}`, one]),
  ...Object.entries(ofCpeCalls).map(([field, one]): [string, string] => [`cpe.${field}`, one]),
  ...Object.entries(ofPolicyFields),
  ...Object.entries(ofValues),
  ...policyFamilies.map(({ name }): [string, string] => [
    name,
    policyAction(name).by === "fill" ? "state" : policyCapability(name),
  ]),
]);

/** Every subject with its effect, for the page of all fields (docs/fields.md). */
export const allEffects: Iterable<readonly [subject: string, effect: string]> = effects;

const actsNow: ReadonlySet<string> = new Set(["state", "controller", "label"]);

/**
 * Effect of a subject as `acts` names it; null: it has none of its own.
 * @param subject a field counts as the whole resource where all its fields act alike
 */
export const effectOf = (subject: string): string | null => effects.get(subject) ?? null;

/**
 * True when it is carried out.
 * @param subject a resource's name, `resource.field`, `resource.field.value`, `cpeConfig.item`, or
 *   the name of a family of policy objects (of a template or, with `.manage`, of a node)
 * @param capabilities that the device in question reported; without them: any device
 */
export const acts = (
  subject: string,
  capabilities: readonly { readonly name: string; readonly can: boolean }[] = [],
): boolean => {
  const effect = effects.get(subject.replace(/\.manage$/, ""));
  return (
    effect === undefined ||
    actsNow.has(effect) ||
    capabilities.some(({ name, can }) => can && name === effect)
  );
};
