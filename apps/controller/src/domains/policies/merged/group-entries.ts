/** What belongs to a group, or to another object that has parts, and the names that rules take from groups. Pure. */
import {
  type PolicyFamilyName,
  policyFamilies,
  policyFamily,
} from "@weft/contract/domains/policies/policy-families.ts";
import { urlNames } from "@weft/contract/rules/url-host.ts";
import type { MergedPolicy, PolicyObject } from "./merged-policy.ts";

type Entries = ReadonlyMap<string, readonly PolicyObject[]>;

/** Entries by what they belong to: each of thousands of entries is asked about those of its group. */
const indexes = new WeakMap<MergedPolicy, Map<string, Entries>>();

const keyOf = (level: PolicyObject["level"], id: unknown): string => `${level} ${id}`;

function indexOf(merged: MergedPolicy, family: PolicyFamilyName, field: string): Entries {
  const known = indexes.get(merged) ?? new Map<string, Entries>();
  indexes.set(merged, known);
  const name = `${family} ${field}`;
  const index =
    known.get(name) ??
    Map.groupBy(merged.objects.get(family) ?? [], ({ level, values }) =>
      keyOf(level, values[field]),
    );
  known.set(name, index);
  return index;
}

/**
 * Objects of a family that belong to another object: of its level, because ids of two levels may be equal.
 * @param field of the family, with the id of the other object
 */
export const entriesIn = (
  merged: MergedPolicy,
  { level, id }: PolicyObject,
  { family, field }: { readonly family: PolicyFamilyName; readonly field: string },
): readonly PolicyObject[] => indexOf(merged, family, field).get(keyOf(level, id)) ?? [];

/** Family of groups -> the family of their entries. */
const entryFamilies: ReadonlyMap<
  string,
  { readonly family: PolicyFamilyName; readonly field: string }
> = new Map(
  policyFamilies.flatMap(({ name, spec: { merge, references } }) => {
    const parent = merge.by === "parent" ? references?.[merge.field] : undefined;
    if (merge.by !== "parent" || parent === undefined) return [];
    const isGroup = "members" in policyFamily(parent).spec.facts.shape;
    return isGroup ? [[parent, { family: name, field: merge.field }] as const] : [];
  }),
);

/** Entries of a group; null: it is no group. */
const entriesOf = (merged: MergedPolicy, group: PolicyObject): readonly PolicyObject[] | null => {
  const entries = entryFamilies.get(group.family);
  return entries ? entriesIn(merged, group, entries) : null;
};

/**
 * Members of an IP or URL group that has no entries of its own: those of the enterprise's group of its name. Empty: it
 * has entries, or the enterprise has no such group.
 */
export function membersOfEnterprise(merged: MergedPolicy, group: PolicyObject): readonly string[] {
  return entriesOf(merged, group)?.length === 0 ? merged.ofEnterprise(group) : [];
}

/** How many members a group has; null: it is no group. */
export function groupSize(merged: MergedPolicy, group: PolicyObject): number | null {
  const entries = entriesOf(merged, group);
  return entries && (entries.length || membersOfEnterprise(merged, group).length);
}

/** Addresses, prefixes and ranges of an IP group, each once and sorted. */
export function addressesOf(merged: MergedPolicy, group: PolicyObject): string[] {
  const entries = (entriesOf(merged, group) ?? []).map(({ values }) => String(values.ip));
  return [...new Set([...entries, ...membersOfEnterprise(merged, group)])].sort();
}

/** Names that a DNS control is about, of its group and of its entry, each once; null: it names neither and is about all names. */
export function controlledNames(merged: MergedPolicy, object: PolicyObject): string[] | null {
  const { dnsgroup, domainid } = object.values;
  if (dnsgroup == null && domainid == null) return null;
  const group = dnsgroup == null ? null : merged.named(object, "dnsgroup");
  const entry = domainid == null ? null : merged.named(object, "domainid");
  const ofGroup = { family: "routerDomains", field: "dnsgroupId" } as const;
  const entries = group ? entriesIn(merged, group, ofGroup) : [];
  const all = [...entries, ...(entry ? [entry] : [])];
  return [...new Set(all.map(({ values }) => String(values.domain).toLowerCase()))].sort();
}

/** By the group as it was merged: hundreds of rules may name one with thousands of entries. */
const hostsByGroup = new WeakMap<PolicyObject, readonly string[]>();

function hostsIn(merged: MergedPolicy, group: PolicyObject): readonly string[] {
  const entries = (entriesOf(merged, group) ?? []).map(({ values }) => ({
    url: String(values.url),
    isHostOnly: values.allowOnlyHost === true,
  }));
  const hosts = membersOfEnterprise(merged, group).map((url) => ({ url, isHostOnly: true }));
  return urlNames([...entries, ...hosts]);
}

/** Names of the hosts of its group that a device can deny as a whole, each once. */
export function deniableHosts(merged: MergedPolicy, rule: PolicyObject): readonly string[] {
  const group = merged.named(rule, "urlgroupId");
  if (!group) return [];
  const hosts = hostsByGroup.get(group) ?? hostsIn(merged, group);
  hostsByGroup.set(group, hosts);
  return hosts;
}
