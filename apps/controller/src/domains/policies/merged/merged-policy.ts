/**
 * What the policy objects of a template's version and of a node itself are together on that node. Pure.
 * Each family says how its rows meet (`merge` in the contract).
 */
import {
  type PolicyFamilyName,
  policyFamilies,
  policyFamily,
} from "@weft/contract/domains/policies/policy-families.ts";
import type { AnyPolicyFamilySpec, PolicyFamily } from "@weft/contract/kernel/policy-family.ts";

/** Whose rows they are, the most specific first. */
export const policyLevels = ["node", "template"] as const;
export type PolicyLevel = (typeof policyLevels)[number];

/** Values of fields and facts by their names, as they are stored. */
export type PolicyValues = Readonly<Record<string, unknown>> & { readonly id: number };
/** Family -> its rows; a family without rows may be absent. */
export type PolicyRows = Readonly<Record<string, readonly PolicyValues[]>>;

export interface PolicyObject {
  readonly family: PolicyFamilyName;
  readonly level: PolicyLevel;
  readonly id: number;
  readonly values: PolicyValues;
}

/**
 * Groups that an enterprise keeps for all its nodes: family of the groups of nodes and templates -> name -> members, as
 * entries of such a group say them.
 */
export type EnterpriseGroups = Readonly<Record<string, ReadonlyMap<string, readonly string[]>>>;

export interface MergedPolicy {
  /** Family -> what is asked of the node; rules in the order in which they are tried. */
  readonly objects: ReadonlyMap<string, readonly PolicyObject[]>;
  /** Objects of the template that give way to the node's own. */
  readonly replaced: readonly PolicyObject[];
  /**
   * The object that a field of another names, as it is on the node; null: the field is empty, or what
   * it names is off.
   */
  named(object: PolicyObject, field: string): PolicyObject | null;
  /** Members that the node's enterprise has for a group of that name; empty: it has none. */
  ofEnterprise(group: PolicyObject): readonly string[];
}

/** Rules without a place come last; those of one place in the order in which they were made. */
const byPlace = (policyObject: PolicyObject, other: PolicyObject): number => {
  const placeOf = ({ values: { sort } }: PolicyObject): number =>
    typeof sort === "number" && sort > 0 ? sort : Number.MAX_SAFE_INTEGER;
  return placeOf(policyObject) - placeOf(other) || policyObject.id - other.id;
};

const isOn = ({ canBeOff = false }: AnyPolicyFamilySpec, { values }: PolicyObject): boolean =>
  !canBeOff || values.enable !== false;

const handleOf = (family: string, level: PolicyLevel, id: unknown): string =>
  `${family} ${level} ${id}`;
const handle = ({ family, level, id }: PolicyObject): string => handleOf(family, level, id);

/** Handle of an object that gives way -> the one that it gives way to; null: it went with its parent. */
type Replacements = Map<string, PolicyObject | null>;

/**
 * Rows of one family, all levels, that stay; fills in what is replaced. A row of the node that is off
 * and has the key of one of the template replaces it all the same: that is how a node goes without it.
 */
function keptOf(
  { name: family, spec }: PolicyFamily,
  rows: readonly PolicyObject[],
  present: ReadonlyMap<string, PolicyObject>,
  replacements: Replacements,
): PolicyObject[] {
  const { merge } = spec;
  if (merge.by === "order") return [...rows];
  if (merge.by === "parent") {
    // Families that others refer to come first: what became of the parents is known.
    const parentOf = ({ level, values }: PolicyObject): string =>
      handleOf(spec.references?.[merge.field] ?? family, level, values[merge.field]);
    for (const row of rows)
      if (replacements.has(parentOf(row))) replacements.set(handle(row), null);
    return rows.filter((row) => present.has(parentOf(row)));
  }
  const { key, isUnset = () => false } = merge;
  const givesWay = ({ level, values }: PolicyObject): boolean =>
    level === "node" && isUnset(values);
  const byKey = new Map<string, PolicyObject>();
  for (const row of [
    ...rows.filter((policyObject) => !givesWay(policyObject)),
    ...rows.filter(givesWay),
  ]) {
    const text = String(key(row.values));
    const first = byKey.get(text) ?? row;
    byKey.set(text, first);
    if (first.level !== row.level) replacements.set(handle(row), first);
  }
  return rows.filter((row) => !replacements.has(handle(row)));
}

/** Merges the rows of both levels. @param enterpriseGroups groups of the node's enterprise, below both */
export function mergePolicy(
  levels: Readonly<Record<PolicyLevel, PolicyRows>>,
  enterpriseGroups: EnterpriseGroups = {},
): MergedPolicy {
  const objects = new Map<string, readonly PolicyObject[]>();
  const replaced: PolicyObject[] = [];
  const replacements: Replacements = new Map();
  const present = new Map<string, PolicyObject>();
  for (const family of policyFamilies) {
    const rows = policyLevels.flatMap((level) =>
      (levels[level][family.name] ?? [])
        .map((values): PolicyObject => ({ family: family.name, level, id: values.id, values }))
        .sort(byPlace),
    );
    const on = keptOf(family, rows, present, replacements).filter((row) => isOn(family.spec, row));
    const gone = rows.filter((row) => replacements.has(handle(row)));
    replaced.push(...gone.filter(({ level }) => level === "template"));
    for (const row of on) present.set(handle(row), row);
    if (on.length > 0) objects.set(family.name, on);
  }
  const named: MergedPolicy["named"] = ({ family, level, values }, field) => {
    const target = policyFamily(family).spec.references?.[field];
    if (target === undefined) throw new Error(`${family}.${field} names no row`);
    const at = handleOf(target, level, values[field]);
    const better = replacements.get(at);
    return present.get(better ? handle(better) : at) ?? null;
  };
  const ofEnterprise: MergedPolicy["ofEnterprise"] = ({ family, values: { name } }) =>
    enterpriseGroups[family]?.get(String(name)) ?? [];
  return { objects, replaced, named, ofEnterprise };
}
