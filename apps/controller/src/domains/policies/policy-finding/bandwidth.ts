/** What of bandwidth tunnels and of the policies that name them a device cannot carry out. Pure. */
import {
  guaranteedShare,
  guaranteesOf,
  type ShapedDirection,
  shapedDirections,
} from "@weft/contract/device/v1/shaping.ts";
import { pipeDirection } from "@weft/contract/domains/policies/enums.ts";
import type { MergedPolicy, PolicyObject } from "#domains/policies/merged/public.ts";
import { appVerdict } from "./app-groups.ts";
import type { PolicyContext, Verdict } from "./verdict.ts";
import { lineVerdict } from "./wan-lines.ts";

const tunnels = "routerBandwidthpipe";
const policies = "routerBwpolicy";

const isIn = ({ values }: PolicyObject, direction: ShapedDirection): boolean =>
  values.direction === pipeDirection.both || values.direction === pipeDirection[direction];

const fallback = (reason: Verdict["reason"], params: Verdict["params"] = {}): Verdict => ({
  effect: "fallback",
  reason,
  params,
});

/** Tunnels that policies name. */
const usedBy = (merged: MergedPolicy): PolicyObject[] => [
  ...new Set(
    (merged.objects.get(policies) ?? []).flatMap(
      (policyObject) => merged.named(policyObject, "pipeId") ?? [],
    ),
  ),
];

/** What it can promise: only with a rate to divide is there something to guarantee. */
function ofGuarantee(tunnel: PolicyObject, used: readonly PolicyObject[], context: PolicyContext) {
  const guarantees = used.map((policyObject) => ({
    guaranteed: Number(policyObject.values.gbw),
    up: isIn(policyObject, "up"),
    down: isIn(policyObject, "down"),
  }));
  for (const direction of shapedDirections.filter((shapedDirection) =>
    isIn(tunnel, shapedDirection),
  )) {
    const rate = context.rates[direction];
    if (rate === null) return fallback("noLineRate");
    const max = Math.floor(rate * guaranteedShare);
    if (guaranteesOf(guarantees, direction) > max)
      return fallback("guaranteesAbove", { most: String(max) });
  }
  return null;
}

/** Of the tunnels and policies of a node that are not applied as configured, why. */
export function bandwidthVerdicts(
  merged: MergedPolicy,
  context: PolicyContext,
): ReadonlyMap<PolicyObject, Verdict> {
  const verdicts = new Map<PolicyObject, Verdict>();
  const used = usedBy(merged);
  for (const tunnel of merged.objects.get(tunnels) ?? []) {
    const isUsed = used.includes(tunnel);
    const verdict =
      lineVerdict(merged, tunnel, context) ?? (isUsed ? ofGuarantee(tunnel, used, context) : null);
    if (verdict) verdicts.set(tunnel, verdict);
  }
  for (const policy of merged.objects.get(policies) ?? []) {
    const tunnel = merged.named(policy, "pipeId");
    const ofTunnel = tunnel ? verdicts.get(tunnel) : undefined;
    const verdict = appVerdict(merged, policy) ?? (ofTunnel?.effect === "cannot" ? ofTunnel : null);
    if (verdict) verdicts.set(policy, verdict);
  }
  return verdicts;
}
