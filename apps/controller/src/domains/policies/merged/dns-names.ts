/** Names that a DNS control is about. Pure. */
import { entriesIn } from "./group-entries.ts";
import type { MergedPolicy, PolicyObject } from "./merged-policy.ts";

/** Of its group and of its entry, each once; null: it names neither and is about all names. */
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
