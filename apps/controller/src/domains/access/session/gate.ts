/**
 * Work for callers who have not logged in: checks of passwords and codes, which cost a good part of a core each.
 * A few run at a time, and who comes next is not decided by who sends most.
 */
import { refuse } from "#kernel/refuse.ts";

/** Whose work it is. */
export interface GateCaller {
  /** Where the call comes from (place.ts). */
  readonly place: string;
  /** The account was logged in to from there, or by that device, before. */
  readonly isKnown: boolean;
  /** Failed tries of the place lately. */
  readonly failed: number;
}

interface Limits {
  /** Work at a time. */
  readonly slots: number;
  /** Work that may wait. */
  readonly maxWaiting: number;
  /** Work of one place that runs or waits. */
  readonly perPlace: number;
  /** ms of a clock that no time change moves. */
  readonly now: () => number;
}

interface Waiting extends GateCaller {
  readonly since: number;
  readonly enteredAt: number;
  readonly number: number;
  start(): void;
  refuse(): void;
}

/** A place that had to be refused keeps its turn so long. */
const turnMs = 60_000;
/** Who others go before all the time does not keep its connection for longer. */
const maxWaitMs = 15_000;
const maxTurns = 10_000;

/** Known accounts first, then places with fewer failed tries, then who asked first. */
const compare = (waiting: Waiting, other: Waiting): number =>
  Number(other.isKnown) - Number(waiting.isKnown) ||
  waiting.failed - other.failed ||
  waiting.since - other.since ||
  waiting.number - other.number;

/**
 * When a place asked first for what it did not get yet. Who is refused and tries again comes before those
 * who began later: many places that each come once cannot keep one out that comes back.
 */
function createTurns(now: () => number) {
  const turns = new Map<string, number>();
  return {
    of(place: string): number {
      const at = now();
      const known = turns.get(place);
      if (known !== undefined && at - known < turnMs) return known;
      turns.delete(place);
      turns.set(place, at);
      const [oldest] = turns.keys();
      if (turns.size > maxTurns && oldest !== undefined) turns.delete(oldest);
      return at;
    },
    end: (place: string): boolean => turns.delete(place),
  };
}

export interface Gate {
  /**
   * Runs work in its turn.
   * @throws Refusal unavailable: the place has too much under way, or too much comes before it
   */
  run<T>(caller: GateCaller, work: () => Promise<T>): Promise<T>;
}

export function createGate({ slots, maxWaiting, perPlace, now }: Limits): Gate {
  /** In the order of `compare`. */
  const waiting: Waiting[] = [];
  const underWay = new Map<string, number>();
  const turns = createTurns(now);
  let running = 0;
  let numbers = 0;

  const leave = (place: string): void => {
    const left = (underWay.get(place) ?? 1) - 1;
    if (left === 0) underWay.delete(place);
    else underWay.set(place, left);
  };

  const enter = (caller: GateCaller): Promise<void> =>
    new Promise<void>((resolve, reject) => {
      const one: Waiting = {
        ...caller,
        since: turns.of(caller.place),
        enteredAt: now(),
        number: numbers++,
        start: resolve,
        refuse: () => {
          try {
            refuse("unavailable");
          } catch (error) {
            reject(error);
          }
        },
      };
      endLate();
      const before = waiting.findIndex((other) => compare(one, other) < 0);
      waiting.splice(before < 0 ? waiting.length : before, 0, one);
      startNext();
      if (waiting.length > maxWaiting) waiting.pop()?.refuse();
    });

  const endLate = (): void => {
    const before = now() - maxWaitMs;
    for (const late of waiting.filter(({ enteredAt }) => enteredAt < before)) {
      waiting.splice(waiting.indexOf(late), 1);
      late.refuse();
    }
  };

  const startNext = (): void => {
    if (running >= slots) return;
    const next = waiting.shift();
    if (!next) return;
    running++;
    turns.end(next.place);
    next.start();
  };

  return {
    async run(caller, work) {
      const { place, isKnown } = caller;
      const runningHere = underWay.get(place) ?? 0;
      // An office shares an address: those who are known do not wait for who guesses from there.
      if (runningHere >= perPlace && !isKnown) refuse("unavailable");
      underWay.set(place, runningHere + 1);
      try {
        await enter(caller);
        try {
          return await work();
        } finally {
          running--;
          startNext();
        }
      } finally {
        leave(place);
      }
    },
  };
}
