/** What keeps DNS controls from acting, and what no resolver of a site can hold. Pure. */
import { dnsRouteCapability } from "@weft/contract/device/v1/dns.ts";
import { stateLimits } from "@weft/contract/device/v1/limits.ts";
import {
  controlledNames,
  type MergedPolicy,
  type PolicyObject,
} from "#domains/policies/merged/public.ts";
import { cannot, type PolicyContext, type Verdict } from "./verdict.ts";
import { lineVerdict } from "./wan-lines.ts";

const family = "routerDnscontrol";

const fallback = (verdict: Verdict): Verdict => ({ ...verdict, effect: "fallback" });

/** Whether connections follow the WAN link of a control. */
export const routesAnswers = (
  { values }: PolicyObject,
  { capabilities, isBypass = false }: PolicyContext,
): boolean =>
  Number(values.dnsroute) === 1 &&
  values.outlineid != null &&
  !isBypass &&
  (capabilities ?? []).some(({ name, can }) => can && name === dnsRouteCapability);

/** Why connections do not follow the answers although they should; null: they do, or should not. */
function ofRoute(object: PolicyObject, context: PolicyContext): Verdict | null {
  const { values } = object;
  if (Number(values.dnsroute) !== 1) return null;
  if (values.outlineid == null) return cannot("routeWithoutLine");
  if (context.isBypass) return cannot("bypass");
  return routesAnswers(object, context)
    ? null
    : cannot("fieldNotCarriedOut", { field: "dnsroute" });
}

/** Each of them has a finding: no resolver sees what a host asks another one, or encrypted. */
export function dnsControlVerdicts(
  merged: MergedPolicy,
  context: PolicyContext,
): ReadonlyMap<PolicyObject, Verdict> {
  const dnsNames = stateLimits.dnsNames;
  const verdicts = new Map<PolicyObject, Verdict>();
  if (context.capabilities === null) return verdicts;
  let sum = 0;
  for (const object of merged.objects.get(family) ?? []) {
    const obstacle =
      context.lans.length === 0
        ? cannot("noLan")
        : lineVerdict(merged, object, context, "outlineid");
    const size = obstacle ? 0 : (controlledNames(merged, object)?.length ?? 0);
    const isBeyond = sum + size > dnsNames;
    if (!isBeyond) sum += size;
    const verdict = obstacle ?? (isBeyond ? cannot("tooMany", { most: String(dnsNames) }) : null);
    const rest = ofRoute(object, context) ?? cannot("ownDnsOnly");
    verdicts.set(object, verdict ?? fallback(rest));
  }
  return verdicts;
}
