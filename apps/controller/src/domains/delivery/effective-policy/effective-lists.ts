/** What acts on a node, list by list, out of the view that its configuration is compiled from. Pure. */
import type { AclFamily } from "@weft/contract/device/v1/policy.ts";
import {
  type EffectiveEntry,
  type EffectiveList,
  type EffectiveState,
  effectiveFamilies,
  effectiveRules,
  maxEffective,
  systemDefault,
} from "@weft/contract/domains/delivery/effective-policy.ts";
import { policyFamily } from "@weft/contract/domains/policies/policy-families.ts";
import type { PolicyEffect, PolicyReason } from "@weft/contract/domains/policies/policy-finding.ts";
import { aclOf, mergedPolicyOf, type ReadView } from "#domains/delivery/compile/public.ts";
import {
  type MergedPolicy,
  membersOfEnterprise,
  type PolicyObject,
} from "#domains/policies/merged/public.ts";

type View = Pick<
  ReadView,
  "node" | "links" | "policy" | "enterpriseGroups" | "template" | "site" | "siteObjects"
>;

/** A finding of the last compile about one object of the node. */
export interface KnownFinding {
  readonly effect: PolicyEffect;
  readonly reason: PolicyReason;
  readonly params: Readonly<Record<string, string>>;
}

/** "family level id" -> its finding; an object without one acts as soon as a device confirmed it. */
export interface Known {
  readonly isConfirmed: boolean;
  readonly findings: ReadonlyMap<string, KnownFinding>;
}

type Bare = Omit<EffectiveEntry, "state" | "finding">;

const isRuleList = (family: string): boolean => effectiveRules.includes(family);

const isEmpty = (value: unknown): boolean =>
  value === null || value === undefined || value === "" || (Array.isArray(value) && !value.length);

/** What is set of an object, without its name, its switch and its place, which the list shows by itself. */
function fieldsOf(merged: MergedPolicy, object: PolicyObject): Bare["fields"] {
  const { spec } = policyFamily(object.family);
  const { fields, secret = [], references = {}, label } = spec;
  const left = new Set([label, "enable", "sort", "remark", ...secret]);
  return Object.keys(fields.shape).flatMap((field) => {
    const value = object.values[field];
    if (left.has(field) || isEmpty(value)) return [];
    if (references[field] === undefined) return [{ field, value }];
    const named = merged.named(object, field);
    const name = named?.values[policyFamily(named.family).spec.label];
    return [{ field, value: name ?? value }];
  });
}

const keyOf = (family: string, level: string, id: number): string => `${family} ${level} ${id}`;

/** Objects of templates and nodes, as the merge has them; those that give way come last. */
function ofFamily(merged: MergedPolicy, family: string): Bare[] {
  const entry = (object: PolicyObject, place: number | null): Bare => ({
    key: keyOf(family, object.level, object.id),
    objectId: object.id,
    place,
    name: String(object.values[policyFamily(family).spec.label] ?? object.id),
    origin: membersOfEnterprise(merged, object).length > 0 ? "enterprise" : object.level,
    fields: fieldsOf(merged, object),
  });
  return [
    ...(merged.objects.get(family) ?? []).map((policyObject, at) =>
      entry(policyObject, isRuleList(family) ? at + 1 : null),
    ),
    ...merged.replaced
      .filter((policyObject) => policyObject.family === family)
      .map((policyObject) => entry(policyObject, null)),
  ];
}

const filled = (values: object): Bare["fields"] =>
  Object.entries(values).flatMap(([field, value]) => (isEmpty(value) ? [] : [{ field, value }]));

const levels = { blacklist: "enterprise", xaclrules: "node" } as const;

/** Rules of the site and entries of blacklists in the order in which the device gets them, then those that it does not. */
function ofSite({ site, siteObjects }: View, family: AclFamily): Bare[] {
  if (!site) return [];
  const rules = new Map(site.rules.map((rule) => [rule.id, rule]));
  const blocked = new Map(site.blocked.map((one) => [one.id, one]));
  const sent = aclOf(site, true).flatMap(({ object }) =>
    object?.family === family ? [object.id] : [],
  );
  const level = levels[family];
  const entry = (id: number, place: number | null, name: string, values: object): Bare => ({
    key: keyOf(family, level, id),
    objectId: id,
    place,
    name,
    origin: level,
    fields: filled(values),
  });
  const acting = [...new Set(sent)].map((id, at) => {
    if (family === "blacklist") {
      const one = blocked.get(id);
      return entry(id, at + 1, one?.value ?? "", { type: one?.type });
    }
    const {
      name = "",
      allow,
      protocol,
      source,
      target,
      sourcePort,
      targetPort,
    } = rules.get(id) ?? {};
    const match = { srcIp: source, srcPort: sourcePort, dstIp: target, dstPort: targetPort };
    return entry(id, at + 1, name, { action: Number(allow), protocol, ...match });
  });
  const others = siteObjects
    .filter((siteObject) => siteObject.family === family)
    .map(({ id, name, type }) => entry(id, null, name, { type }));
  const all = [...acting, ...others];
  if (family === "blacklist" || acting.length === 0) return all;
  const last = acting.length + 1;
  return [
    ...all,
    {
      key: systemDefault,
      objectId: 0,
      name: systemDefault,
      place: last,
      origin: "system",
      fields: [],
    },
  ];
}

/** The finding about an entry, or that it acts. */
function withState(entry: Bare, { isConfirmed, findings }: Known): EffectiveEntry {
  const knownFinding = findings.get(entry.key);
  const state: EffectiveState = knownFinding?.effect ?? (isConfirmed ? "acts" : "underway");
  const finding = knownFinding
    ? { reason: knownFinding.reason, params: { ...knownFinding.params } }
    : null;
  return { ...entry, state, finding };
}

/** Every list of a node that holds something. */
export function effectiveLists(view: View, known: Known): EffectiveList[] {
  const merged = mergedPolicyOf(view);
  return effectiveFamilies.flatMap((family) => {
    const all =
      family === "blacklist" || family === "xaclrules"
        ? ofSite(view, family)
        : ofFamily(merged, family);
    if (all.length === 0) return [];
    const entries = all.slice(0, maxEffective).map((one) => withState(one, known));
    return [{ family, isRule: isRuleList(family), count: all.length, entries }];
  });
}
