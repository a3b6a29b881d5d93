/** The kinds of sections that a desired state is divided into; comparisons list them in this order. */
import type { z } from "zod";
import { accelerationDeclaration } from "#contract/device/v1/acceleration.ts";
import { clientDeclaration } from "#contract/device/v1/client.ts";
import { dnsDeclaration } from "#contract/device/v1/dns.ts";
import { firewallDeclaration } from "#contract/device/v1/firewall.ts";
import { groupsDeclaration } from "#contract/device/v1/groups.ts";
import { nodeDeclaration, systemDeclaration } from "#contract/device/v1/node.ts";
import { pathsDeclaration } from "#contract/device/v1/paths.ts";
import { policyDeclaration } from "#contract/device/v1/policy.ts";
import { routingDeclaration } from "#contract/device/v1/routing.ts";
import type { AnySection, ListDecision } from "#contract/device/v1/section.ts";
import { segmentDeclaration } from "#contract/device/v1/segments.ts";
import { shapingDeclaration } from "#contract/device/v1/shaping.ts";
import { siteDeclaration } from "#contract/device/v1/site.ts";
import { spaceDeclaration } from "#contract/device/v1/space.ts";
import { standbyDeclaration } from "#contract/device/v1/standby.ts";
import { tunnelDeclaration } from "#contract/device/v1/tunnel.ts";
import { staticDeclaration, underlayDeclaration } from "#contract/device/v1/underlay.ts";

export const sections = {
  node: nodeDeclaration,
  system: systemDeclaration,
  underlay: underlayDeclaration,
  static: staticDeclaration,
  firewall: firewallDeclaration,
  tunnel: tunnelDeclaration,
  routing: routingDeclaration,
  client: clientDeclaration,
  space: spaceDeclaration,
  policy: policyDeclaration,
  dns: dnsDeclaration,
  shaping: shapingDeclaration,
  site: siteDeclaration,
  groups: groupsDeclaration,
  paths: pathsDeclaration,
  segment: segmentDeclaration,
  standby: standbyDeclaration,
  acceleration: accelerationDeclaration,
} as const;
export type Sections = typeof sections;
export type SectionKind = keyof Sections;
export type ContentOf<Kind extends SectionKind> = z.output<Sections[Kind]["schema"]>;

export const sectionKinds = Object.keys(sections) as SectionKind[];

export const declarationOf = (kind: SectionKind): AnySection =>
  sections[kind] as unknown as AnySection;

const isKind = (name: string): name is SectionKind => Object.hasOwn(sections, name);

/** What follows the kind in the name of a section: the space, where it is of one, and the number of a part. */
const suffixOf = ({ occurs, parts }: AnySection): RegExp => {
  const space = occurs === "perSpace" ? String.raw`\.\d+` : "";
  const part =
    parts === undefined ? "" : parts === "always" ? String.raw`\.\d+` : String.raw`(\.\d+)?`;
  return new RegExp(`^${space}${part}$`);
};
const suffixes = new Map(sectionKinds.map((kind) => [kind, suffixOf(declarationOf(kind))]));

/** The kind of a section; null for a name this version does not know. */
export const sectionKind = (name: string): SectionKind | null => {
  const [kind = ""] = name.split(".", 1);
  if (!isKind(kind)) return null;
  return suffixes.get(kind)?.test(name.slice(kind.length)) ? kind : null;
};

/** The declaration of a section by the first part of its name; undefined: this version does not know it. */
export const findDeclaration = (kind: string): AnySection | undefined =>
  isKind(kind) ? declarationOf(kind) : undefined;

/** What keeps each list of a state within its schema, for example `underlay.lans[].addresses`. */
export const sectionLimits: Readonly<Record<string, ListDecision>> = Object.fromEntries(
  sectionKinds.flatMap((kind) =>
    Object.entries(declarationOf(kind).limits).map(([list, limit]) => [`${kind}.${list}`, limit]),
  ),
);

interface Capability {
  readonly name: string;
  readonly can: boolean;
}

/** Whether a device is sent a section. @param reported null or absent: it has not reported yet */
export const takesSection = (
  kind: SectionKind,
  reported: readonly Capability[] | null | undefined,
): boolean => {
  const { needs } = declarationOf(kind);
  if (!needs) return true;
  if (!reported) return needs.isSentUnreported ?? false;
  return reported.some(({ name, can }) => can && name === needs.capability);
};

/** Kinds of sections that are sent in parts or in their present form; the content of the state is the same. */
export type SectionFormat = ReadonlySet<SectionKind>;

const formatCapabilityOf = (kind: SectionKind): string | undefined => {
  const { dividedFor, presentFor } = declarationOf(kind);
  return dividedFor ?? presentFor;
};

/** The present form of every section, none in parts. */
export const wholeFormat: SectionFormat = new Set(
  sectionKinds.filter((kind) => declarationOf(kind).presentFor !== undefined),
);

/** How a state is written for an edge. @param reported null: it has not reported yet */
export const sectionFormatFor = (reported: readonly Capability[] | null): SectionFormat => {
  const able = new Set((reported ?? []).flatMap(({ name, can }) => (can ? [name] : [])));
  return new Set(sectionKinds.filter((kind) => able.has(formatCapabilityOf(kind) ?? "")));
};

/** Capabilities of an edge that reads all sections as this version writes them. */
export const formatCapabilities: readonly string[] = sectionKinds.flatMap(
  (kind) => formatCapabilityOf(kind) ?? [],
);
