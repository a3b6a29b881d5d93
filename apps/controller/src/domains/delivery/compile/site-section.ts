/** Routing between a site's device and routers in its LANs, as its state has it. Pure. */
import { stateLimits } from "@weft/contract/device/v1/limits.ts";
import {
  type SiteInterface,
  type SiteNeighbor,
  type SiteOrigin,
  type SiteSection,
  siteOrigins,
} from "@weft/contract/device/v1/site.ts";
import { ospfFlag } from "@weft/contract/domains/policies/enums.ts";
import type { SiteFamily } from "@weft/contract/domains/policies/policy-actions.ts";
import { formatAddress, networkOf } from "@weft/contract/rules/address.ts";
import type { PolicyObject } from "#domains/policies/merged/public.ts";
import {
  interfaceTo,
  type PolicyContext,
  passwordTo,
} from "#domains/policies/policy-finding/public.ts";
import { mergedPolicyOf } from "./node-policy.ts";
import { actingObjects, type PolicyView, policyContextOf } from "./policy-section.ts";

/**
 * Networks that a neighbour is sent and that the space does not have. What the space has it is sent anyway, and as a
 * network of this device it would be found here, where it leads nowhere.
 */
const networksOf = (text: string, ofSpace: ReadonlySet<string>): string[] =>
  [...new Set(text.split(",").flatMap((one) => (one.trim() === "" ? [] : networkOf(one.trim()))))]
    .filter((network) => !ofSpace.has(network))
    .sort()
    .slice(0, stateLimits.siteNetworks);

const neighborOf = (
  object: PolicyObject,
  context: PolicyContext,
  ofSpace: ReadonlySet<string>,
): SiteNeighbor[] => {
  const interfaceName = interfaceTo(object, context);
  const { id, values } = object;
  const password = passwordTo(object, context);
  if (interfaceName === null) return [];
  return [
    {
      id,
      interfaceName,
      address: String(values.neighborIp),
      asn: Number(values.asn),
      neighborAsn: Number(values.neighborAsn),
      holdTime: values.holdTime == null ? null : Number(values.holdTime),
      networks: networksOf(String(values.networks ?? ""), ofSpace),
      ...(password !== null && { password }),
    },
  ];
};

const dotted = (area: string): string =>
  area.includes(".") ? area : formatAddress(4, BigInt(area));

/** A router that misses a greeting or two is not gone. */
const deadAfter = 4;

const interfaceOf = ({ id, values }: PolicyObject): SiteInterface => {
  const seconds = (value: unknown): number | null => (value == null ? null : Number(value));
  const hello = seconds(values.helloInterval);
  const deadTime = hello === null ? null : Math.min(65_535, hello * deadAfter);
  return {
    id,
    interfaceName: String(values.interfaceName),
    area: dotted(String(values.area)),
    cost: seconds(values.cost),
    hello,
    dead: seconds(values.deadInterval) ?? deadTime,
  };
};

/** One daemon serves all interfaces: an option of one of them applies to all. */
const sentBy = (objects: readonly PolicyObject[]): SiteOrigin[] =>
  siteOrigins.filter((origin) =>
    objects.some(({ values }) => (Number(values.flags) & ospfFlag[origin]) !== 0),
  );

/** Null: no router is a neighbour, or the device cannot do it. */
export function siteSectionOf(
  view: PolicyView & { readonly spaces?: ReadonlyMap<number, readonly string[]> },
): SiteSection | null {
  const context = policyContextOf(view);
  if (context.capabilities === null) return null;
  const merged = mergedPolicyOf(view);
  const acting = actingObjects(merged, context);
  const byId = (family: SiteFamily): PolicyObject[] =>
    acting(family).toSorted((policyObject, other) => policyObject.id - other.id);
  const ofSpace = new Set([...(view.spaces?.values() ?? [])].flat().map(networkOf));
  const neighbors = byId("routerBgp").flatMap((object) => neighborOf(object, context, ofSpace));
  const interfaces = byId("routerOspf");
  if (neighbors.length + interfaces.length === 0) return null;
  return { neighbors, interfaces: interfaces.map(interfaceOf), sent: sentBy(interfaces) };
}
