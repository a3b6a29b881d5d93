/** How often rules fitted, as the devices that carry them out count it. */

import { z } from "zod";
import { screens } from "#contract/access.ts";
import { aclFamilies } from "#contract/device/v1/policy.ts";
import * as codec from "#kernel/codec.ts";
import { endpoint, readsMetrics } from "#kernel/endpoint.ts";
import { rangeFields, rangeIssue } from "#kernel/time-range.ts";
import {
  type DnsRuleFamily,
  dnsRuleFamilies,
  type RuleFamily,
  ruleFamilies,
} from "./policy-actions.ts";

/** Rules that act on names: a resolver does not count which of them fitted. */
type Uncounted = "routerUrlrule";
const isCounted = (family: RuleFamily): family is Exclude<RuleFamily, Uncounted> =>
  family !== "routerUrlrule";

/** What devices count hits of: rules of policy objects, ACL rules, blacklist entries. */
export const countedFamilies = [
  ...ruleFamilies.filter(isCounted),
  ...dnsRuleFamilies,
  ...aclFamilies,
] as const;
export type CountedFamily =
  | Exclude<RuleFamily, Uncounted>
  | DnsRuleFamily
  | (typeof aclFamilies)[number];

const family = z
  .string()
  .refine((name): name is CountedFamily =>
    countedFamilies.some((countedFamily) => countedFamily === name),
  );

/**
 * Of a rule that denies packets are counted, of one that allows, limits or leads flows, each once. `count` is of the last 24
 * hours, on all devices that the caller sees.
 */
const summary = z.object({
  id: z.number(),
  count: z.number(),
  /** To the minute; null: none in the last 90 days. */
  lastTime: codec.orNull(codec.instant),
});
export type HitSummary = z.output<typeof summary>;

/** Objects of a list. One that the caller does not see has no hits. */
export const hitSummary = readsMetrics(
  endpoint({
    id: "policyHits.summary",
    addition: "devices count what rules fit; the specification has no call for it",
    method: "GET",
    path: "/customer/policyHits/summary",
    input: z.object({ family, ids: codec.someIds }),
    output: z.array(summary),
    may: screens(
      "/sdwan-system/cpe",
      "/sdwan-system/pop",
      "/system/blacklist",
      "cpeConfig",
      "popConfig",
    ),
  }),
);

/** One object over time. */
export const hitReport = readsMetrics(
  endpoint({
    id: "policyHits.report",
    addition: "devices count what rules fit; the specification has no call for it",
    method: "GET",
    path: "/customer/policyHits/report",
    input: z.object({ family, id: codec.id, ...rangeFields }).refine(...rangeIssue),
    output: z.object({
      /** Seconds that a bucket covers. */
      step: z.number(),
      points: z.array(z.object({ time: codec.instant, count: z.number() })),
    }),
    may: screens(
      "/sdwan-system/cpe",
      "/sdwan-system/pop",
      "/system/blacklist",
      "cpeConfig",
      "popConfig",
    ),
  }),
);
