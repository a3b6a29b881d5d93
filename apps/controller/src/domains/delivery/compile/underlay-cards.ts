/** What is set of the network cards of a device, as its state has it. Pure. */
import type { UnderlaySection } from "@weft/contract/device/v1/underlay.ts";
import { acts } from "@weft/contract/effects.ts";
import { sentCards } from "#domains/policies/policy-finding/public.ts";
import { mergedPolicyOf, type PolicyView, policyContextOf } from "./policy-section.ts";

/** None: nothing is set of any, or the device cannot carry it out. */
export function cardsOf(view: PolicyView): NonNullable<UnderlaySection["cards"]> {
  const { capabilities = null } = view;
  if (capabilities === null || !acts("routerInterface", capabilities)) return [];
  return sentCards(mergedPolicyOf(view), policyContextOf(view));
}
