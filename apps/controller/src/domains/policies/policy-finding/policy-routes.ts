/** What of a policy route no device carries out. Pure. */
import { stateLimits } from "@weft/contract/device/v1/limits.ts";
import {
  denyCapability,
  destinationCapability,
  hopCapability,
  type PolicyRoute,
  pathKeyOf,
  translationCapability,
  ttlCapability,
} from "@weft/contract/device/v1/policy.ts";
import { natBits } from "@weft/contract/domains/policies/enums.ts";
import {
  addressOf,
  isSameAddress,
  isWithin,
  networkOf,
  parseAddress,
  spanOf,
} from "@weft/contract/rules/address.ts";
import type { MergedPolicy, PolicyObject } from "#domains/policies/merged/public.ts";
import { appVerdict } from "./app-groups.ts";
import { fittingVerdict } from "./fitting-families.ts";
import { cannot, type PolicyContext, type Verdict } from "./verdict.ts";

const slots = [1, 2, 3, 4] as const;

/** Slots of the WAN links of a bit mask. */
export const slotsOf = (lineGroup: number): number[] =>
  slots.filter((slot) => (lineGroup & (1 << (slot - 1))) !== 0);

const notYet = (field: string): Verdict => cannot("fieldNotCarriedOut", { field });
const without = (field: string): Verdict => ({ ...notYet(field), effect: "fallback" });

const can = ({ capabilities }: Pick<PolicyContext, "capabilities">, name: string): boolean =>
  capabilities === null ||
  capabilities.some((capability) => capability.can && capability.name === name);

/** How a route translates addresses, as devices are sent it. */
export function translationOf(natType: number): Pick<PolicyRoute, "nat" | "translation"> {
  const has = (bit: number): boolean => (natType & bit) !== 0;
  if (has(natBits.cone)) return { nat: true, translation: "cone" };
  if (has(natBits.symmetric)) return { nat: true, translation: "symmetric" };
  return { nat: has(natBits.source) };
}

/** It refuses its flows: whatever else is set of a way out has no meaning. */
export const isDenial = (values: PolicyObject["values"]): boolean => values.deny === true;

const isMoved = (values: PolicyObject["values"]): boolean =>
  (Number(values.natType) & natBits.destination) !== 0;

function ofTranslation({ values }: PolicyObject, context: PolicyContext): Verdict | null {
  const natType = Number(values.natType);
  const { translation } = translationOf(natType);
  if (isMoved(values) && !can(context, destinationCapability)) return notYet("natType");
  if (translation && !can(context, translationCapability)) return notYet("natType");
  // What comes unasked is taken at WAN links.
  return translation === "cone" && Number(values.lineGroup) === 0 ? without("natType") : null;
}

/** Lines that the node lacks: the others go on. */
function ofLines(lineGroup: number, context: PolicyContext): Verdict | null {
  const wanted = slotsOf(lineGroup);
  const missing = wanted.filter((slot) => !context.slots.has(slot));
  if (missing.length === 0) return null;
  const verdict = cannot("noLine", { slot: missing.join(", ") });
  return missing.length === wanted.length ? verdict : { ...verdict, effect: "fallback" };
}

const raises = ({ values }: Pick<PolicyObject, "values">): boolean =>
  Number(values.ttlIncrement) > 0;

/**
 * A packet that routers pass in a circle ends because each takes a hop from it. On a WAN link it does not come back from a
 * LAN; at a next hop, or where routing leads, it may.
 */
function ofTtl(
  object: Pick<PolicyObject, "values">,
  context: Pick<PolicyContext, "capabilities">,
): Verdict | null {
  if (!raises(object)) return null;
  if (!can(context, ttlCapability)) return without("ttlIncrement");
  return Number(object.values.lineGroup) === 0
    ? { ...cannot("ttlWithoutLine"), effect: "fallback" }
    : null;
}

/** Where its flows go in place of a WAN link, or in place of their destination. */
export function pathOf(
  object: Pick<PolicyObject, "values">,
  context: Pick<PolicyContext, "connected" | "capabilities">,
): Pick<PolicyRoute, "hop" | "destination" | "ttlIncrement"> {
  const { values } = object;
  if (isDenial(values)) return {};
  const ttlIncrement = Number(values.ttlIncrement);
  const isRaised = raises(object) && ofTtl(object, context) === null;
  const raised = isRaised ? { ttlIncrement } : {};
  if (isMoved(values)) return { destination: String(values.nextHop), ...raised };
  if (isRaised) return raised;
  const hop = hopOf(object, context);
  return hop ? { hop } : {};
}

/** The address of an IPv4 network itself, or its broadcast address: the kernel takes no route by them. */
function isEdge(network: string, address: string): boolean {
  const span = spanOf(networkOf(network));
  const host = parseAddress(address);
  if (!span || host?.family !== 4 || span.last - span.first < 2n) return false;
  return host.address === span.first || host.address === span.last;
}

/** Its next hop, with the interface that it is reached by; null: it has none, or no interface reaches it. */
function hopOf(
  { values }: Pick<PolicyObject, "values">,
  { connected = [] }: Pick<PolicyContext, "connected">,
): NonNullable<PolicyRoute["hop"]> | null {
  if (Number(values.lineGroup) !== 0 || values.nextHop == null) return null;
  const address = String(values.nextHop);
  const at = connected.find(
    ({ network }) => isWithin(networkOf(network), address) && !isEdge(network, address),
  );
  return at ? { address, interfaceName: at.interfaceName } : null;
}

function ofHop(object: PolicyObject, context: PolicyContext): Verdict | null {
  if (Number(object.values.lineGroup) !== 0 || isMoved(object.values)) return null;
  if (!can(context, hopCapability)) return notYet("nextHop");
  const host = String(object.values.nextHop);
  if (hopOf(object, context) === null) return cannot("hopNotConnected", { host });
  const { connected = [] } = context;
  const isOwn = connected.some(({ network }) => isSameAddress(addressOf(network), host));
  return isOwn ? cannot("hopIsDevice", { host }) : null;
}

/** A device has room for so many paths: those of the first routes. */
const isBeyond = (merged: MergedPolicy, object: PolicyObject, context: PolicyContext): boolean => {
  const keyOf = (policyObject: PolicyObject) => pathKeyOf(pathOf(policyObject, context));
  const keys = (merged.objects.get(object.family) ?? []).flatMap(
    (policyObject) => keyOf(policyObject) ?? [],
  );
  const key = keyOf(object);
  return key !== null && [...new Set(keys)].indexOf(key) >= stateLimits.policyPaths;
};

export function policyRouteVerdict(
  merged: MergedPolicy,
  object: PolicyObject,
  context: PolicyContext,
): Verdict | null {
  const { family, values } = object;
  if (family !== "routerPolicyroute") return null;
  if (context.isBypass) return cannot("bypass");
  if (isDenial(values)) {
    if (!can(context, denyCapability)) return notYet("deny");
    return appVerdict(merged, object) ?? fittingVerdict(merged, object, context);
  }
  const lineGroup = Number(values.lineGroup);
  const verdicts = [
    appVerdict(merged, object),
    ofHop(object, context),
    ...(isBeyond(merged, object, context)
      ? [cannot("tooMany", { most: String(stateLimits.policyPaths) })]
      : []),
    ofTranslation(object, context),
    ofLines(lineGroup, context),
    ofTtl(object, context),
    ...(Number(values.natLbextra) > 0 ? [without("natLbextra")] : []),
  ].filter((verdict) => verdict !== null);
  return verdicts.find(({ effect }) => effect === "cannot") ?? verdicts[0] ?? null;
}
