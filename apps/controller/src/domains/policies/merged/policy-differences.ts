/** What lies between two contents of one template, object by object. Pure. */
import { canonicalJson } from "@weft/contract/device/v1/canonical.ts";
import type { ObjectDifference } from "@weft/contract/domains/delivery/history.ts";
import { policyFamilies, policyFamily } from "@weft/contract/domains/policies/policy-families.ts";
import type { AnyPolicyFamilySpec, PolicyFamily } from "@weft/contract/kernel/policy-family.ts";
import type { PolicyRows, PolicyValues } from "./merged-policy.ts";

/** Where differences of policy objects are listed, beside the sections of a device's state. */
const policySection = "policy";

const isEmpty = (value: unknown): boolean =>
  value === null || value === undefined || value === "" || (Array.isArray(value) && !value.length);

/** Rows that every template has from the start count once they are set. */
const isSet = ({ merge }: AnyPolicyFamilySpec, row: PolicyValues): boolean =>
  merge.by !== "key" || !merge.isUnset?.(row);

/** Field -> value as people read it: of a row that it names, the name. Secrets are left out. */
function shown({ spec }: PolicyFamily, row: PolicyValues, all: PolicyRows) {
  const { fields, secret = [], references = {} } = spec;
  const names = Object.keys(fields.shape).filter((field) => !secret.includes(field));
  const textOf = (field: string): unknown => {
    const target = references[field];
    const value = row[field];
    if (target === undefined || isEmpty(value)) return isEmpty(value) ? null : value;
    const named = all[target]?.find(({ id }) => id === value);
    return named?.[policyFamily(target).spec.label] ?? value;
  };
  return new Map(names.map((field) => [field, textOf(field)]));
}

/** What has to be added, removed and changed to come from one to the other, in the order of families. */
export function policyDifferences(from: PolicyRows, to: PolicyRows): ObjectDifference[] {
  return policyFamilies.flatMap((family) => {
    const { name, spec } = family;
    const rowsOf = (rows: PolicyRows) =>
      new Map((rows[name] ?? []).filter((row) => isSet(spec, row)).map((row) => [row.id, row]));
    const [old, now] = [rowsOf(from), rowsOf(to)];
    return [...new Set([...old.keys(), ...now.keys()])].flatMap((id): ObjectDifference[] => {
      const [before, after] = [old.get(id), now.get(id)];
      const values = before ? shown(family, before, from) : new Map<string, unknown>();
      const others = after ? shown(family, after, to) : new Map<string, unknown>();
      const fields = [...new Set([...values.keys(), ...others.keys()])]
        .map((field) => ({
          field,
          old: values.get(field) ?? null,
          new: others.get(field) ?? null,
        }))
        .filter((difference) => canonicalJson(difference.old) !== canonicalJson(difference.new));
      const place = { section: policySection, spaceId: null, spaceName: "", kind: name };
      const key = String((after ?? before)?.[spec.label] ?? id);
      if (before && after) {
        return fields.length === 0 ? [] : [{ ...place, key, change: "changed", fields }];
      }
      return [{ ...place, key, change: after ? "added" : "removed", fields }];
    });
  });
}
