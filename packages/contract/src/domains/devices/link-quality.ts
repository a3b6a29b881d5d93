/**
 * How well a link does: the limits of each class of traffic, and when a link counts as beyond them. Classes of traffic,
 * the alarm policy that an installation starts with, health, lists and charts have their limits from here.
 */
import { z } from "zod";
import type { TrafficClass } from "#contract/device/v1/path-classes.ts";
import * as codec from "#kernel/codec.ts";

/** Percent, and ms of round trip and of jitter; null: the class has no limit. */
export interface ClassLimits {
  readonly loss: number;
  readonly delay: number | null;
  readonly jitter: number | null;
}

/** Above which values a link no longer does well. */
export interface LinkLimits {
  readonly loss: number;
  readonly delay: number;
  readonly jitter: number;
}

/**
 * Unless an enterprise sets others: what conversations, transactions and transfers notice (ITU-T G.114, G.1010;
 * RFC 4594). The round trip of conversations is twice the one-way delay that G.114 calls good (150 ms).
 */
export const classLimits = {
  realtime: { loss: 1, delay: 300, jitter: 30 },
  transactional: { loss: 2, delay: 300, jitter: null },
  bulk: { loss: 10, delay: null, jitter: null },
  default: { loss: 2, delay: 250, jitter: 50 },
} as const satisfies Readonly<Record<TrafficClass | "default", ClassLimits>>;

/**
 * Grades of what is measured. Above "fair" a link does not do for conversations, above "poor" not for transactions
 * either; of their delay and jitter twice what G.114 calls acceptable (400 ms one way).
 */
export const linkLimits: Readonly<Record<"fair" | "poor", LinkLimits>> = {
  fair: classLimits.realtime,
  poor: { loss: classLimits.transactional.loss, delay: 800, jitter: 100 },
};

export const qualityGrades = ["good", "fair", "poor"] as const;
export type QualityGrade = (typeof qualityGrades)[number];

/** What of a link was measured: percent, ms, ms; null: nothing. */
export interface Measured {
  readonly loss: number | null;
  readonly delay: number | null;
  readonly jitter: number | null;
}

const exceeds = ({ loss, delay, jitter }: Measured, limits: LinkLimits): boolean =>
  (loss ?? 0) > limits.loss || (delay ?? 0) > limits.delay || (jitter ?? 0) > limits.jitter;

/** The grade of what was measured over some time, such as a step of a chart; null: nothing was measured. */
export function qualityGrade(measured: Measured): QualityGrade | null {
  if (measured.delay === null && measured.loss === null) return null;
  if (exceeds(measured, linkLimits.poor)) return "poor";
  return exceeds(measured, linkLimits.fair) ? "fair" : "good";
}

/** What is beyond its limit. Only one direction of a link works, or it goes up and down: these have no value. */
export const excessMetrics = ["loss", "delay", "jitter", "oneWay", "flapping"] as const;
export type ExcessMetric = (typeof excessMetrics)[number];

/** Why a link counts as poor: one fact that lists, pages, the topology and the health of nodes show alike. */
export const linkExcess = z.object({
  metric: z.enum(excessMetrics),
  /** Mean of the window, percent or ms, and the limit of the strictest class; null: the metric has no value. */
  value: z.number().nullable(),
  limit: z.number().nullable(),
  since: codec.instant,
});
export type LinkExcess = z.output<typeof linkExcess>;

/**
 * When a link counts as beyond its limits. The mean of the window decides, over so many of its minutes at least: neither
 * one sample nor one bad minute makes a link poor. It is poor until the mean is clearly below the limit again.
 */
export const qualityWindow = {
  /** Whole minutes. */
  minutes: 5,
  /** Minutes above the limit before a link is called poor. */
  least: 2,
  /** Share of the limit that the mean must fall to. */
  clearAt: 0.6,
} as const;

/** Means of the last whole minutes of a link, the newest first, of each metric. */
export interface MinuteMeans {
  readonly loss: readonly number[];
  readonly delay: readonly number[];
  readonly jitter: readonly number[];
  /** End of the newest. */
  readonly until: Date;
}

const minuteMs = 60_000;
const measuredMetrics = ["loss", "delay", "jitter"] as const;

const meanOf = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length;

/** One decimal, as it is shown. */
const rounded = (value: number): number => Math.round(value * 10) / 10;

function excessOf(
  metric: (typeof measuredMetrics)[number],
  limit: number,
  means: MinuteMeans,
  before: LinkExcess | null,
): LinkExcess | null {
  const values = means[metric];
  const mean = meanOf(values);
  const wasPoor = before?.metric === metric;
  if (mean <= limit * (wasPoor ? qualityWindow.clearAt : 1)) return null;
  const above = values.filter((value) => value > limit).length;
  if (!wasPoor && above < qualityWindow.least) return null;
  const first = values.findLastIndex((value) => value > limit);
  const since = new Date(means.until.getTime() - (first + 1) * minuteMs);
  return { metric, value: rounded(mean), limit, since: wasPoor ? before.since : since };
}

/**
 * What of a link is beyond the limits; null: nothing. Of several the one that is most above its limit.
 * @param before what was, so that a link near a limit does not change with every minute.
 */
export function assessLink(
  means: MinuteMeans,
  limits: ClassLimits,
  before: LinkExcess | null,
): LinkExcess | null {
  // A link that came back a moment ago: nothing new is known of it.
  if (means.loss.length < qualityWindow.least) return before;
  const excesses = measuredMetrics.flatMap((metric) => {
    const limit = limits[metric];
    const excess = limit === null ? null : excessOf(metric, limit, means, before);
    return excess === null ? [] : [excess];
  });
  const kept = excesses.find(({ metric }) => metric === before?.metric);
  const share = ({ value, limit }: LinkExcess): number => (value ?? 0) / (limit ?? 1);
  return kept ?? excesses.toSorted((a, b) => share(b) - share(a))[0] ?? null;
}
