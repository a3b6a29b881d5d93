/**
 * Turns of calls at the connections of a pool. PostgreSQL's pool serves who comes first: whoever sends most calls, or a few that
 * take long, would have all connections, and everybody else, checks of the process's health included, would wait behind them.
 * So a call waits here before it asks for a connection (turns.ts).
 */
import type { PoolKey } from "#db/pool.ts";
import { refuse } from "./refuse.ts";
import { type Most, type Sender, Turns } from "./turns.ts";

/** The pool whose connections calls need. */
interface Connections {
  readonly key: PoolKey;
  readonly pg: { readonly options: { readonly max: number } };
}

/** Calls of a user that wait: no page and no program of ours asks for as many at once. */
const mostWaiting = 256;
/** Ms after which one that waits is refused, as one that waits for a connection is. */
const longestMs = 15_000;

/** A quarter less, and one at least, where there are several. */
const fewer = (most: number): number => Math.max(1, most - Math.max(1, Math.floor(most / 4)));

/**
 * How many calls have a connection at the same time. One of the pool is left for what is no call; users of one enterprise leave
 * some to others, and one user leaves some to colleagues, so that slow calls of one are in the way of no other.
 */
const mostOf = (max: number): Most => {
  const inAll = Math.max(1, max - 1);
  const ofEnterprise = fewer(inAll);
  return { inAll, ofEnterprise, ofUser: fewer(ofEnterprise) };
};

/** Calls that may wait for something else while they have a connection have half of those at most, whoever makes them. */
const mostLongOf = (max: number): Most => {
  const inAll = Math.ceil(mostOf(max).inAll / 2);
  return { inAll, ofEnterprise: inAll, ofUser: Math.max(1, inAll - 1) };
};

export interface CallTurns {
  /**
   * Runs the work of a call that takes one connection of the pool, in its turn.
   * @throws Refusal unavailable: too many calls of the user wait, or it waited for too long
   * @throws ClientGone: its client left before its turn came
   */
  run<T>(connections: Connections, call: WaitingCall, work: () => Promise<T>): Promise<T>;
}

/** What a turn has to know of a call. */
export interface WaitingCall {
  readonly caller: Sender;
  /** Aborted when its client has left (client-gone.ts). */
  readonly gone: AbortSignal;
  /** It may wait for something else while it has a connection, such as the metrics store. */
  readonly isLong?: boolean;
}

async function runInTurn<T>(
  turns: Turns,
  { caller, gone }: WaitingCall,
  work: () => Promise<T>,
): Promise<T> {
  const { open, running } = turns.shareOf(caller);
  if (open - running >= mostWaiting) refuse("unavailable");
  const end = await turns.take(caller, gone);
  if (!end) {
    gone.throwIfAborted();
    refuse("unavailable");
  }
  try {
    return await work();
  } finally {
    end();
  }
}

export function createCallTurns(): CallTurns {
  const pools = new Map<PoolKey, { readonly all: Turns; readonly long: Turns }>();
  return {
    run({ key, pg }, call, work) {
      const { all, long } = pools.get(key) ?? {
        all: new Turns(() => mostOf(pg.options.max), longestMs),
        long: new Turns(() => mostLongOf(pg.options.max), longestMs),
      };
      pools.set(key, { all, long });
      const inTurnOfAll = () => runInTurn(all, call, work);
      return call.isLong ? runInTurn(long, call, inTurnOfAll) : inTurnOfAll();
    },
  };
}
