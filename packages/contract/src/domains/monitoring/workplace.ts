/** What the first screen shows (screens.md, "Workplace"): trouble first, all of it in scope. */
import { z } from "zod";
import { toneCounts } from "#domains/devices/health.ts";
import * as codec from "#kernel/codec.ts";
import { endpoint } from "#kernel/endpoint.ts";
import * as money from "#rules/money.ts";

/** Why something needs a person, the worst first. */
export const attentionKinds = [
  "cpeOffline",
  "popOffline",
  "linkDown",
  "expired",
  "blocked",
  "held",
  "drift",
  "enrolment",
] as const;

const reading = z.number().nullable();

export const workplace = endpoint({
  id: "dashboard.workplace",
  method: "GET",
  path: "/customer/dashboard/workplace",
  input: z.object({}),
  output: z.object({
    counts: z.object({
      enterprise: z.number(),
      cpe: z.number(),
      cpeOnline: z.number(),
      /** CPEs that were never seen. */
      cpeUnseen: z.number(),
      cpeTones: toneCounts,
      pop: z.number(),
      popOnline: z.number(),
      popTones: toneCounts,
      link: z.number(),
      linkUp: z.number(),
      netSpace: z.number(),
    }),
    /** bit/s over all lines of the CPEs in scope, 24 hours; empty: there is no store of metrics. */
    traffic: z.array(z.object({ time: codec.instant, inRate: reading, outRate: reading })),
    /** The first ten; `attention` says how many there are. */
    alarms: z.array(
      z.object({
        kind: z.enum(attentionKinds),
        /** Of the node, or of the link for linkDown. */
        id: z.number(),
        name: z.string(),
        enterpriseName: z.string(),
        since: codec.instant.nullable(),
      }),
    ),
    attention: z.number(),
    /** Due within the days that the caller's enterprise counts as soon, the first ten. */
    expiring: z.array(
      z.object({
        kind: z.enum(["cpe", "pop", "enterprise"]),
        id: z.number(),
        name: z.string(),
        expireTime: codec.instant,
      }),
    ),
    /** Deliveries that are under way, by state. */
    tasks: z.object({ waiting: z.number(), pulled: z.number(), failed: z.number() }),
    changes: z.array(
      z.object({
        id: z.number(),
        loginName: z.string(),
        module: z.string(),
        action: z.string(),
        rowName: z.string(),
        createTime: codec.instant,
      }),
    ),
    /** Direct customers, the one that is nearest to its limit first; the first ten. */
    customers: z.array(
      z.object({
        groupid: z.number(),
        name: z.string(),
        /** CPEs of the customer and of all below it. */
        cpe: z.number(),
        cpeOnline: z.number(),
        tones: toneCounts,
        balance: money.sum,
        creditLimit: money.sum,
      }),
    ),
    /** The caller's own credit. */
    balance: money.sum,
    creditLimit: money.sum,
  }),
  may: null,
});
