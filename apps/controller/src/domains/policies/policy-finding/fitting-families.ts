/** Objects that keep something from hosts, and fit addresses of one family only: the other is open. Pure. */
import {
  addressesOf,
  type MergedPolicy,
  type PolicyObject,
  servicesOf,
} from "#domains/policies/merged/public.ts";
import type { PolicyContext, Verdict } from "./verdict.ts";

const families = ["IPv4", "IPv6"] as const;
type Family = (typeof families)[number];

const familyOf = (text: string): Family => (text.includes(":") ? "IPv6" : "IPv4");

/** Fields by which objects name IP groups. */
const groupFields = ["ipgroupId", "srcIpgroupId", "dstIpgroupId"] as const;

/** Families of addresses of which packets can fit: of all groups, and of the services. */
function fittingFamilies(merged: MergedPolicy, object: PolicyObject): ReadonlySet<Family> {
  const ofGroups = groupFields.flatMap((field) => {
    const group = object.values[field] == null ? null : merged.named(object, field);
    return group ? [new Set(addressesOf(merged, group).map(familyOf))] : [];
  });
  const apps = object.values.appgroupId == null ? null : merged.named(object, "appgroupId");
  const targets = apps ? servicesOf(merged, apps).map(({ target }) => target) : [];
  // One service without an address is about both.
  const isAnywhere = targets.length === 0 || targets.some((target) => target === null);
  const ofApps = isAnywhere ? [] : [new Set(targets.map((target) => familyOf(target ?? "")))];
  const named = [...ofGroups, ...ofApps];
  return new Set(families.filter((family) => named.every((group) => group.has(family))));
}

/** Hosts have addresses of either family, and what the object keeps from those of one is open to the other. */
export function fittingVerdict(
  merged: MergedPolicy,
  object: PolicyObject,
  context: Pick<PolicyContext, "lans">,
): Verdict | null {
  const isDual = context.lans.some(({ network6 }) => network6 !== null);
  const [only, ...more] = fittingFamilies(merged, object);
  if (!isDual || only === undefined || more.length > 0) return null;
  const other = only === "IPv4" ? "IPv6" : "IPv4";
  return { effect: "fallback", reason: "oneFamily", params: { only, other } };
}

/** A limit of one family: hosts open as many connections as they like by the other. */
export const connectionLimitVerdict = (
  merged: MergedPolicy,
  object: PolicyObject,
  context: Pick<PolicyContext, "lans" | "capabilities">,
): Verdict | null =>
  // What becomes of it is seen once there is a device.
  object.family === "routerConnlimit" && context.capabilities !== null
    ? fittingVerdict(merged, object, context)
    : null;
