/** Which policy objects of a node are not applied as configured, and why. Pure. */

import { stateLimits } from "@weft/contract/device/v1/limits.ts";
import { policyAction } from "@weft/contract/domains/policies/policy-actions.ts";
import { policyFamily } from "@weft/contract/domains/policies/policy-families.ts";
import type { PolicyFindingLevel } from "@weft/contract/domains/policies/policy-finding.ts";
import { acts } from "@weft/contract/effects.ts";
import {
  groupSize,
  type MergedPolicy,
  type PolicyObject,
} from "#domains/policies/merged/public.ts";
import { groupVerdicts } from "./address-groups.ts";
import { appRuleVerdicts, ruleVerdict } from "./app-groups.ts";
import { bandwidthVerdicts } from "./bandwidth.ts";
import { dnsControlVerdicts } from "./dns-controls.ts";
import { connectionLimitVerdict } from "./fitting-families.ts";
import { interfaceLineVerdict } from "./interface-lines.ts";
import { interfaceVerdict, requestsNothing } from "./interfaces.ts";
import { policyRouteVerdict } from "./policy-routes.ts";
import { portMappingVerdicts } from "./port-mapping.ts";
import { siteRoutingVerdict } from "./site-routing.ts";
import { urlRuleVerdicts } from "./url-rules.ts";
import { cannot, type PolicyContext, type Verdict } from "./verdict.ts";

export interface PolicyFinding extends Verdict {
  readonly family: string;
  readonly level: PolicyFindingLevel;
  readonly objectId: number;
  /** What people call the object. */
  readonly name: string;
  /** It was meant to keep something out: where it cannot, that is an alarm. */
  readonly denies: boolean;
}

/** Objects beyond what a device takes. */
const beyond = (merged: MergedPolicy, object: PolicyObject): Verdict | null => {
  const action = policyAction(object.family);
  if (!("max" in action) || action.max === null) return null;
  const max = stateLimits[action.max];
  const place = merged.objects.get(object.family)?.indexOf(object) ?? 0;
  return place < max ? null : cannot("tooMany", { most: String(max) });
};

/** What keeps an object from acting because of what it names; null: nothing. */
function ofReferences(
  merged: MergedPolicy,
  object: PolicyObject,
  context: PolicyContext,
  groups: ReadonlyMap<PolicyObject, Verdict>,
) {
  const { slots, capabilities } = context;
  const { references = {} } = policyFamily(object.family).spec;
  for (const field of Object.keys(references)) {
    if (object.values[field] == null) continue;
    const named = merged.named(object, field);
    if (!named) return cannot("offReference", { field });
    const { by } = policyAction(named.family);
    const isSent = by === "section" || by === "dns";
    // Without it the rule would act at all times, or about everyone.
    if (isSent && capabilities && !acts(named.family, capabilities)) return cannot("notCarriedOut");
    const over = beyond(merged, named) ?? groups.get(named);
    if (over) return over;
    const size = groupSize(merged, named);
    if (size === 0) return cannot("emptyGroup", { field });
    const { setMembers } = stateLimits;
    if (size !== null && size > setMembers) return cannot("tooMany", { most: String(setMembers) });
    const { kind, accessposition: slot } = named.values;
    if (kind === "wan" && !slots.has(Number(slot))) return cannot("noLine", { slot: String(slot) });
  }
  return null;
}

function ofHosts({ family, values }: PolicyObject, { lans }: PolicyContext): Verdict | null {
  const action = policyAction(family);
  const field = action.by === "section" ? action.hostsWithout : null;
  return field !== null && values[field] == null && lans.length === 0 ? cannot("noLan") : null;
}

interface Verdicts {
  readonly groups: ReadonlyMap<PolicyObject, Verdict>;
  readonly ofFamilies: ReadonlyMap<PolicyObject, Verdict>;
}

function verdictOf(
  merged: MergedPolicy,
  object: PolicyObject,
  context: PolicyContext,
  { groups, ofFamilies }: Verdicts,
) {
  const { capabilities, heldAt } = context;
  if (requestsNothing(object)) return null;
  const isCarriedOut = capabilities !== null && acts(object.family, capabilities);
  // What a rollback brings back leaves policies as they are today (delivery/history/sections.ts).
  if (heldAt !== null && !isCarriedOut) return cannot("held", { serial: String(heldAt) });
  if (capabilities && !isCarriedOut) return cannot("notCarriedOut");
  return (
    ruleVerdict(object) ??
    beyond(merged, object) ??
    ofHosts(object, context) ??
    groups.get(object) ??
    ofReferences(merged, object, context, groups) ??
    ofFamilies.get(object) ??
    policyRouteVerdict(merged, object, context) ??
    connectionLimitVerdict(merged, object, context) ??
    interfaceVerdict(merged, object, context) ??
    interfaceLineVerdict(merged, object, context) ??
    siteRoutingVerdict(object, context)
  );
}

/** Not an error: a group that is kept for later is none. */
const unused: Verdict = { effect: "fallback", reason: "unused", params: {} };

/** Families whose objects act by rules that name them. */
const byName: ReadonlySet<string> = new Set([
  "routerTimenode",
  "routerBandwidthpipe",
  "routerAppgroup",
]);

/** Objects of theirs that rules name. */
const namedBy = (merged: MergedPolicy, rules: readonly PolicyObject[]): ReadonlySet<PolicyObject> =>
  new Set(
    rules.flatMap((rule) =>
      Object.entries(policyFamily(rule.family).spec.references ?? {}).flatMap(([field, family]) =>
        family !== undefined && byName.has(family) && rule.values[field] != null
          ? (merged.named(rule, field) ?? [])
          : [],
      ),
    ),
  );

interface Evaluated {
  readonly object: PolicyObject;
  readonly verdict: Verdict | null;
}

/** Whether a device has room for them is asked last: what does not act anyway takes none. */
function withRoom(merged: MergedPolicy, evaluated: readonly Evaluated[]): Evaluated[] {
  const acting = evaluated.filter(({ verdict }) => verdict?.effect !== "cannot");
  const ofRoom = appRuleVerdicts(
    merged,
    acting.map(({ object }) => object),
  );
  return evaluated.map(({ object, verdict }) => {
    const roomVerdict = ofRoom.get(object) ?? null;
    return {
      object,
      verdict: roomVerdict?.effect === "cannot" ? roomVerdict : (verdict ?? roomVerdict),
    };
  });
}

/** Every object that is not applied as configured; the others have no entry. */
export function policyFindings(merged: MergedPolicy, context: PolicyContext): PolicyFinding[] {
  const about = ({ family, level, id, values }: PolicyObject, verdict: Verdict): PolicyFinding => {
    const { label, denies } = policyFamily(family).spec;
    return {
      family,
      level,
      objectId: id,
      ...verdict,
      name: String(values[label] ?? id),
      denies: denies?.(values) ?? false,
    };
  };
  const ofFamilies = new Map([
    ...portMappingVerdicts(merged, context),
    ...bandwidthVerdicts(merged, context),
    ...dnsControlVerdicts(merged, context),
    ...urlRuleVerdicts(merged, context),
  ]);
  const known = { groups: groupVerdicts(merged), ofFamilies };
  const verdicts = withRoom(
    merged,
    [...merged.objects.values()].flat().map((object) => ({
      object,
      verdict: verdictOf(merged, object, context, known),
    })),
  );
  const acting = verdicts.filter(({ verdict }) => verdict?.effect !== "cannot");
  const named = namedBy(
    merged,
    acting.map(({ object }) => object),
  );
  const configured = verdicts.flatMap(({ object, verdict: own }) => {
    const isIdle = byName.has(object.family) && !named.has(object);
    const verdict = own ?? (isIdle && context.capabilities !== null ? unused : null);
    return verdict ? [about(object, verdict)] : [];
  });
  const replaced = merged.replaced.map((object) =>
    about(object, { effect: "replaced", reason: "replaced", params: {} }),
  );
  return [...configured, ...replaced];
}
