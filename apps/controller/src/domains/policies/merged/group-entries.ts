/** What belongs to a group, or to another object that has parts. Pure. */
import type { PolicyFamilyName } from "@weft/contract/domains/policies/policy-families.ts";
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
