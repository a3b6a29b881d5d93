/** Health of a node: one fact, computed in one place, that lists, counts, filters and pages read. */

import { z } from "zod";
import { screens } from "#contract/access.ts";
import * as codec from "#kernel/codec.ts";
import { endpoint } from "#kernel/endpoint.ts";
import { alarmMetrics } from "./enums.ts";
import { linkExcess } from "./link-quality.ts";

/** How much a state matters; the order of counts above a list. */
export const healthTones = ["bad", "warn", "run", "unknown", "ok", "off"] as const;
export type HealthTone = (typeof healthTones)[number];

/**
 * The states of a node and the tone of each, the worst first: this is the order of lists.
 * "Unknown" is never ok, and what is only coming up is never bad.
 */
export const healthStates = {
  /** Neither the controller nor the other end of a tunnel sees the device. */
  offline: "bad",
  /** In contact, and none of its links is up. */
  cutOff: "bad",
  /** The identity of the device was used by two machines at once. */
  quarantined: "bad",
  /** The newest configuration cannot be generated, or the device refused it or rolled it back. */
  blocked: "bad",
  /** Its term of service is over. */
  expired: "warn",
  /** The controller does not reach the device, yet the other ends of its tunnels do. */
  outOfContact: "warn",
  /** Some of its WAN lines or links are down. */
  degraded: "warn",
  /** It has the gateways of its site, and the other device of its standby group could not take over. */
  withoutStandby: "warn",
  /** Loss, delay or jitter of some of its links is poor (overlay/link-quality.ts). */
  poor: "warn",
  /** A device waits for approval. */
  pending: "warn",
  /** Objects of its configuration have no effect on this device. */
  findings: "warn",
  /** The device was changed by hand. */
  drifted: "warn",
  /** A configuration waits for an operator because it removes much. */
  held: "warn",
  /** Its enterprise has an open alarm about it, of a severity that more than informs. */
  alarm: "warn",
  /** Approved and in contact for the first time: no configuration was ever confirmed. */
  comingUp: "run",
  /** A newer configuration is on its way. */
  delivering: "run",
  /** No device has used a claim yet. */
  unclaimed: "unknown",
  /** Approved, and never in contact since. */
  unseen: "unknown",
  online: "ok",
  rejected: "off",
  disabled: "off",
} as const satisfies Readonly<Record<string, HealthTone>>;

export type HealthState = keyof typeof healthStates;

export const healthStateList = Object.keys(healthStates) as [HealthState, ...HealthState[]];

/** Place of a state in the order of lists; 0 is the worst. */
export const healthRank = (state: HealthState): number => healthStateList.indexOf(state);

/** What an open alarm is about. */
const healthAlarm = z.object({
  metric: z.enum(alarmMetrics),
  /** The line or the ends of the link; empty: the device, or a reason that the alarm itself tells. */
  item: z.string(),
  /** Percent or ms, as measured last, and the threshold; null: nothing is measured. */
  value: z.number().nullable(),
  limit: z.number().nullable(),
});
export type HealthAlarm = z.output<typeof healthAlarm>;

/** What the sentence of a cause names; absent: nothing of that kind is wrong. */
export const healthDetail = z.object({
  /** Links or lines concerned, and all of them. */
  count: z.number().optional(),
  of: z.number().optional(),
  /** Interface of the line, name of the other end, or name of the alarm policy. */
  name: z.string().optional(),
  /** Of the worst link, percent or ms; `name` is the WAN link that it leaves by. */
  excess: linkExcess.omit({ since: true }).optional(),
  /** Of an open alarm; `name` is its policy. */
  alarm: healthAlarm.optional(),
  /** Serial of the configuration concerned. */
  serial: z.number().optional(),
});
export type HealthDetail = z.output<typeof healthDetail>;

/** Health in a row of a list of nodes. */
export const healthFields = {
  /** null: the controller has not looked at this node yet. */
  health: z.enum(healthStateList).nullable(),
  /** Since when it has been so. */
  healthSince: codec.instant.nullable(),
  healthDetail: healthDetail,
};

/** How many nodes have each tone. */
export const toneCounts = z.record(z.enum(healthTones), z.number());
export type ToneCounts = z.output<typeof toneCounts>;

/** Filter of a list by tone. */
export const toneFilter = codec.orNull(codec.oneOf(healthTones));

/** How many nodes of a kind have each tone, under the filters of their list (section 2.3). */
export const healthCounts = endpoint({
  id: "nodeHealth.counts",
  addition: "counts and filters of a list agree; the specification has no call for counts",
  method: "GET",
  path: "/customer/nodeHealth.counts",
  input: z.object({
    classType: codec.oneOf(["cpe", "pop"]),
    name: codec.orNull(codec.text(64)),
    groupid: codec.orNull(codec.id),
    linkStatus: codec.orNull(codec.int(0, 1)),
    key: codec.orNull(codec.text(64)),
    areaId: codec.orNull(codec.id),
  }),
  output: toneCounts,
  may: screens("/sdwan-system/cpe", "/sdwan-system/pop"),
});
