/** What keeps routers in a LAN from being neighbours of the device, or from bringing anything. Pure. */
import { signatureCapability } from "@weft/contract/device/v1/site.ts";
import { addressOf, isWithin, networkOf } from "@weft/contract/rules/address.ts";
import type { PolicyObject } from "#domains/policies/merged/public.ts";
import { cannot, type PolicyGround, type SiteRouting, type Verdict } from "./verdict.ts";

const nothing: SiteRouting = {
  lans: [],
  spaceAsn: null,
  declared: [],
  password: () => null,
};

/** The LAN that an address is in, whose hosts may enter the space. */
const lanOf = (host: string, { site = nothing }: Pick<PolicyGround, "site">) =>
  site.lans.find(({ network }) => isWithin(networkOf(network), host));

const takesNothing: Verdict = { effect: "fallback", reason: "nothingDeclared", params: {} };

function interfaceVerdict({ values }: PolicyObject, ground: PolicyGround): Verdict | null {
  const { spaceAsn, declared, lans } = ground.site ?? nothing;
  const interfaceName = String(values.interfaceName);
  if (!lans.some((lan) => lan.interfaceName === interfaceName))
    return cannot("noSpaceLan", { interfaceName });
  if (spaceAsn === null) return cannot("noSpaceLink");
  return declared.length > 0 ? null : takesNothing;
}

export function siteRoutingVerdict(object: PolicyObject, ground: PolicyGround): Verdict | null {
  if (object.family === "routerOspf") return interfaceVerdict(object, ground);
  return object.family === "routerBgp" ? neighborVerdict(object, ground) : null;
}

const authenticates = ({ capabilities }: PolicyGround): boolean =>
  capabilities?.some(({ name, can }) => can && name === signatureCapability) ?? true;

/** Its password as the device opens it; null: it has none, or one that cannot be used. */
export const passwordTo = (object: PolicyObject, ground: PolicyGround): string | null =>
  object.values.password && authenticates(ground) ? (ground.site?.password(object) ?? null) : null;

function neighborVerdict(object: PolicyObject, ground: PolicyGround): Verdict | null {
  const { values } = object;
  const { spaceAsn, declared } = ground.site ?? nothing;
  const host = String(values.neighborIp);
  const asn = Number(values.neighborAsn);
  const lan = lanOf(host, ground);
  if (!lan) return cannot("notInSpaceLan", { host });
  if (addressOf(lan.network) === host) return cannot("hopIsDevice", { host });
  if (spaceAsn === null) return cannot("noSpaceLink");
  // A session inside one AS passes on what it should not, and the device's own number is of the space's instance.
  if (asn === Number(values.asn) || asn === spaceAsn) return cannot("sameAsn", { asn: `${asn}` });
  // Without it the session would be one that anybody in the LAN can take over.
  if (values.password && passwordTo(object, ground) === null)
    return cannot(authenticates(ground) ? "secretUnusable" : "fieldNotCarriedOut", {
      field: "password",
    });
  return declared.length > 0 ? null : takesNothing;
}

/** Interface of the LAN that a neighbour which acts is in. */
export const interfaceTo = (
  { values }: PolicyObject,
  ground: Pick<PolicyGround, "site">,
): string | null => lanOf(String(values.neighborIp), ground)?.interfaceName ?? null;
