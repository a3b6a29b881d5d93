/**
 * Which links are left for better ones. A link that is left keeps its tunnel and its routes, behind those of the others:
 * the only link to somewhere carries traffic however bad it is. Pure but for what it remembers.
 */
import type { TrafficClass } from "@weft/contract/device/v1/path-classes.ts";
import type { MoveReason, PathQuality, PathState } from "@weft/contract/device/v1/paths.ts";
import type { Candidate, Group } from "./candidates.ts";
import { type Level, type Measured, margin, unmeasured } from "./quality.ts";

/** How far a link is put behind the others: 0 not at all. */
export type Rank = 0 | 1 | 2 | 3;

/** Traffic goes by another link now. Times in ms on the clock of `take`. */
export interface Move {
  readonly from: number;
  readonly to: number;
  readonly reason: MoveReason;
  /** Absent: traffic without a class. */
  readonly trafficClass?: TrafficClass;
  readonly at: number;
  readonly fromQuality: PathQuality;
  readonly toQuality: PathQuality;
}

interface LinkState {
  rank: Rank;
  leftAt: number;
  /** Ms for which it stays behind at least. */
  holdMs: number;
  /** When it was left lately. */
  readonly lefts: number[];
  /** Since when it keeps its limits with a margin; null: it does not. */
  goodSince: number | null;
  reason: MoveReason;
  /** When it returned; null: it did not. */
  returnedAt: number | null;
  /** When it died lately, and whether it is dead. */
  readonly deaths: number[];
  isDead: boolean;
}

/** Ms. */
const minuteMs = 60_000;
/** A link that was left again and again stays behind longer each time, for at most this. */
const maxHoldMs = 60 * minuteMs;
const rememberedMs = 2 * maxHoldMs;
/** A link that is good for so long may return before its time when the one in use has become bad. */
const provenMs = 30_000;
/** Deaths within ten minutes from which a link flaps, and the time for which it stays behind then. */
const flapping = { deaths: 3, withinMs: 10 * minuteMs, holdMs: 2 * minuteMs } as const;
/** Moves of a group within the span of `returnAfter` after which only a dead link is left. */
const maxMoves = 4;
const settleGoodMs = 20_000;
/** Share of a limit up to which a link is clearly good: what looks bad first may be both. */
const clear = 0.6;

const causes = { loss: "loss", delay: "delay", jitter: "jitter" } as const;

const without = (times: readonly number[], now: number, span: number): number[] =>
  times.filter((at) => now - at < span);

export class Choice {
  readonly #returnAfterMs: () => number;
  readonly #states = new Map<number, LinkState>();
  #groups: readonly Group[] = [];
  #used = new Map<string, readonly number[]>();
  readonly #moved = new Map<string, number[]>();

  /** @param returnAfterMs for which a link that was left stays behind at least */
  constructor(returnAfterMs: () => number) {
    this.#returnAfterMs = returnAfterMs;
  }

  /** Ranks other than 0 by link, for the routes and for the disk. */
  get ranks(): ReadonlyMap<number, Rank> {
    return new Map(
      [...this.#states].flatMap(([id, { rank }]) => (rank > 0 ? [[id, rank] as const] : [])),
    );
  }

  /** Links that carry the traffic of each group. */
  get usedByGroup(): ReadonlyMap<string, readonly number[]> {
    return this.#used;
  }

  /** Links that carry traffic of some group. */
  get used(): ReadonlySet<number> {
    return new Set([...this.#used.values()].flat());
  }

  isFlapping(id: number): boolean {
    const known = this.#states.get(id);
    return known?.reason === "flapping" && known.rank > 0;
  }

  /** The links of a state; those that were left before a restart of the program stay behind. */
  keep(groups: readonly Group[], left: ReadonlyMap<number, Rank>, now: number): void {
    const ids = new Set(groups.flatMap(({ links }) => links.map(({ id }) => id)));
    for (const id of this.#states.keys()) if (!ids.has(id)) this.#states.delete(id);
    for (const id of ids) {
      const rank = left.get(id) ?? 0;
      if (this.#states.has(id)) continue;
      const held = {
        holdMs: this.#returnAfterMs(),
        lefts: [],
        goodSince: null,
        returnedAt: null,
        deaths: [],
      };
      const before = { rank, leftAt: now, isDead: false, reason: "loss" as const };
      this.#states.set(id, { ...held, ...before });
    }
    this.#groups = groups;
    const keys = new Set(groups.map(({ key }) => key));
    for (const key of this.#moved.keys()) if (!keys.has(key)) this.#moved.delete(key);
    this.#used = new Map(groups.map((group) => [group.key, this.#carriers(group)]));
  }

  /**
   * @param measured directions by link; those that are not there are not known
   * @param now ms on a clock that no time change moves
   * @returns what moved
   */
  take(measured: ReadonlyMap<number, Measured>, now: number): Move[] {
    for (const [id, known] of this.#states)
      this.#follow(known, measured.get(id) ?? unmeasured, now);
    for (const group of this.#groups) this.#improve(group, measured, now);
    return this.#moves(measured, now);
  }

  /** Links that compete with this one, for those that must be known well at the same time. */
  rivals(id: number): number[] {
    const groups = this.#groups.filter(({ links }) => links.some((link) => link.id === id));
    return [...new Set(groups.flatMap(({ links }) => links.map((link) => link.id)))];
  }

  /** Links that might take the traffic of a bad one, and are not known well enough for it. */
  unsure(measured: ReadonlyMap<number, Measured>): number[] {
    const isBad = (id: number) => {
      const level = measured.get(id)?.level ?? 0;
      return level > 0 && this.#states.get(id)?.isDead !== true;
    };
    return this.#groups.flatMap(({ key, links }) =>
      (this.#used.get(key) ?? []).some(isBad)
        ? links.map(({ id }) => id).filter((id) => isUnsure(measured.get(id) ?? unmeasured))
        : [],
    );
  }

  #follow(
    known: LinkState,
    { state, level, longBadness, calmBadness }: Measured,
    now: number,
  ): void {
    const isDead = state === "blackout";
    if (isDead && !known.isDead) {
      const deaths = [...without(known.deaths, now, flapping.withinMs), now];
      known.deaths.splice(0, known.deaths.length, ...deaths);
      if (deaths.length >= flapping.deaths) this.#leave(known, 3, "flapping", now, flapping.holdMs);
    }
    known.isDead = isDead;
    if (level === null) return;
    if (level === 3 || longBadness > margin) known.goodSince = null;
    else known.goodSince ??= now;
    if (known.rank === 0 || known.goodSince === null) return;
    const isOver = now - known.leftAt >= known.holdMs && calmBadness <= margin;
    if (!isOver || now - known.goodSince < Math.min(settleGoodMs, known.holdMs)) return;
    known.rank = 0;
    known.returnedAt = now;
  }

  #leave(known: LinkState, rank: Rank, reason: MoveReason, now: number, holdMs: number): void {
    const lefts = [...without(known.lefts, now, rememberedMs), now];
    known.lefts.splice(0, known.lefts.length, ...lefts);
    known.rank = rank;
    known.leftAt = now;
    known.reason = reason;
    known.holdMs = Math.min(maxHoldMs, holdMs * 2 ** (lefts.length - 1));
  }

  /** Leaves the links of a group that are bad, where there is a better one. */
  #improve(group: Group, measured: ReadonlyMap<number, Measured>, now: number): void {
    for (const id of this.#carriers(group)) {
      const known = this.#states.get(id);
      const measures = measured.get(id) ?? unmeasured;
      if (
        !known ||
        measures.level === null ||
        measures.level === 0 ||
        measures.state === "blackout"
      )
        continue;
      if (
        measures.level < 3 &&
        (this.#isRestless(group, now) || this.#isOnTrial(known, measures, now))
      )
        continue;
      const better = this.#betterThan(group, id, measures, measured, now);
      if (!better) continue;
      const other = this.#states.get(better.id);
      const [from] = group.links.filter((link) => link.id === id);
      if (!other || !from) continue;
      // It is good now, and the one in use is not: what it was left for is over.
      if (other.rank > 0 && measured.get(better.id)?.level === 0) other.rank = 0;
      const reason = measures.cause === null ? "oneWay" : causes[measures.cause];
      this.#leave(known, measures.level as Exclude<Level, 0>, reason, now, this.#returnAfterMs());
    }
  }

  /** A link at its limit that has just returned is not left again for being at its limit. */
  #isOnTrial({ returnedAt }: LinkState, { badness }: Measured, now: number): boolean {
    return returnedAt !== null && now - returnedAt < this.#returnAfterMs() && badness < 2;
  }

  #isRestless({ key }: Group, now: number): boolean {
    return without(this.#moved.get(key) ?? [], now, this.#returnAfterMs()).length >= maxMoves;
  }

  #betterThan(
    { links }: Group,
    id: number,
    measures: Measured,
    measured: ReadonlyMap<number, Measured>,
    now: number,
  ): Candidate | undefined {
    const fits = (candidate: Candidate): boolean => {
      const other = measured.get(candidate.id) ?? unmeasured;
      if (candidate.id === id || other.level === null || measures.level === null) return false;
      if (!other.isKnown || other.level >= measures.level) return false;
      if (other.badness > (other.level === 0 ? clear : measures.badness / 2)) return false;
      const known = this.#states.get(candidate.id);
      const isProven = known?.goodSince != null && now - known.goodSince >= provenMs;
      // Of two bad links the far better one is taken, also when it was left for the other.
      return known?.rank === 0 || other.level > 0 || isProven;
    };
    const levelOf = ({ id: other }: Candidate) => measured.get(other)?.level ?? 3;
    return links
      .filter(fits)
      .sort((a, b) => levelOf(a) - levelOf(b) || b.preference - a.preference)[0];
  }

  /** Links that the routes prefer, as far as they live; all the best when none does. */
  #carriers({ links }: Group): readonly number[] {
    const living = links.filter(({ id }) => this.#states.get(id)?.isDead !== true);
    const all = living.length > 0 ? living : links;
    const worthOf = ({ id, preference }: Candidate) =>
      effectivePreference(preference, this.#states.get(id)?.rank ?? 0);
    const best = Math.max(...all.map(worthOf));
    return all.filter((candidate) => worthOf(candidate) === best).map(({ id }) => id);
  }

  #moves(measured: ReadonlyMap<number, Measured>, now: number): Move[] {
    const moves = new Map<string, Move>();
    for (const group of this.#groups) {
      const [before, after] = [this.#used.get(group.key) ?? [], this.#carriers(group)];
      const gone = before.filter((id) => !after.includes(id));
      const come = after.filter((id) => !before.includes(id));
      this.#used.set(group.key, after);
      const from = gone[0] ?? before[0];
      const to = come[0] ?? after[0];
      if (gone.length + come.length === 0 || from === undefined || to === undefined) continue;
      this.#moved.set(group.key, [
        ...without(this.#moved.get(group.key) ?? [], now, rememberedMs),
        now,
      ]);
      const quality = (id: number) => (measured.get(id) ?? unmeasured).quality;
      const qualities = { fromQuality: quality(from), toQuality: quality(to) };
      moves.set(`${from} ${to}`, { from, to, reason: this.#reason(from), at: now, ...qualities });
    }
    return [...moves.values()].filter(({ from, to }) => from !== to);
  }

  #reason(from: number): MoveReason {
    const known = this.#states.get(from);
    if (known && known.rank > 0) return known.reason;
    return known?.isDead ? "blackout" : "returned";
  }
}

const isUnsure = ({ level, isKnown, badness }: Measured): boolean =>
  level === 0 && (!isKnown || badness > clear);

/** What routes are preferred by: first those of links that were not left, then as the state says. */
export const effectivePreference = (preference: number, rank: Rank): number =>
  preference + 1_000 * (3 - rank);

/** As it is shown: what was left for flapping is called so while it is good. */
export const shownState = (state: PathState, isFlapping: boolean): PathState =>
  isFlapping && (state === "ok" || state === "unknown") ? "flapping" : state;
