/**
 * What devices carry out today, and what is saved only. Every subject below waits for a capability of
 * the edge: forms and lists say so, and a published template names its objects among them. When edges
 * learn a capability, its entry goes away here; nothing else has to change.
 */
import type { CpeItem } from "#domains/devices/cpe-config.ts";
import type { resources as devices } from "#domains/devices/domain.ts";
import type { resources as overlay } from "#domains/overlay/domain.ts";
import type { resources as policies } from "#domains/policies/domain.ts";
import { policyFamilies } from "#domains/policies/policy-families.ts";
import type { AnyResource, DraftOf } from "#kernel/resource.ts";

type Known = typeof devices & typeof overlay & typeof policies;
type FieldOf<Of extends AnyResource> = keyof DraftOf<Of> & string;

/** A resource, a field of one, or a value of a field; an item of a CPE's configuration. */
type Subject =
  | (keyof Known & string)
  | { [Name in keyof Known & string]: `${Name}.${FieldOf<Known[Name]>}` }[keyof Known & string]
  | `blacklist.type.${"domain" | "url"}`
  | `cpeConfig.${CpeItem}`;

/** Capability that edges are to report -> what will act with it. */
const awaited = {
  "lan.dhcp": ["cpeConfig.nDynamicdhcp"],
  shaping: ["cpeConfig.bandwidth", "line.upBandwidth", "line.downBandwidth"],
  "path.quality": ["line.lineQuality"],
  "mode.bypass": ["cpe.xMode", "cpeConfig.xMode"],
  wifi: ["cpeConfig.ssid", "cpeConfig.ssid5G", "cpeConfig.nHidden", "cpeConfig.nHidden5G"],
  "dns.entries": ["dnsmasq"],
  "filter.names": ["blacklist.type.domain", "blacklist.type.url"],
  "log.flows": ["cpeConfig.byteLog", "cpeConfig.auditLog"],
  "wan.web": ["cpeConfig.nWanWebAlloc"],
  lifetime: ["cpeConfig.nodeLifetime"],
  circuits: ["xwanCircuit"],
  cug: ["cug"],
  segments: ["segmentRoute"],
  cloud: ["vbrNode", "vbrTable"],
  acceleration: [
    ...(["xwanSpeed", "xwanSpeedDefine"] as const),
    ...(["saasGroup.domain", "saasGroup.dpi", "saasGroup.ip", "saasGroup.app"] as const),
  ],
} as const satisfies Readonly<Record<string, readonly Subject[]>>;

/** Families of policy objects that need nothing new: the ports that every template has from the start. */
const actingFamilies: readonly string[] = ["routerInterface"];

const capabilityOf: ReadonlyMap<string, string> = new Map([
  ...Object.entries(awaited).flatMap(([capability, subjects]) =>
    subjects.map((subject): [string, string] => [subject, capability]),
  ),
  ...policyFamilies.flatMap(({ name }): [string, string][] =>
    actingFamilies.includes(name) ? [] : [[name, `policy.${name}`]],
  ),
]);

/**
 * True when devices carry it out.
 * @param subject a resource's name, `resource.field`, `resource.field.value`, `cpeConfig.item`, or
 *   the name of a family of policy objects (of a template or, with `.manage`, of a node)
 * @param capabilities that the device in question reported; without them: any device
 */
export const acts = (
  subject: string,
  capabilities: readonly { readonly name: string; readonly can: boolean }[] = [],
): boolean => {
  const awaits = capabilityOf.get(subject.replace(/\.manage$/, ""));
  return awaits === undefined || capabilities.some(({ name, can }) => can && name === awaits);
};
