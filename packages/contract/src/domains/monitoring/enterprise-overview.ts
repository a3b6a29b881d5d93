/** One page of an enterprise: what is wrong with it now and why, and what it has. */

import { z } from "zod";
import { screens } from "#contract/access.ts";
import { healthFields, healthStateList, healthTones, toneCounts } from "#domains/devices/health.ts";
import { alarmLevels } from "#domains/notifications/enums.ts";
import { rootCause } from "#domains/notifications/root-cause.ts";
import * as codec from "#kernel/codec.ts";
import { endpoint } from "#kernel/endpoint.ts";
import { expiring } from "./expiring.ts";

/** What the health of an enterprise is decided by, the first that applies. */
export const enterpriseReasons = [
  /** The enterprise is disabled. */
  "disabled",
  /** Some of its sites are bad. */
  "bad",
  /** Its term of service is over. */
  "expired",
  /** Some of its sites need attention. */
  "warn",
  /** It has no sites. */
  "empty",
  /** No site is in service yet, or none any more. */
  "idle",
  /** All that is in service is well. */
  "well",
] as const;
export type EnterpriseReason = (typeof enterpriseReasons)[number];

/** Health of an enterprise, out of that of its sites and of those of all enterprises below it. */
export const enterpriseHealth = z.object({
  tone: z.enum(healthTones),
  reason: z.enum(enterpriseReasons),
  /** The worst state of its sites; null: sites are not the reason. */
  state: z.enum(healthStateList).nullable(),
  /** Sites of that tone; of an enterprise that is well, sites that are. */
  count: z.number(),
  /** All sites. */
  of: z.number(),
  /** Since when; null: not known, or always. */
  since: codec.instant.nullable(),
  /** The site that has been in the worst state for the longest time. */
  site: z.object({ id: z.number(), name: z.string() }).nullable(),
});
export type EnterpriseHealth = z.output<typeof enterpriseHealth>;

export const enterpriseOverview = endpoint({
  id: "enterpriseReport.overview",
  addition: "one call for the page of an enterprise, which the specification does not have",
  method: "GET",
  path: "/customer/enterpriseReport/overview",
  input: z.object({ groupid: codec.id }),
  output: z.object({
    groupid: z.number(),
    name: z.string(),
    isAgent: codec.flag,
    health: enterpriseHealth,
    /** Its own sites by tone: what the list of its sites counts. */
    tones: toneCounts,
    /** Sites of the enterprises below it, by tone, and how many direct customers it has. */
    customerTones: toneCounts,
    customers: z.number(),
    /** Sites that are bad or need attention, the worst first, the first eight. */
    sites: z.array(
      z.object({
        id: z.number(),
        name: z.string(),
        groupid: z.number(),
        enterpriseName: z.string(),
        lastOnline: codec.instant.nullable(),
        ...healthFields,
      }),
    ),
    /** What concerns it of what is wrong now, the worst first; the first eight of `causeCount`. */
    causes: z.array(rootCause),
    causeCount: z.number(),
    /** Open alarms of it and of those below it by severity, and those that no one has acknowledged. */
    alarms: z.array(
      z.object({ level: codec.code(alarmLevels), open: z.number(), waiting: z.number() }),
    ),
    /** What it has itself, without the enterprises below it. */
    has: z.object({
      cpe: z.number(),
      /** POPs of its own. */
      pop: z.number(),
      account: z.number(),
      user: z.number(),
      circuit: z.number(),
      netSpace: z.number(),
    }),
    /** Its devices, accounts and circuits, and enterprises below it, that end soon or have ended; the first eight. */
    expiring: z.array(expiring),
  }),
  // The head over tabs that other entries open.
  may: screens(
    "/sdwan-system/enterprisemanage",
    "/sdwan-system/cpe",
    "/sdwan-system/mobileTerminal/account",
    "/system/recordmanage/operaRecord",
  ),
});
