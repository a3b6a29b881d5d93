/** Quality of the direction that a link's end sends in, from the reports of the other end. Pure but for what it remembers. */
import type { PathLimits, TrafficClass } from "@weft/contract/device/v1/path-classes.ts";
import type { PathQuality, PathState } from "@weft/contract/device/v1/paths.ts";
import { LossEvidence } from "./evidence.ts";
import { distance32, type Report } from "./wire.ts";

/** Counts of the reports at one moment. */
interface Sample {
  /** Ms. */
  readonly at: number;
  readonly highest: number;
  readonly received: number;
  readonly rttMs: number | null;
  readonly jitterMs: number;
}

/** Ms over which loss is shown, and over which delay and jitter are looked at. */
const lossMs = 10_000;
const timesMs = 2_000;
/** Ms over which a direction that was bad is looked at before it may take traffic over again in an emergency. */
const settledMs = 30_000;
const markMs = 5_000;
/** Ms by which a packet may come after those that were sent later. */
const lateMs = 80;
/** Ms and packets for which the other end's reports say that nothing gets there until a direction counts as dead. */
const deafMs = 1_000;
const deafPackets = 6;
/** Packets of the last seconds without which a direction is not known well enough to take traffic over. */
const enough = 60;
/** Periods of the other end, and ms at least, without a packet of it: nothing is known of the direction any more. */
const silentPeriods = 5;
const silentMs = 1_500;
/** What a direction is held against: null is traffic without a class. */
export type Limits = ReadonlyMap<TrafficClass | null, PathLimits>;

/** Times a limit from which a direction is very bad. */
const heavy = 4;
/** Share of each limit that a direction keeps to be called good again. */
export const margin = 0.5;

/** 0: within its limits; 1: over one of them; 2: far over; 3: nothing gets there. Null: not known. */
export type Level = 0 | 1 | 2 | 3;

export interface Measured {
  readonly state: Exclude<PathState, "flapping">;
  readonly level: Level | null;
  /** The worst of its values, as a multiple of the limit of that; of loss below it, what speaks for more. */
  readonly badness: number;
  /** The same over half a minute, and over the time after which a link that was left may return. */
  readonly longBadness: number;
  readonly calmBadness: number;
  /** Enough packets were sent lately. */
  readonly isKnown: boolean;
  /** Which limit is meant; null: none is passed. */
  readonly cause: "loss" | "delay" | "jitter" | null;
  readonly quality: PathQuality;
}

const unknownQuality: PathQuality = { lossPercent: null, rttMs: null, jitterMs: null };
export const unmeasured: Measured = {
  state: "unknown",
  level: null,
  badness: 0,
  longBadness: 0,
  calmBadness: 0,
  isKnown: false,
  cause: null,
  quality: unknownQuality,
};

/** What three quarters of the values are above: a single wait is no quality of a line. */
const lowerQuartile = (values: readonly number[]): number | null => {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor((sorted.length - 1) / 4)] ?? null;
};

const rounded = (value: number | null): number | null =>
  value === null ? null : Math.round(value * 1_000) / 1_000;

export class Direction {
  readonly boot: number;
  #era: number | null = null;
  #samples: Sample[] = [];
  /** Counts every few seconds, for what is to be good for long. */
  #marks: Sample[] = [];
  /** What speaks for loss above each of the limits. */
  readonly #evidence = new Map<TrafficClass | null, LossEvidence>();
  #missedAt = Number.NEGATIVE_INFINITY;
  /** Reports whose missing packets may still come late, and how many were lost before them. */
  #recent: { readonly at: number; readonly sent: number; readonly missing: number }[] = [];
  #gone = 0;
  #advancedAt: number | null = null;
  #reportedAt = 0;
  /** Packets up to this number were sent while the link was dead. */
  #ignoredTo = 0;
  #sent = 0;
  #sentAtAdvance = 0;

  /** @param boot of this run, as the packets carry it */
  constructor(boot: number) {
    this.boot = boot;
  }

  /** Number of the next packet. */
  next(): number {
    this.#sent += 1;
    return this.#sent % 2 ** 32;
  }

  /**
   * @param at ms on a clock that no time change moves
   * @param rttMs null: it was not to be measured
   * @param keptMs for which a direction that was left has to be looked at
   */
  take(
    report: Report,
    at: number,
    rttMs: number | null,
    { limits, keptMs }: { readonly limits: Limits; readonly keptMs: number },
  ): void {
    if (report.boot !== this.boot) return;
    if (this.#era === null && distance32(this.#ignoredTo, report.highest) < 0) return;
    this.#reportedAt = at;
    const { highest, received, jitterUs, era } = report;
    const sample = { at, highest, received, rttMs, jitterMs: jitterUs / 1_000 };
    const last = this.#era === era ? this.#samples.at(-1) : undefined;
    const step = last ? distance32(last.highest, highest) : 1;
    if (step < 0) return;
    if (last) this.#count(step, step - (received - last.received), limits, at);
    else {
      [this.#samples, this.#marks, this.#recent, this.#era] = [[], [], [], era];
      this.#gone = 0;
    }
    if (step > 0) {
      this.#advancedAt = at;
      this.#sentAtAdvance = this.#sent;
    }
    this.#samples.push(sample);
    if (at - (this.#samples[0]?.at ?? at) > 2 * lossMs)
      this.#samples = this.#samples.filter((kept) => at - kept.at <= lossMs);
    const mark = this.#marks.at(-1);
    const spanMs = Math.max(settledMs, keptMs);
    if (!mark || at - mark.at >= markMs)
      this.#marks = [...this.#marks.filter((kept) => at - kept.at <= spanMs), sample];
  }

  /** @param missing less than 0: some that were missing before came late */
  #count(sent: number, missing: number, limits: Limits, at: number): void {
    const before = this.#recent.at(-1)?.missing ?? this.#gone;
    if (missing > 0) this.#missedAt = at;
    this.#recent.push({ at, sent, missing: before + missing });
    while (at - (this.#recent[0]?.at ?? at) >= lateMs) {
      // Never more than at a later moment: what came late was not lost.
      const gone = Math.min(...this.#recent.map((recent) => recent.missing));
      const lost = Math.max(0, gone - this.#gone);
      const { sent: of = 0 } = this.#recent.shift() ?? {};
      this.#gone = Math.max(gone, this.#gone);
      for (const [name, { loss }] of limits)
        this.#evidenceOf(name).take(Math.max(0, of - lost), lost, loss, at);
    }
  }

  /**
   * What it is for each of the limits.
   *
   * @param lastCame ms when the other end's last packet came; null: none did
   * @param periodMs of the other end's packets
   * @param answers whether the link lives as far as others say; null: not known
   */
  measured(
    limits: Limits,
    now: number,
    { lastCame, periodMs }: { readonly lastCame: number | null; readonly periodMs: number },
    answers: boolean | null,
  ): ReadonlyMap<TrafficClass | null, Measured> {
    const each = (of: (name: TrafficClass | null, limits: PathLimits) => Measured) =>
      new Map([...limits].map(([name, some]) => [name, of(name, some)]));
    if (answers === false) {
      // What is missing then says nothing of the time after it.
      this.#era = null;
      this.#ignoredTo = this.#sent;
      return each(() => ({ ...unmeasured, state: "blackout", level: 3 }));
    }
    const isSilent =
      lastCame === null || now - lastCame > Math.max(silentMs, silentPeriods * periodMs);
    if (isSilent || this.#advancedAt === null) return each(() => unmeasured);
    if (this.#isDeaf()) {
      const quality = { ...unknownQuality, lossPercent: 100 };
      const deaf = { ...unmeasured, state: "oneWay", level: 3, quality } as const;
      return each((_name, { loss }) => ({ ...deaf, badness: 100 / loss }));
    }
    return each((name, some) => this.#assessed(name, some, now));
  }

  /** Something was missing within the span. */
  isSuspect(now: number, spanMs: number): boolean {
    return now - this.#missedAt <= spanMs;
  }

  #isDeaf(): boolean {
    const isOld = this.#reportedAt - (this.#advancedAt ?? 0) > deafMs;
    return isOld && this.#sent - this.#sentAtAdvance >= deafPackets;
  }

  #evidenceOf(name: TrafficClass | null): LossEvidence {
    const known = this.#evidence.get(name) ?? new LossEvidence();
    this.#evidence.set(name, known);
    return known;
  }

  #assessed(name: TrafficClass | null, limits: PathLimits, now: number): Measured {
    const { percent, sent } = lossSince(this.#samples, now - lossMs);
    const recent = this.#samples.slice(indexSince(this.#samples, now - timesMs));
    const rttMs = lowerQuartile(recent.flatMap((sample) => sample.rttMs ?? []));
    const jitterMs = lowerQuartile(recent.map((sample) => sample.jitterMs));
    const { isBad, weight } = this.#evidenceOf(name);
    const ratios = [
      ["loss", isBad ? Math.max(1.01, percent / limits.loss) : Math.min(1, weight)],
      ["delay", (rttMs ?? 0) / limits.rtt],
      ["jitter", (jitterMs ?? 0) / limits.jitter],
    ] as const;
    const [cause, badness] = ratios.reduce((one, other) => (other[1] > one[1] ? other : one));
    const level = badness <= 1 ? 0 : badness <= heavy ? 1 : 2;
    const long = (from: number) =>
      Math.max(badness, lossSince(this.#marks, from).percent / limits.loss);
    return {
      state: level === 0 ? "ok" : "brownout",
      level,
      badness,
      isKnown: sent >= enough,
      longBadness: long(now - settledMs),
      calmBadness: long(0),
      cause: level === 0 ? null : cause,
      quality: {
        lossPercent: rounded(percent),
        rttMs: rounded(rttMs),
        jitterMs: rounded(jitterMs),
      },
    };
  }
}

/** Index of the first sample that is not older. */
const indexSince = (samples: readonly Sample[], from: number): number => {
  let at = samples.length;
  while (at > 0 && (samples[at - 1]?.at ?? 0) >= from) at -= 1;
  return at;
};

const lossSince = (samples: readonly Sample[], from: number) => {
  const first = samples[Math.max(0, indexSince(samples, from) - 1)];
  const last = samples.at(-1);
  const sent = first && last ? distance32(first.highest, last.highest) : 0;
  const received = first && last ? last.received - first.received : 0;
  return { sent, percent: sent <= 0 ? 0 : (100 * Math.max(0, sent - received)) / sent };
};
