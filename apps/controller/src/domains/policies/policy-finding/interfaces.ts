/** What becomes of what is set of the network cards of a node. Pure. */
import { stateLimits } from "@weft/contract/device/v1/limits.ts";
import { type UnderlaySection, vlanCapability } from "@weft/contract/device/v1/underlay.ts";
import { policyFamily } from "@weft/contract/domains/policies/policy-families.ts";
import { vlanInterfaceName } from "@weft/contract/rules/vlan-interface.ts";
import type { MergedPolicy, PolicyObject } from "#domains/policies/merged/public.ts";
import { cannot, type PolicyContext, type Verdict } from "./verdict.ts";

type Card = NonNullable<UnderlaySection["cards"]>[number];

/** Every node has its interfaces from the start: one without settings requests nothing. */
export const requestsNothing = ({ family, values }: PolicyObject): boolean => {
  const { merge } = policyFamily(family).spec;
  return merge.by === "key" && merge.isUnset?.(values) === true;
};

/** RFC 8200 section 5. */
const minIpv6Mtu = 1_280;

const cardsOf = (merged: MergedPolicy): readonly PolicyObject[] =>
  merged.objects.get("routerInterface") ?? [];
const isOff = ({ values }: PolicyObject): boolean => values.enable === false;

/** Cards without which the node would have no WAN link. */
function neededCards(merged: MergedPolicy, { wanCards = [] }: PolicyContext): ReadonlySet<string> {
  const off = new Set(
    cardsOf(merged).flatMap((card) => (isOff(card) ? [String(card.values.netcard)] : [])),
  );
  return new Set(wanCards.every((card) => off.has(card)) ? wanCards : []);
}

function offVerdict(merged: MergedPolicy, object: PolicyObject, context: PolicyContext) {
  const isNeeded = neededCards(merged, context).has(String(object.values.netcard));
  return isOff(object) && isNeeded ? cannot("lastLine") : null;
}

function mtuVerdict({ values }: PolicyObject, { connected = [] }: PolicyContext): Verdict | null {
  const usesIpv6 = connected.some(
    ({ interfaceName, card = interfaceName, network }) =>
      card === values.netcard && network.includes(":"),
  );
  return values.mtu != null && Number(values.mtu) < minIpv6Mtu && usesIpv6
    ? cannot("mtuBelowIpv6", { least: String(minIpv6Mtu) })
    : null;
}

/** Tag of an object; 0: it has none. */
export const tagOf = ({ values }: Pick<PolicyObject, "values">): number => Number(values.vlan ?? 0);

/** Why its device carries nothing with the tag of the object; null: it can, or there is none. */
export function vlanVerdict(
  object: Pick<PolicyObject, "values">,
  { capabilities }: PolicyContext,
): Verdict | null {
  const tag = tagOf(object);
  if (tag === 0) return null;
  const isAble = capabilities?.some(({ name, can }) => can && name === vlanCapability) ?? true;
  return isAble ? null : cannot("noVlan", { vlan: String(tag) });
}

/**
 * The tag of a card is that of the LAN sections on it that have none of their own. WAN links are told apart by the names of
 * their interfaces, in reports of the device too: one of a VLAN is named by it.
 */
function cardTagVerdict(object: PolicyObject, context: PolicyContext): Verdict | null {
  const tag = tagOf(object);
  if (tag === 0) return null;
  const unable = vlanVerdict(object, context);
  if (unable) return unable;
  const card = String(object.values.netcard);
  const name = vlanInterfaceName(card, tag);
  if (context.lans.some(({ interfaceName }) => interfaceName === card))
    return cannot("vlanTaken", { name });
  const acts = context.lans.some(
    ({ vlanInterface }) => vlanInterface?.parent === card && vlanInterface.tag === tag,
  );
  const line = context.lines?.find(({ interfaceName }) => interfaceName === card);
  if (line) {
    const verdict = cannot("wanOfCard", { line: line.name ?? String(line.slot), name });
    return acts ? { ...verdict, effect: "fallback" } : verdict;
  }
  return acts ? null : cannot("noLanOfCard");
}

/** What of a card its device is sent, and what keeps the rest from acting. */
function decide(merged: MergedPolicy, object: PolicyObject, context: PolicyContext) {
  const off = offVerdict(merged, object, context);
  const mtu = mtuVerdict(object, context);
  const card: Card = {
    interfaceName: String(object.values.netcard),
    off: isOff(object) && off === null,
    mtu: object.values.mtu == null || mtu ? null : Number(object.values.mtu),
  };
  return { card, verdict: off ?? mtu ?? cardTagVerdict(object, context) };
}

const isSet = ({ off, mtu }: Card): boolean => off || mtu !== null;

export function interfaceVerdict(
  merged: MergedPolicy,
  object: PolicyObject,
  context: PolicyContext,
): Verdict | null {
  // What becomes of it is seen once there is a device.
  if (object.family !== "routerInterface" || context.capabilities === null) return null;
  const { card, verdict } = decide(merged, object, context);
  return verdict && isSet(card) ? { ...verdict, effect: "fallback" } : verdict;
}

/** Cards of which the device is sent something, in the order of their names. */
export const sentCards = (merged: MergedPolicy, context: PolicyContext): Card[] =>
  cardsOf(merged)
    .filter((object) => !requestsNothing(object))
    .map((object) => decide(merged, object, context).card)
    .filter(isSet)
    .sort((a, b) => (a.interfaceName < b.interfaceName ? -1 : 1))
    .slice(0, stateLimits.cards);
