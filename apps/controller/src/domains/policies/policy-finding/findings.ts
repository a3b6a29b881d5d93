/** Which policy objects of a node do not act as they were asked for, and why. Pure. */

import { stateLimits } from "@weft/contract/device/v1/limits.ts";
import { policyAction } from "@weft/contract/domains/policies/policy-actions.ts";
import { policyFamilies, policyFamily } from "@weft/contract/domains/policies/policy-families.ts";
import type { PolicyFindingLevel } from "@weft/contract/domains/policies/policy-finding.ts";
import { acts } from "@weft/contract/effects.ts";
import type { MergedPolicy, PolicyObject } from "#domains/policies/merged/public.ts";
import { portMappingVerdicts } from "./port-mappings.ts";
import { cannot, type PolicyGround, type Verdict } from "./verdict.ts";

export interface PolicyFinding extends Verdict {
  readonly family: string;
  readonly level: PolicyFindingLevel;
  readonly objectId: number;
  /** What people call the object. */
  readonly name: string;
  /** It was meant to keep something out: where it cannot, that is an alarm. */
  readonly denies: boolean;
}

/** Family of groups -> the family of their entries. */
const entriesOf: ReadonlyMap<string, { readonly family: string; readonly field: string }> = new Map(
  policyFamilies.flatMap(({ name, spec: { merge, references } }) => {
    const parent = merge.by === "parent" ? references?.[merge.field] : undefined;
    if (merge.by !== "parent" || parent === undefined) return [];
    const isGroup = "members" in policyFamily(parent).spec.facts.shape;
    return isGroup ? [[parent, { family: name, field: merge.field }] as const] : [];
  }),
);

/** How many entries a group has; null: it is no group. */
function sizeOf(merged: MergedPolicy, group: PolicyObject): number | null {
  const entries = entriesOf.get(group.family);
  if (!entries) return null;
  const all = merged.objects.get(entries.family) ?? [];
  return all.filter(
    ({ level, values }) => level === group.level && values[entries.field] === group.id,
  ).length;
}

/** What is set of a part that devices have anyway: no edge carries that out yet. */
function ofPart({ family, values }: PolicyObject): Verdict | null {
  const { merge } = policyFamily(family).spec;
  const isSet = merge.by === "key" && merge.isUnset?.(values) === false;
  return policyAction(family).by === "part" && isSet ? cannot("notCarriedOut") : null;
}

/** Objects beyond what a device takes. */
const beyond = (merged: MergedPolicy, object: PolicyObject): Verdict | null => {
  const action = policyAction(object.family);
  if (action.by !== "section" || action.max === null) return null;
  const max = stateLimits[action.max];
  const place = merged.objects.get(object.family)?.indexOf(object) ?? 0;
  return place < max ? null : cannot("tooMany", { most: String(max) });
};

/** What keeps an object from acting because of what it names; null: nothing. */
function ofReferences(merged: MergedPolicy, object: PolicyObject, { slots }: PolicyGround) {
  const { references = {} } = policyFamily(object.family).spec;
  for (const field of Object.keys(references)) {
    if (object.values[field] == null) continue;
    const named = merged.named(object, field);
    if (!named) return cannot("offReference", { field });
    const size = sizeOf(merged, named);
    if (size === 0) return cannot("emptyGroup", { field });
    const { setMembers } = stateLimits;
    if (size !== null && size > setMembers) return cannot("tooMany", { most: String(setMembers) });
    const { kind, accessposition: slot } = named.values;
    if (kind === "wan" && !slots.has(Number(slot))) return cannot("noLine", { slot: String(slot) });
  }
  return null;
}

function ofHosts({ family, values }: PolicyObject, { lans }: PolicyGround): Verdict | null {
  const action = policyAction(family);
  const field = action.by === "section" ? action.hostsWithout : null;
  return field !== null && values[field] == null && lans.length === 0 ? cannot("noLan") : null;
}

/** A rule over several lines goes on over those that there are. */
function ofLineGroup({ values: { lineGroup } }: PolicyObject, { slots }: PolicyGround) {
  if (typeof lineGroup !== "number" || lineGroup === 0) return null;
  const wanted = [1, 2, 3, 4].filter((slot) => (lineGroup & (1 << (slot - 1))) !== 0);
  const missing = wanted.filter((slot) => !slots.has(slot));
  if (missing.length === 0) return null;
  const verdict = cannot("noLine", { slot: missing.join(", ") });
  return missing.length === wanted.length ? verdict : { ...verdict, effect: "fallback" as const };
}

function verdictOf(
  merged: MergedPolicy,
  object: PolicyObject,
  ground: PolicyGround,
  ofMappings: ReadonlyMap<PolicyObject, Verdict>,
) {
  const { capabilities, heldAt } = ground;
  const isCarriedOut = capabilities !== null && acts(object.family, capabilities);
  // What a rollback brings back leaves policies as they are today (delivery/history/sections.ts).
  if (heldAt !== null && !isCarriedOut) return cannot("held", { serial: String(heldAt) });
  if (capabilities && !isCarriedOut) return cannot("notCarriedOut");
  return (
    ofPart(object) ??
    beyond(merged, object) ??
    ofHosts(object, ground) ??
    ofReferences(merged, object, ground) ??
    ofMappings.get(object) ??
    ofLineGroup(object, ground)
  );
}

/** Every object that does not act as asked for; those that do have no entry. */
export function policyFindings(merged: MergedPolicy, ground: PolicyGround): PolicyFinding[] {
  const about = ({ family, level, id, values }: PolicyObject, verdict: Verdict): PolicyFinding => {
    const { label, denies } = policyFamily(family).spec;
    return {
      ...{ family, level, objectId: id, ...verdict },
      name: String(values[label] ?? id),
      denies: denies?.(values) ?? false,
    };
  };
  const ofMappings = portMappingVerdicts(merged, ground);
  const asked = [...merged.objects.values()].flat().flatMap((object) => {
    const verdict = verdictOf(merged, object, ground, ofMappings);
    return verdict ? [about(object, verdict)] : [];
  });
  const replaced = merged.replaced.map((object) =>
    about(object, { effect: "replaced", reason: "replaced", params: {} }),
  );
  return [...asked, ...replaced];
}
