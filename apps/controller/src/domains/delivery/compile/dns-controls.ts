/** DNS controls of a node's policies, as its state has them. Pure. */
import type { DnsControl } from "@weft/contract/device/v1/dns.ts";
import { controlledNames } from "#domains/policies/merged/public.ts";
import { routesAnswers, slotOfLine } from "#domains/policies/policy-finding/public.ts";
import { mergedPolicyOf } from "./node-policy.ts";
import { actingObjects, type PolicyView, policyContextOf } from "./policy-section.ts";

const family = "routerDnscontrol";

/** Those that can act on the device, in the order in which they are tried. */
export function dnsControlsOf(view: PolicyView): DnsControl[] {
  const merged = mergedPolicyOf(view);
  if ((merged.objects.get(family) ?? []).length === 0) return [];
  const context = policyContextOf(view);
  return actingObjects(
    merged,
    context,
  )(family).map((object): DnsControl => {
    const { serverip, serverip2, effectivedate } = object.values;
    return {
      id: object.id,
      names: controlledNames(merged, object),
      servers: [...new Set([serverip, serverip2].flatMap((one) => (one == null ? [] : `${one}`)))],
      slot: slotOfLine(merged, object, "outlineid"),
      weekdays: [...(effectivedate as readonly number[])],
      routes: routesAnswers(object, context),
    };
  });
}
