/** Application groups that rules name: what of them devices cannot match. Pure. */
import { appRulesOfBandwidth, appRulesOfRoute } from "@weft/contract/device/v1/app-rules.ts";
import { stateLimits } from "@weft/contract/device/v1/limits.ts";
import type { AppService } from "@weft/contract/device/v1/policy.ts";
import { policyFamily } from "@weft/contract/domains/policies/policy-families.ts";
import {
  type MergedPolicy,
  type PolicyObject,
  servicesOf,
} from "#domains/policies/merged/public.ts";
import { cannot, type Verdict } from "./verdict.ts";

/** Why a rule cannot match by its application group; null: it can, or it names none. */
export function appVerdict(merged: MergedPolicy, object: PolicyObject): Verdict | null {
  const group = groupOf(merged, object);
  if (!group) return null;
  const { length } = servicesOf(merged, group);
  const appServices = stateLimits.appServices;
  if (length > appServices) return cannot("tooMany", { most: String(appServices) });
  return length === 0 ? cannot("emptyGroup", { field }) : null;
}

const field = "appgroupId";
const groupOf = (merged: MergedPolicy, rule: PolicyObject): PolicyObject | null =>
  rule.values[field] == null ? null : merged.named(rule, field);

const routes = "routerPolicyroute";
const isDenial = ({ family, values }: PolicyObject): boolean =>
  family === routes && values.deny === true;

/** How many rules of a device's firewall each of these rules is. */
function costsOf(
  merged: MergedPolicy,
  rules: readonly PolicyObject[],
  lastDenial: PolicyObject | undefined,
): (rule: PolicyObject, group: PolicyObject) => number {
  const services = new Map<PolicyObject, readonly AppService[]>();
  const end = lastDenial ? rules.indexOf(lastDenial) : -1;
  return (rule, group) => {
    const { family, values } = rule;
    const service = services.get(group) ?? servicesOf(merged, group);
    services.set(group, service);
    if (family !== routes)
      return appRulesOfBandwidth({ services: service, isGrouped: values.ipgroupId != null });
    const isAimed = values.dstIpgroupId != null;
    const before = rules.indexOf(rule) < end ? "after" : null;
    return appRulesOfRoute({
      services: service,
      isAimed,
      denial: isDenial(rule) ? "is" : before,
      isGrouped: isAimed || values.srcIpgroupId != null || values.nextHop != null,
    });
  };
}

/** Names of rules in one finding. */
const namedAtMost = 5;

/** What of application groups does not act because rules that name them do not. */
const ofGroups = (left: ReadonlyMap<PolicyObject, readonly PolicyObject[]>) =>
  [...left].map(([group, rules]): readonly [PolicyObject, Verdict] => {
    const names = rules.map(({ family, id, values }) =>
      String(values[policyFamily(family).spec.label] ?? id),
    );
    const params = {
      count: String(rules.length),
      rules: `${names.slice(0, namedAtMost).join(", ")}${names.length > namedAtMost ? ", …" : ""}`,
    };
    return [group, { effect: "fallback", reason: "rulesWithoutRoom", params }];
  });

/**
 * Rules that a device has no room for beside the others that name application groups, and these groups. Rules that deny
 * have room first: what they keep out must not come in because of others. Then routes and bandwidth policies, in their
 * order.
 * @param acting rules that act but for this; the others take no room
 */
export function appRuleVerdicts(
  merged: MergedPolicy,
  acting: readonly PolicyObject[],
): ReadonlyMap<PolicyObject, Verdict> {
  const appRules = stateLimits.appRules;
  const ofFamily = (name: string) => acting.filter(({ family }) => family === name);
  const all = ofFamily(routes);
  const verdicts = new Map<PolicyObject, Verdict>();
  const leftOut = new Map<PolicyObject, PolicyObject[]>();
  let left: number = appRules;
  const takeRoom = (rules: readonly PolicyObject[], lastDenial?: PolicyObject): void => {
    const costOf = costsOf(merged, all, lastDenial);
    for (const rule of rules) {
      const group = groupOf(merged, rule);
      if (!group) continue;
      const needed = costOf(rule, group);
      if (needed <= left) left -= needed;
      else {
        const params = { needed: String(needed), left: String(left), most: String(appRules) };
        verdicts.set(rule, cannot("tooManyMatches", params));
        leftOut.set(group, [...(leftOut.get(group) ?? []), rule]);
      }
    }
  };
  takeRoom(all.filter(isDenial));
  takeRoom(
    all.filter((policyObject) => !isDenial(policyObject)),
    all.findLast((policyObject) => isDenial(policyObject) && !verdicts.has(policyObject)),
  );
  takeRoom(ofFamily("routerBwpolicy"));
  return new Map([...verdicts, ...ofGroups(leftOut)]);
}

/** Names of applications are not recognised: only ports and addresses are. */
export const ruleVerdict = ({ family, values }: PolicyObject): Verdict | null =>
  family === "routerRuleCustom" && values.kind === "domain" ? cannot("notCarriedOut") : null;
