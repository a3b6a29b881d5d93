/**
 * What the interface lines of a template and of a node give the node's own lines and LANs, which say first what
 * they are: a line fills what they leave open. Pure.
 */
import { standbyCapability } from "@weft/contract/device/v1/standby.ts";
import { accessType } from "@weft/contract/domains/policies/enums.ts";
import { isWithin, maskLength, parsePrefix } from "@weft/contract/rules/address.ts";
import { type DhcpSpan, rangeObstacle } from "@weft/contract/rules/dhcp-range.ts";
import { vlanInterfaceName, vlanOfName } from "@weft/contract/rules/vlan-interface.ts";
import type { MergedPolicy, PolicyObject } from "#domains/policies/merged/public.ts";
import { tagOf, vlanVerdict } from "./interfaces.ts";
import { specialLineVerdict } from "./special-line-verdict.ts";
import { cannot, type OwnLine, type PolicyContext, type Verdict } from "./verdict.ts";

type Values = PolicyObject["values"];
type Lan = Pick<
  PolicyContext["lans"][number],
  "interfaceName" | "vlanInterface" | "network" | "ownAddress" | "range"
>;

const linesOf = (merged: MergedPolicy, kind: "lan" | "wan"): readonly PolicyObject[] =>
  (merged.objects.get("routerInterfaceline") ?? []).filter(({ values }) => values.kind === kind);

const numberOf = (value: unknown): number | null => (value == null ? null : Number(value));

/** A WAN link with its own rates and quality, or those of the interface line of its slot. */
export function filledLine<Line extends Pick<OwnLine, "slot" | "up" | "down" | "quality">>(
  merged: MergedPolicy,
  line: Line,
): Line {
  const policyObject = linesOf(merged, "wan").find(
    ({ values }) => Number(values.accessposition) === line.slot,
  );
  if (!policyObject) return line;
  const { upBandwidth, downBandwidth, lineQuality } = policyObject.values;
  const quality = line.quality || Number(lineQuality ?? 0);
  return {
    ...line,
    ...(quality > 0 && { quality }),
    up: line.up ?? numberOf(upBandwidth),
    down: line.down ?? numberOf(downBandwidth),
  };
}

/** The card that an interface line names; null: none. */
const cardOf = (merged: MergedPolicy, object: PolicyObject): PolicyObject | null =>
  object.values.interfaceId == null ? null : merged.named(object, "interfaceId");

/** Interface that an interface line names: a card, or with a tag the card's interface for it. Null: none. */
function interfaceOf(merged: MergedPolicy, object: PolicyObject): string | null {
  const card = cardOf(merged, object);
  if (!card) return null;
  const [name, tag] = [String(card.values.netcard), tagOf(object)];
  return tag === 0 ? name : vlanInterfaceName(name, tag);
}

/** The same of a LAN line; with that of the card's own tag, if the line has none. Null: it names no card. */
function lanInterfacesOf(merged: MergedPolicy, object: PolicyObject): readonly string[] | null {
  const name = interfaceOf(merged, object);
  if (name === null) return null;
  const card = cardOf(merged, object);
  const tag = card === null || tagOf(object) > 0 ? 0 : tagOf(card);
  return tag === 0 ? [name] : [name, vlanInterfaceName(name, tag)];
}

const asRange = ({ dhcpStart, dhcpEnd }: Values): DhcpSpan | null =>
  dhcpStart == null || dhcpEnd == null ? null : { first: String(dhcpStart), last: String(dhcpEnd) };

/** True unless the object has a tag that is not that of the interface. @param tag of a name that does not say it */
const hasTag = (
  object: PolicyObject,
  interfaceName: string | undefined,
  tag = vlanOfName(interfaceName ?? "")?.tag,
): boolean => tagOf(object) === 0 || tag === tagOf(object);

/**
 * The LAN that an interface line is about: that of its range, of its address, else the first one of its interface; null:
 * there is none.
 */
function lanOf(merged: MergedPolicy, object: PolicyObject, lans: readonly Lan[]): Lan | null {
  const names = lanInterfacesOf(merged, object);
  const range = asRange(object.values);
  const isRight = ({ interfaceName, vlanInterface, network }: Lan): boolean =>
    (names === null
      ? hasTag(object, interfaceName, vlanInterface?.tag)
      : names.includes(interfaceName ?? "")) &&
    (range === null || (isWithin(network, range.first) && isWithin(network, range.last)));
  const hasAddress = ({ network }: Lan): boolean => network.split("/")[0] === object.values.ip;
  const right = lans.filter(isRight);
  return right.find(hasAddress) ?? right[0] ?? null;
}

/** Address of the LAN itself that is in the range: hosts cannot have it. Null: there is none. */
const ownIn = (range: DhcpSpan, { network, ownAddress }: Lan): string | null =>
  rangeObstacle(range, { network, ownAddresses: ownAddress == null ? [] : [ownAddress] })
    ?.address ?? null;

/** The interface line that gives a LAN its range; null: none. The first one by name does. */
const rangeLine = (merged: MergedPolicy, lan: Lan, lans: readonly Lan[]): PolicyObject | null =>
  linesOf(merged, "lan").find((object) => {
    const range = asRange(object.values);
    const isOfLan = range !== null && lanOf(merged, object, lans)?.network === lan.network;
    return isOfLan && ownIn(range, lan) === null;
  }) ?? null;

/** Addresses that a LAN gives its hosts; null: those that every LAN does. */
export function rangeOfLan(merged: MergedPolicy, lan: Lan, lans: readonly Lan[]): DhcpSpan | null {
  const policyObject = rangeLine(merged, lan, lans);
  return policyObject && asRange(policyObject.values);
}

/** Fields that no edge carries out, of either kind. */
const waiting: Readonly<Record<"lan" | "wan", readonly string[]>> = {
  wan: ["hotStandbyGroup", "hotStandbyPriority"],
  lan: ["upBandwidth", "downBandwidth", "mtu"],
};

const fallback = (verdict: Verdict): Verdict => ({ ...verdict, effect: "fallback" });
const decidedByLine = (field: string): Verdict => fallback(cannot("ofLineItself", { field }));

/** A static address with its mask, as in the row of a line; null: none is configured. */
function fixedAddress({ accessType: access, ip, mask }: Values): string | null {
  if (access !== accessType.fixed) return null;
  const length = parsePrefix(`${String(ip)}/${maskLength(String(mask))}`)?.length;
  return length === undefined ? null : `${String(ip)}/${length}`;
}

/** A field of which the node's own line says something else; null: there is none. */
function differing(merged: MergedPolicy, object: PolicyObject, line: OwnLine): string | null {
  const { values } = object;
  const isFixed = values.accessType === accessType.fixed;
  const name = interfaceOf(merged, object);
  const compared: readonly (readonly [field: string, given: unknown, own: unknown])[] = [
    ["interfaceId", name, line.interfaceName],
    ["vlan", hasTag(object, line.interfaceName), true],
    ["accessType", isFixed ? "static" : "dhcp", line.addressing],
    ["ip", fixedAddress(values), line.ip],
    ["gateway", isFixed ? values.gateway : null, line.gateway],
    ["mtu", values.mtu, line.mtu],
    ["upBandwidth", values.upBandwidth, line.up ?? values.upBandwidth],
    ["downBandwidth", values.downBandwidth, line.down ?? values.downBandwidth],
    ["lineQuality", values.lineQuality || null, line.quality || values.lineQuality],
  ];
  return compared.find(([, given, own]) => given != null && given !== own)?.[0] ?? null;
}

const isSet = (value: unknown): boolean => value != null && value !== 0 && value !== "";

const isSame = (dhcpSpan: DhcpSpan, other: DhcpSpan): boolean =>
  dhcpSpan.first === other.first && dhcpSpan.last === other.last;

function wanVerdict(merged: MergedPolicy, object: PolicyObject, context: PolicyContext) {
  const slot = Number(object.values.accessposition);
  if (!context.slots.has(slot)) return cannot("noLine", { slot: String(slot) });
  const line = context.lines?.find((ownLine) => ownLine.slot === slot);
  const field = line ? differing(merged, object, line) : null;
  if (field !== null) return decidedByLine(field);
  return isSet(object.values.lineQuality) ? specialLineVerdict(context) : null;
}

function lanVerdict(merged: MergedPolicy, object: PolicyObject, context: PolicyContext) {
  const { lans, capabilities, isBypass, givesAddresses } = context;
  const range = asRange(object.values);
  const lan = lanOf(merged, object, lans);
  if (!lan) return range ? cannot("rangeInNoLan", { ...range }) : cannot("noLan");
  const { ip } = object.values;
  if (ip != null && lan.network.split("/")[0] !== ip) return decidedByLine("ip");
  if (!range) return null;
  const inside = ownIn(range, lan);
  if (inside !== null) return cannot("rangeHas", { address: inside });
  if (isBypass) return cannot("bypass");
  if (givesAddresses === false) return cannot("dhcpOff");
  if (!capabilities?.some(({ name, can }) => can && name === "lan.dhcp"))
    return cannot("notCarriedOut");
  const dhcpSpan = lan.range ?? null;
  if (dhcpSpan) return isSame(dhcpSpan, range) ? null : decidedByLine("dhcpStart");
  const other = rangeLine(merged, lan, lans);
  return other === null || other === object
    ? null
    : cannot("rangeTaken", { name: String(other.values.name) });
}

/** What keeps the standby group of a LAN line from acting, which the rest of it may do all the same; null: nothing. */
function standbyVerdict(
  { values }: PolicyObject,
  { standby, lans, capabilities }: PolicyContext,
): Verdict | null {
  if (values.hotStandbyGroup == null) return null;
  const group = String(values.hotStandbyGroup);
  // The node has a group as soon as a line names one: without it the line was saved after the state was read.
  if (!standby) return null;
  const { line = null, partner = null, partnerCan, isBeyond = false } = standby;
  if (line === null)
    return standby.group === values.hotStandbyGroup ? null : cannot("standbyOfNode", { group });
  if (line !== values.name) return cannot("standbyOfLine", { name: line });
  const lan = lans.find(({ network }) => network.split("/")[0] === values.ip);
  if (!lan) return cannot("standbyNoLan", { address: String(values.ip ?? "") });
  if (lan.ownAddress == null) return cannot("standbyNoOwnAddress", { network: lan.network });
  if (!capabilities?.some(({ name, can }) => can && name === standbyCapability))
    return cannot("fieldNotCarriedOut", { field: "hotStandbyGroup" });
  if (isBeyond) return cannot("standbyBeyond", { group, name: partner ?? "" });
  if (partner === null) return cannot("standbyAlone", { group });
  return partnerCan === false ? cannot("standbyPartnerCannot", { name: partner }) : null;
}

/** What becomes of an interface line. */
export function interfaceLineVerdict(
  merged: MergedPolicy,
  object: PolicyObject,
  context: PolicyContext,
): Verdict | null {
  const { family, values } = object;
  // What becomes of it is seen once there is a device.
  if (family !== "routerInterfaceline" || context.capabilities === null) return null;
  const isWan = values.kind === "wan";
  const isDialled = values.accessType === accessType.pppoe;
  const isAble = context.capabilities.some(({ name, can }) => can && name === "pppoe");
  if (isWan && isDialled && !isAble) return cannot("noPppoe");
  if (isWan && isDialled) return cannot("fieldNotCarriedOut", { field: "accessType" });
  const verdict = isWan ? wanVerdict(merged, object, context) : lanVerdict(merged, object, context);
  const vlan = vlanVerdict(object, context);
  const field = waiting[isWan ? "wan" : "lan"].find((text) => isSet(values[text]));
  const standby = isWan ? null : standbyVerdict(object, context);
  return (
    (verdict?.effect === "cannot" ? verdict : null) ??
    // Untagged it would be another network.
    vlan ??
    verdict ??
    (standby === null ? null : fallback(standby)) ??
    (field === undefined ? null : fallback(cannot("fieldNotCarriedOut", { field })))
  );
}
