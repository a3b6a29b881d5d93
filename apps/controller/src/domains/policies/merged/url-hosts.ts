/** Hosts that a URL rule is about. Pure. */
import { urlNames } from "@weft/contract/rules/url-host.ts";
import { entriesIn } from "./group-entries.ts";
import type { MergedPolicy, PolicyObject } from "./merged-policy.ts";

/** By the group as it was merged: hundreds of rules may name one with thousands of entries. */
const known = new WeakMap<PolicyObject, readonly string[]>();

function hostsIn(merged: MergedPolicy, group: PolicyObject): readonly string[] {
  const entries = entriesIn(merged, group, { family: "routerUrl", field: "urlgroupId" });
  return urlNames(
    entries.map(({ values }) => ({
      url: String(values.url),
      isHostOnly: values.allowOnlyHost === true,
    })),
  );
}

/** Names of the hosts of its group that a device can deny as a whole, each once. */
export function deniableHosts(merged: MergedPolicy, rule: PolicyObject): readonly string[] {
  const group = merged.named(rule, "urlgroupId");
  if (!group) return [];
  const hosts = known.get(group) ?? hostsIn(merged, group);
  known.set(group, hosts);
  return hosts;
}
