/** What keeps URL rules and entries of URL groups from acting: devices deny whole hosts, by their names. Pure. */

import { actingRules } from "@weft/contract/device/v1/host-classes.ts";
import { stateLimits } from "@weft/contract/device/v1/limits.ts";
import { urlAction } from "@weft/contract/domains/policies/enums.ts";
import { urlHostOf } from "@weft/contract/rules/url-host.ts";
import {
  addressesOf,
  deniableHosts,
  type MergedPolicy,
  type PolicyObject,
} from "#domains/policies/merged/public.ts";
import { fittingVerdict } from "./fitting-families.ts";
import { cannot, type PolicyContext, type Verdict } from "./verdict.ts";

const family = "routerUrlrule";

const fallback = (reason: Verdict["reason"]): Verdict => ({
  ...cannot(reason),
  effect: "fallback",
});

/** Whether it keeps its hosts from anyone. A redirection does: no device can redirect. */
export const deniesHosts = ({ values }: PolicyObject): boolean =>
  Number(values.action) !== urlAction.allow;

/** How a URL acts, or why it does not; null: as it is meant. */
export const urlVerdict = (url: string, isHostOnly: boolean): Verdict | null => {
  const host = urlHostOf(url, isHostOnly);
  if (host === "part") return cannot("partOfHost");
  if (host === "address") return cannot("hostByAddress");
  return host.hasScheme ? fallback("anyScheme") : null;
};

/** What keeps a rule itself from acting, whatever the others are. */
function obstacleOf(
  merged: MergedPolicy,
  rule: PolicyObject,
  { lans, isBypass = false }: PolicyContext,
): Verdict | null {
  if (lans.length === 0) return cannot("noLan");
  if (isBypass) return cannot("bypass");
  return deniableHosts(merged, rule).length === 0 ? cannot("noWholeHost") : null;
}

const groupOf = (merged: MergedPolicy, rule: PolicyObject): PolicyObject | null =>
  rule.values.ipgroupId == null ? null : (merged.named(rule, "ipgroupId") ?? null);

/** Rules beyond the classes of hosts that a device has room for. @param rules that could act, in their order */
function withoutRoom(merged: MergedPolicy, rules: readonly PolicyObject[]): PolicyObject[] {
  const groups = new Map(
    rules.flatMap((rule) => {
      const group = groupOf(merged, rule);
      return group ? [[group.id, addressesOf(merged, group)] as const] : [];
    }),
  );
  const count = actingRules(
    rules.map((rule) => ({
      sources: groupOf(merged, rule)?.id ?? null,
      denies: deniesHosts(rule),
    })),
    [...groups].map(([id, members]) => ({ id, members })),
  );
  return rules.slice(count);
}

/** How a rule that has room acts. */
const actingVerdict = (merged: MergedPolicy, rule: PolicyObject, context: PolicyContext): Verdict =>
  (deniesHosts(rule) ? fittingVerdict(merged, rule, context) : null) ??
  fallback(Number(rule.values.action) === urlAction.redirect ? "redirectDenied" : "hostsByName");

/** Each rule that acts has a finding: no resolver sees what a host asks elsewhere, or does not ask at all. */
function ruleVerdicts(merged: MergedPolicy, context: PolicyContext): [PolicyObject, Verdict][] {
  const { dnsNames, nameFilters } = stateLimits;
  const verdicts = new Map<PolicyObject, Verdict>();
  const acting: PolicyObject[] = [];
  let sum = 0;
  for (const rule of merged.objects.get(family) ?? []) {
    const obstacle = obstacleOf(merged, rule, context);
    sum += obstacle ? 0 : deniableHosts(merged, rule).length;
    // And all after it: without an exception before it, a rule would deny too much.
    const verdict =
      obstacle ?? (sum > dnsNames ? cannot("tooMany", { most: String(dnsNames) }) : null);
    if (verdict) verdicts.set(rule, verdict);
    else acting.push(rule);
  }
  const without = new Set(withoutRoom(merged, acting));
  for (const rule of acting)
    verdicts.set(
      rule,
      without.has(rule)
        ? cannot("tooManyFilters", { most: String(nameFilters) })
        : actingVerdict(merged, rule, context),
    );
  return [...verdicts];
}

/** Of rules, and of entries of their groups. */
export function urlRuleVerdicts(
  merged: MergedPolicy,
  context: PolicyContext,
): ReadonlyMap<PolicyObject, Verdict> {
  if (context.capabilities === null) return new Map();
  const entries = (merged.objects.get("routerUrl") ?? []).flatMap((entry) => {
    const verdict = urlVerdict(String(entry.values.url), entry.values.allowOnlyHost === true);
    return verdict ? [[entry, verdict] as const] : [];
  });
  return new Map([...entries, ...ruleVerdicts(merged, context)]);
}
