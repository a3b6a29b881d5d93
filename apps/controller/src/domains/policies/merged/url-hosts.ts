/** Hosts that a URL rule is about. Pure. */
import { urlNames } from "@weft/contract/rules/url-host.ts";
import { entriesIn } from "./group-entries.ts";
import type { MergedPolicy, PolicyObject } from "./merged-policy.ts";

/** Names of the hosts of its group that a device can deny as a whole, each once. */
export function deniableHosts(merged: MergedPolicy, rule: PolicyObject): string[] {
  const group = merged.named(rule, "urlgroupId");
  if (!group) return [];
  const entries = entriesIn(merged, group, { family: "routerUrl", field: "urlgroupId" });
  return urlNames(
    entries.map(({ values }) => ({
      url: String(values.url),
      isHostOnly: values.allowOnlyHost === true,
    })),
  );
}
