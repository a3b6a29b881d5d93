/** State machine of one rule for one subject. Pure, so that tests can use any order of events. */
import type { CompareType } from "@weft/contract/domains/notifications/enums.ts";

export type Phase = "quiet" | "pending" | "open" | "clearing";

/** State of a rule for one subject. Times are ms since 1970 on the database's clock. */
export interface Watch {
  readonly phase: Phase;
  /** Since when it is in this phase; of an open one, since when it held. */
  readonly since: number;
  /** Sequence of the last transition that was evaluated. */
  readonly seen: number;
  /** When it looked last. */
  readonly at: number;
}

/** One check. `holds` null: not known. */
export interface Check {
  readonly at: number;
  readonly holds: boolean | null;
  /** Of a transition; null: the state as it is. */
  readonly sequence: number | null;
}

export interface HoldTimes {
  /** Ms that it must hold before the event opens. */
  readonly durationMs: number;
  /** Ms that all must be well before the event clears. */
  readonly recoveryMs: number;
  /** Of what is known from devices, null while no gateway listens to them; absent: it is known without them. */
  readonly listening?: Listening | null;
}

/**
 * Since when gateways listen, and when devices have had the time to come back to them; ms since 1970. Time in which nobody
 * listened is no silence of a device, and no proof that all is well.
 */
export interface Listening {
  readonly since: number;
  readonly allBackAt: number;
}

/** Change of the event; `again`: the condition returned before the event had cleared. */
export interface EventChange {
  readonly kind: "open" | "again" | "clear";
  readonly at: number;
}

/** When time changes the phase of a watch; null: it does not. Ms since 1970. */
export function dueAt(
  { phase, since }: Pick<Watch, "phase" | "since">,
  { durationMs, recoveryMs, listening }: HoldTimes,
): number | null {
  if (listening === null) return null;
  const wasHeard = listening === undefined || since >= listening.since;
  if (phase === "pending") return (wasHeard ? since : listening.allBackAt) + durationMs;
  if (phase === "clearing") return (wasHeard ? since : listening.since) + recoveryMs;
  return null;
}

interface Progress {
  watch: Watch;
  readonly changes: EventChange[];
}

/** Transitions by time: a pending event opens, and one that has been clearing long enough ends. */
function elapse(progress: Progress, at: number, holdTimes: HoldTimes): void {
  const { phase, since } = progress.watch;
  const due = dueAt(progress.watch, holdTimes);
  if (due === null || at < due) return;
  if (phase === "pending") {
    progress.changes.push({ kind: "open", at: since });
    progress.watch = { ...progress.watch, phase: "open" };
  }
  if (phase === "clearing") {
    progress.changes.push({ kind: "clear", at: since });
    progress.watch = { ...progress.watch, phase: "quiet", since: at };
  }
}

function next(progress: Progress, holds: boolean | null, at: number): void {
  const { phase } = progress.watch;
  const turn = (to: Phase): void => {
    progress.watch = { ...progress.watch, phase: to, since: at };
  };
  if (holds === null) {
    // What was not observed proves neither that it held nor that it was well.
    if (phase === "pending") turn("quiet");
    if (phase === "clearing") turn("clearing");
  } else if (holds) {
    if (phase === "quiet") turn("pending");
    if (phase === "clearing") {
      progress.changes.push({ kind: "again", at });
      turn("open");
    }
  } else {
    if (phase === "pending") turn("quiet");
    if (phase === "open") turn("clearing");
  }
}

/**
 * Takes checks in their order. A transition that was seen before counts for nothing, and time never
 * runs backwards, whatever a clock says.
 * @param before null: nothing is known yet.
 */
export function advance(
  before: Watch | null,
  checks: readonly Check[],
  holdTimes: HoldTimes,
): { readonly watch: Watch; readonly changes: readonly EventChange[] } {
  const inOrder = [...checks].sort(
    (one, other) =>
      (one.sequence ?? Number.POSITIVE_INFINITY) - (other.sequence ?? Number.POSITIVE_INFINITY),
  );
  const first = inOrder[0]?.at ?? 0;
  const state: Progress = {
    watch: before ?? { phase: "quiet", since: first, seen: 0, at: first },
    changes: [],
  };
  for (const { at: reported, holds, sequence } of inOrder) {
    if (sequence !== null && sequence <= state.watch.seen) continue;
    const at = Math.max(reported, state.watch.at);
    elapse(state, at, holdTimes);
    next(state, holds, at);
    elapse(state, at, holdTimes);
    state.watch = { ...state.watch, at, seen: sequence ?? state.watch.seen };
  }
  return state;
}

/** What a rule compares a value with. */
export interface Comparison {
  readonly compareType: CompareType;
  /** Percent or ms, as is the value. */
  readonly threshold: number;
  /** How far the value must come back beyond the threshold before it counts as well. */
  readonly hysteresis: number;
}

const compares: Readonly<Record<CompareType, (value: number, threshold: number) => boolean>> = {
  1: (value, threshold) => value > threshold,
  2: (value, threshold) => value < threshold,
  3: (value, threshold) => value >= threshold,
  4: (value, threshold) => value <= threshold,
};

/**
 * Whether a value meets a rule. Between the threshold and the clearing value all stays as it is: an open
 * event stays open, and one that is clearing goes on clearing.
 */
export function meets(
  { compareType, threshold, hysteresis }: Comparison,
  value: number | null,
  phase: Phase,
): boolean | null {
  if (value === null) return null;
  if (compares[compareType](value, threshold)) return true;
  if (phase !== "open") return false;
  const isUpper = compareType === 1 || compareType === 3;
  return isUpper ? value > threshold - hysteresis : value < threshold + hysteresis;
}
