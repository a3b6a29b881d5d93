/** DNS controls of a node's policies, as its state has them. Pure. */
import type { DnsControl } from "@weft/contract/device/v1/dns.ts";
import { acts } from "@weft/contract/effects.ts";
import { controlledNames } from "#domains/policies/merged/public.ts";
import {
  policyFindings,
  routesAnswers,
  slotOfLine,
} from "#domains/policies/policy-finding/public.ts";
import { mergedPolicyOf, type PolicyView, policyContextOf } from "./policy-section.ts";

const family = "routerDnscontrol";

/** Those that can act on the device, in the order in which they are tried. */
export function dnsControlsOf(view: PolicyView): DnsControl[] {
  const context = policyContextOf(view);
  const { capabilities } = context;
  const merged = mergedPolicyOf(view);
  const objects = merged.objects.get(family) ?? [];
  if (capabilities === null || objects.length === 0 || !acts(family, capabilities)) return [];
  const left = new Set(
    policyFindings(merged, context)
      .filter((finding) => finding.family === family && finding.effect === "cannot")
      .map(({ level, objectId }) => `${level} ${objectId}`),
  );
  return objects
    .filter(({ level, id }) => !left.has(`${level} ${id}`))
    .map((object): DnsControl => {
      const { serverip, serverip2, effectivedate } = object.values;
      return {
        id: object.id,
        names: controlledNames(merged, object),
        servers: [
          ...new Set([serverip, serverip2].flatMap((one) => (one == null ? [] : `${one}`))),
        ],
        slot: slotOfLine(merged, object, "outlineid"),
        weekdays: [...(effectivedate as readonly number[])],
        routes: routesAnswers(object, context),
      };
    });
}
