/**
 * Measures links in both directions and chooses between them, without sockets and clocks: what is due is asked for, and
 * what came is given. One for all links of a device. Pure but for what it remembers.
 */
import type { TrafficClass } from "@weft/contract/device/v1/path-classes.ts";
import {
  defaultPaths,
  type PathQuality,
  type PathState,
  type PathsSection,
} from "@weft/contract/device/v1/paths.ts";
import { Arrivals } from "./arrivals.ts";
import type { Group } from "./candidates.ts";
import { Choice, type Move, type Rank, shownState } from "./choice.ts";
import {
  ClassChoices,
  type ClassRanks,
  type MeasuredByClass,
  measuredFor,
} from "./class-choice.ts";
import { Doubts, paceOf, periods } from "./pace.ts";
import { Direction, type Limits } from "./quality.ts";
import { distance32, modulo32, type Probe, type Report } from "./wire.ts";

interface Link {
  readonly arrivals: Arrivals;
  readonly direction: Direction;
  limits: Limits;
  dueAt: number;
  periodMs: number;
}

/** What is known of the direction of a link that this device sends in. */
export interface PathReport {
  readonly link: number;
  readonly state: PathState;
  readonly used: boolean;
  readonly left: boolean;
  /** Classes whose traffic goes by it; absent: there are none. */
  readonly classes?: TrafficClass[];
  readonly quality: PathQuality;
}

/** What is measured from now on. */
export interface Watched {
  readonly section: PathsSection;
  /** Links, and the space of each. */
  readonly links: ReadonlyMap<number, number>;
  readonly groups: readonly Group[];
  /** Ranks of links that were left before this program started. */
  readonly left: ReadonlyMap<number, Rank>;
  readonly classLeft: ClassRanks;
}

/** What others know of the links now. */
export interface Surroundings {
  /** Whether they answer, by link; those that are not there are not known. */
  readonly answers: ReadonlyMap<number, boolean>;
  /** Those that carry more than a few packets per second. */
  readonly busy: ReadonlySet<number>;
}

/** Ms between two packets to an end that waits for reports. */
const wantedMs = 25;
/** Ms in which a missing packet makes a link suspect. */
const freshMs = 400;
/**
 * Without a packet of the other end for so long, at the pace that it was asked for, a link carries no exceptions of
 * classes: they fall back to what routing decides, which is noticed by BFD. Then it has to answer for a while.
 */
const quietMs = { silent: 500, answering: 2_000 } as const;
/** Of the other end's packets, which come more seldom where it has thousands of such links. */
const quietPeriods = 3;

/** Of each class of a link's space. */
const limitsOf = ({ limits, spaces = [] }: PathsSection, spaceId: number): Limits => {
  const space = spaces.find((space) => space.spaceId === spaceId);
  return new Map([
    [null, space?.limits ?? limits],
    ...(space?.classes ?? []).map(
      (trafficClass) => [trafficClass.name, trafficClass.limits] as const,
    ),
  ]);
};

export class Engine {
  readonly #boot: number;
  readonly #links = new Map<number, Link>();
  readonly #doubts = new Doubts();
  readonly #choice: Choice;
  readonly #classes: ClassChoices;
  #section: PathsSection = defaultPaths;
  #measured: MeasuredByClass = new Map();
  /** Links that carry traffic of classes to where other traffic does not go by them. */
  #exceptions: ReadonlySet<number> = new Set();
  /** Since when links with exceptions of classes have answered again, and when this program last stood still. */
  readonly #answersSince = new Map<number, number>();
  #stoodStillAt = Number.NEGATIVE_INFINITY;

  /** @param boot of this run: 32 bits, another at each start */
  constructor(boot: number) {
    this.#boot = boot;
    const returnAfterMs = () => this.#section.returnAfter * 1_000;
    this.#choice = new Choice(returnAfterMs);
    this.#classes = new ClassChoices(returnAfterMs);
  }

  get ranks(): ReadonlyMap<number, Rank> {
    return this.#choice.ranks;
  }

  get classRanks(): ClassRanks {
    return this.#classes.ranks;
  }

  /** Links whose other end gets what is sent, as far as it is known. */
  get living(): ReadonlySet<number> {
    return new Set(
      [...this.#measured].flatMap(([id, byClass]) => {
        const level = byClass.get(null)?.level ?? 3;
        return level < 3 ? [id] : [];
      }),
    );
  }

  /** Ms when the next packet is due; a long time from now: there are no links. */
  get nextAt(): number {
    let next = Number.POSITIVE_INFINITY;
    for (const { dueAt } of this.#links.values()) next = Math.min(next, dueAt);
    return next;
  }

  /**
   * Measures these links from now on.
   * @param now ms on a clock that no time change moves
   */
  keep({ section, links, groups, left, classLeft }: Watched, now: number): void {
    this.#section = section;
    for (const id of this.#links.keys()) if (!links.has(id)) this.#links.delete(id);
    for (const [id, spaceId] of links) {
      const limits = limitsOf(section, spaceId);
      const before = this.#links.get(id);
      if (before) {
        before.limits = limits;
        continue;
      }
      const direction = new Direction(this.#boot);
      const known = { arrivals: new Arrivals(), direction, limits, periodMs: periods.used };
      // Not all of them at once.
      this.#links.set(id, { ...known, dueAt: now + ((id * 37) % periods.used) });
    }
    this.#doubts.keep(new Set(links.keys()));
    this.#choice.keep(groups, left, now);
    this.#classes.keep(section.spaces ?? [], groups, classLeft, now);
  }

  /**
   * A packet came.
   * @param atUs on the clock of `keep`, in µs
   * @param isPunctual false: it may have waited for this program
   */
  receive(probe: Probe, atUs: number, isPunctual: boolean): void {
    const link = this.#links.get(probe.link);
    if (!link) return;
    link.arrivals.take(probe, atUs, isPunctual);
    if (probe.isUrgent) link.dueAt = Math.min(link.dueAt, atUs / 1_000 + wantedMs);
    if (!probe.report) return;
    const now = atUs / 1_000;
    const rttMs = isPunctual ? rttOf(probe.report, atUs) : null;
    const { limits } = link;
    const keptMs = this.#section.returnAfter * 1_000;
    link.direction.take(probe.report, now, rttMs, { limits, keptMs });
    const jitterMs = probe.report.jitterUs / 1_000;
    const isSlow = [...limits.values()].some(
      ({ rtt, jitter }) => (rttMs ?? 0) > rtt || jitterMs > jitter,
    );
    if (isSlow || link.direction.isSuspect(now, freshMs)) this.#suspect(probe.link, now);
  }

  /** This program stood still: packets that came meanwhile may be lost. */
  stoodStill(now: number): void {
    this.#stoodStillAt = now;
    for (const { arrivals } of this.#links.values()) arrivals.forget();
  }

  /** Packets that are to be sent now. */
  due(now: number): Probe[] {
    const probes: Probe[] = [];
    for (const [id, link] of this.#links) {
      if (now < link.dueAt) continue;
      const isLate = now - link.dueAt > link.periodMs;
      link.dueAt = isLate ? now + link.periodMs : link.dueAt + link.periodMs;
      probes.push({
        link: id,
        boot: this.#boot,
        sequence: link.direction.next(),
        sentAt: modulo32(now * 1_000),
        periodMs: link.periodMs,
        isUrgent: this.#doubts.has(id, now) || this.#exceptions.has(id),
        report: link.arrivals.report(now * 1_000),
      });
    }
    return probes;
  }

  /** Looks at all directions, and leaves links for better ones. @returns what moved */
  assess(now: number, { answers, busy }: Surroundings): Move[] {
    this.#measured = new Map(
      [...this.#links].map(([id, { arrivals, direction, limits }]) => {
        const came = arrivals.lastAt;
        const other = {
          lastCame: came === null ? null : came / 1_000,
          periodMs: arrivals.periodMs,
        };
        return [id, direction.measured(limits, now, other, answers.get(id) ?? null)];
      }),
    );
    const plain = measuredFor(this.#measured, null);
    const moves = [...this.#choice.take(plain, now), ...this.#classes.take(this.#measured, now)];
    this.#exceptions = this.#classes.exceptions(this.#choice.usedByGroup);
    const unsure = [...this.#choice.unsure(plain), ...this.#classes.unsure(this.#measured)];
    for (const id of unsure) this.#doubts.insist(id, now);
    this.#pace(now, busy);
    return moves;
  }

  /** Links that have been silent for a moment: no exceptions of classes may lead there. */
  quiet(now: number): ReadonlySet<number> {
    const quiet = new Set<number>();
    for (const [id, { arrivals }] of this.#links) {
      if (!this.#exceptions.has(id)) {
        this.#answersSince.delete(id);
        continue;
      }
      const came = (arrivals.lastAt ?? Number.NEGATIVE_INFINITY) / 1_000;
      const silentMs = Math.max(quietMs.silent, quietPeriods * arrivals.periodMs);
      const isSilent = now - Math.max(came, this.#stoodStillAt) > silentMs;
      if (isSilent) this.#answersSince.set(id, Number.POSITIVE_INFINITY);
      const since = this.#answersSince.get(id);
      if (since === undefined) continue;
      if (!isSilent && since > now) this.#answersSince.set(id, now);
      if (isSilent || now - (this.#answersSince.get(id) ?? now) < quietMs.answering) quiet.add(id);
      else this.#answersSince.delete(id);
    }
    return quiet;
  }

  reports(): PathReport[] {
    const { used, ranks } = this.#choice;
    return [...this.#links].flatMap(([link, { limits }]) => {
      const measured = this.#measured.get(link)?.get(null);
      if (!measured) return [];
      const { state, quality } = measured;
      const isAlone = this.#choice.rivals(link).length === 0;
      const names = [...limits.keys()].filter((name) => name !== null);
      const carried = isAlone ? names : this.#classes.classesOn(link);
      return [
        {
          link,
          state: shownState(state, this.#choice.isFlapping(link)),
          used: used.has(link) || isAlone,
          left: ranks.has(link),
          ...(names.length > 0 && { classes: carried }),
          quality,
        },
      ];
    });
  }

  #isUsed(id: number): boolean {
    return this.#choice.used.has(id) || this.#classes.used.has(id);
  }

  /** The link and those that may have to take its traffic are looked at closely. */
  #suspect(id: number, now: number): void {
    if (!this.#isUsed(id)) return;
    for (const rival of this.#choice.rivals(id)) this.#doubts.raise(rival, now);
  }

  #pace(now: number, busy: ReadonlySet<number>): void {
    const used = new Set([...this.#choice.used, ...this.#classes.used]);
    const strict = this.#classes.usedBy("realtime");
    const pace = paceOf(
      [...this.#links].map(([id, { arrivals }]) => ({
        id,
        isUsed: used.has(id),
        isBusy: busy.has(id),
        isStrict: strict.has(id),
        isDoubted: this.#doubts.has(id, now),
        wantedMs: arrivals.isUrgent ? wantedMs : null,
      })),
    );
    for (const [id, link] of this.#links) {
      link.periodMs = pace.get(id) ?? periods.spare;
      link.dueAt = Math.min(link.dueAt, now + link.periodMs);
    }
  }
}

const rttOf = ({ returned, heldUs }: Report, atUs: number): number | null => {
  const us = distance32(returned, modulo32(atUs)) - heldUs;
  return us < 0 ? null : us / 1_000;
};
