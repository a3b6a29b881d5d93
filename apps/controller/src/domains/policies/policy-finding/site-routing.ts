/** What keeps routers in a LAN from being neighbours of the device, or from bringing anything. Pure. */
import { signatureCapability } from "@weft/contract/device/v1/site.ts";
import { addressOf, isWithin, networkOf } from "@weft/contract/rules/address.ts";
import type { PolicyObject } from "#domains/policies/merged/public.ts";
import { cannot, type PolicyContext, type SiteRouting, type Verdict } from "./verdict.ts";

const nothing: SiteRouting = {
  lans: [],
  spaceAsn: null,
  declared: [],
  password: () => null,
};

/** The LAN that an address is in, whose hosts may enter the space. */
const lanOf = (host: string, { site = nothing }: Pick<PolicyContext, "site">) =>
  site.lans.find(({ network }) => isWithin(networkOf(network), host));

const takesNothing: Verdict = { effect: "fallback", reason: "nothingDeclared", params: {} };

function interfaceVerdict({ values }: PolicyObject, context: PolicyContext): Verdict | null {
  const { spaceAsn, declared, lans } = context.site ?? nothing;
  const interfaceName = String(values.interfaceName);
  if (!lans.some((lan) => lan.interfaceName === interfaceName))
    return cannot("noSpaceLan", { interfaceName });
  if (spaceAsn === null) return cannot("noSpaceLink");
  return declared.length > 0 ? null : takesNothing;
}

export function siteRoutingVerdict(object: PolicyObject, context: PolicyContext): Verdict | null {
  if (object.family === "routerOspf") return interfaceVerdict(object, context);
  return object.family === "routerBgp" ? neighborVerdict(object, context) : null;
}

const authenticates = ({ capabilities }: PolicyContext): boolean =>
  capabilities?.some(({ name, can }) => can && name === signatureCapability) ?? true;

/** Its password as the device opens it; null: it has none, or one that cannot be used. */
export const passwordTo = (object: PolicyObject, context: PolicyContext): string | null =>
  object.values.password && authenticates(context)
    ? (context.site?.password(object) ?? null)
    : null;

function neighborVerdict(object: PolicyObject, context: PolicyContext): Verdict | null {
  const { values } = object;
  const { spaceAsn, declared } = context.site ?? nothing;
  const host = String(values.neighborIp);
  const asn = Number(values.neighborAsn);
  const lan = lanOf(host, context);
  if (!lan) return cannot("notInSpaceLan", { host });
  if (addressOf(lan.network) === host) return cannot("hopIsDevice", { host });
  if (spaceAsn === null) return cannot("noSpaceLink");
  // A session inside one AS passes on what it should not, and the device's own number is of the space's instance.
  if (asn === Number(values.asn) || asn === spaceAsn) return cannot("sameAsn", { asn: `${asn}` });
  // Without it the session would be one that anybody in the LAN can take over.
  if (values.password && passwordTo(object, context) === null)
    return cannot(authenticates(context) ? "secretUnusable" : "fieldNotCarriedOut", {
      field: "password",
    });
  return declared.length > 0 ? null : takesNothing;
}

/** Interface of the LAN that a neighbour which acts is in. */
export const interfaceTo = (
  { values }: PolicyObject,
  context: Pick<PolicyContext, "site">,
): string | null => lanOf(String(values.neighborIp), context)?.interfaceName ?? null;
