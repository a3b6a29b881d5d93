/** IP groups of a node that its device has no room for beside the others. Pure. */
import { stateLimits } from "@weft/contract/device/v1/limits.ts";
import { policyFamily } from "@weft/contract/domains/policies/policy-families.ts";
import {
  groupSize,
  type MergedPolicy,
  type PolicyObject,
} from "#domains/policies/merged/public.ts";
import { cannot, type Verdict } from "./verdict.ts";

const family = "routerIpgroup";

/** Groups that objects name: others are not sent. */
const inUse = (merged: MergedPolicy): ReadonlySet<PolicyObject> =>
  new Set(
    [...merged.objects.values()].flat().flatMap((object) =>
      Object.entries(policyFamily(object.family).spec.references ?? {}).flatMap(
        ([field, target]) =>
          // An entry names its group; a rule is what uses it.
          target === family &&
          object.family !== "routerIpgroupdefine" &&
          object.values[field] != null
            ? (merged.named(object, field) ?? [])
            : [],
      ),
    ),
  );

/** Those with which all entries together are more than one section of a state carries; earlier ones have room first. */
export function groupVerdicts(merged: MergedPolicy): ReadonlyMap<PolicyObject, Verdict> {
  const used = inUse(merged);
  const allMembers = stateLimits.allMembers;
  const verdicts = new Map<PolicyObject, Verdict>();
  let sum = 0;
  for (const group of merged.objects.get(family) ?? []) {
    if (!used.has(group)) continue;
    const size = groupSize(merged, group) ?? 0;
    if (sum + size > allMembers)
      verdicts.set(group, cannot("tooMany", { most: String(allMembers) }));
    else sum += size;
  }
  return verdicts;
}
