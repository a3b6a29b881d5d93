/** What belongs to a group, or to another object that has parts. Pure. */
import type { PolicyFamilyName } from "@weft/contract/domains/policies/policy-families.ts";
import type { MergedPolicy, PolicyObject } from "./merged-policy.ts";

/**
 * Objects of a family that belong to another object: of its level, because ids of two levels may be equal.
 * @param field of the family, with the id of the other object
 */
export const entriesIn = (
  merged: MergedPolicy,
  { level, id }: PolicyObject,
  { family, field }: { readonly family: PolicyFamilyName; readonly field: string },
): readonly PolicyObject[] =>
  (merged.objects.get(family) ?? []).filter(
    (policyObject) => policyObject.level === level && policyObject.values[field] === id,
  );
