/** Where things lie on the axis of time of a site's page, and what they are called. Pure. */

import {
  type LinkLimits,
  linkLimits,
  type Measured,
  qualityGrade,
} from "@weft/contract/domains/devices/link-quality.ts";
import type {
  Mark,
  Quality,
  SiteOverview,
  Stretch,
} from "@weft/contract/domains/monitoring/site-overview.ts";

export type AxisLink = SiteOverview["links"][number];
export type QualityMetric = keyof Quality;

/** Milliseconds since 1970. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

/** Place of a moment on the axis, from 0 to 1; what lies outside is at its end. */
export const shareOf = (at: number, { from, to }: Span): number =>
  to <= from ? 0 : Math.min(1, Math.max(0, (at - from) / (to - from)));

export const gradeList = ["good", "fair", "poor", "down", "unmeasured", "unknown"] as const;
/**
 * How a link did. `unmeasured`: it was up, and nothing was measured (a gap of the store of metrics); `unknown`: not even
 * that is known.
 */
export type Grade = (typeof gradeList)[number];

export interface Segment extends Span {
  readonly grade: Grade;
}

/** Where the values of a link lie. */
export interface Steps {
  /** Start of the first. */
  readonly from: number;
  /** Seconds. */
  readonly step: number;
}

/** What was measured at a moment. */
export function measuredAt(quality: Quality | null, at: number, { from, step }: Steps): Measured {
  const index = Math.floor((at - from) / 1_000 / step);
  const of = (metric: QualityMetric): number | null => quality?.[metric][index] ?? null;
  return { loss: of("loss"), delay: of("delay"), jitter: of("jitter") };
}

const stateAt = (stretches: readonly Stretch[], at: number): Stretch["state"] =>
  stretches.find(({ from, to }) => from.getTime() <= at && at < to.getTime())?.state ?? "unknown";

/**
 * How a link did in each step. What is measured is seen: a link whose turns were not recorded counts as up while it is
 * measured; one that is down is down, whatever the mean of the step says.
 */
function gradeAt({ stretches, quality }: AxisLink, at: number, steps: Steps): Grade {
  const state = stateAt(stretches, at);
  if (state === "down") return "down";
  const grade = qualityGrade(measuredAt(quality, at, steps));
  return grade ?? (state === "up" ? "unmeasured" : "unknown");
}

/** The time of a link in pieces of one grade, in their order. */
export function segmentsOf(link: AxisLink, steps: Steps, span: Span): Segment[] {
  const segments: { from: number; to: number; grade: Grade }[] = [];
  const stepMs = steps.step * 1_000;
  const transitions = link.stretches.map(({ from }) => from.getTime());
  const first = steps.from + Math.floor((span.from - steps.from) / stepMs) * stepMs;
  const starts = new Set([
    span.from,
    ...transitions.filter((at) => at > span.from && at < span.to),
  ]);
  for (let at = first; at < span.to; at += stepMs) if (at > span.from) starts.add(at);
  const sorted = [...starts].sort((a, b) => a - b);
  for (const [index, at] of sorted.entries()) {
    const to = sorted[index + 1] ?? span.to;
    const grade = gradeAt(link, at, steps);
    const last = segments.at(-1);
    if (last?.grade === grade) last.to = to;
    else segments.push({ from: at, to, grade });
  }
  return segments;
}

/** Marks that would lie over each other, together; each group in the order of time. */
export function clustersOf(marks: readonly Mark[], span: Span, minShare: number): Mark[][] {
  const clusters: { at: number; marks: Mark[] }[] = [];
  for (const mark of marks) {
    const at = shareOf(mark.from.getTime(), span);
    const last = clusters.at(-1);
    if (last && at - last.at < minShare) last.marks.push(mark);
    else clusters.push({ at, marks: [mark] });
  }
  return clusters.map((cluster) => cluster.marks);
}

/** A limit so many times above the values would make them a flat line: it is only named. */
const tallest = 2.5;

export interface Scale {
  readonly limits: readonly { readonly name: "fair" | "poor"; readonly at: number }[];
  readonly top: number;
}

/** The limits that a chart shows, and where its axis ends. @param max the highest value */
export function scaleOf(max: number, metric: QualityMetric): Scale {
  const of = (name: "fair" | "poor") => ({ name, at: (linkLimits[name] as LinkLimits)[metric] });
  const limits =
    max === 0 ? [of("fair")] : [of("fair"), of("poor")].filter(({ at }) => at <= max * tallest);
  return { limits, top: Math.max(max, ...limits.map(({ at }) => at)) * 1.15 };
}

const hourMs = 3_600_000;
const tickSteps = [5 / 60, 10 / 60, 0.25, 0.5, 1, 2, 3, 6, 12, 24, 48, 120, 168].map(
  (hours) => hours * hourMs,
);

/** Moments that are written below the axis: round ones of the reader's clock, at most so many. */
export function ticksOf({ from, to }: Span, maxCount: number): number[] {
  const step = tickSteps.find((tickStep) => (to - from) / tickStep <= maxCount) ?? 720 * hourMs;
  const zoneMs = new Date(from).getTimezoneOffset() * 60_000;
  const first = Math.ceil((from - zoneMs) / step) * step + zoneMs;
  const count = Math.max(0, Math.floor((to - first) / step) + 1);
  return Array.from({ length: count }, (_, index) => first + index * step);
}

/** Seconds of a link in trouble within the span, for who cannot see the strip. */
export const troubleOf = (segments: readonly Segment[]): number =>
  segments
    .filter(({ grade }) => grade === "down" || grade === "poor")
    .reduce((sum, { from, to }) => sum + (to - from) / 1_000, 0);
