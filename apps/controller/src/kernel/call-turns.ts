/**
 * Turns of calls at the connections of a pool. PostgreSQL's pool serves who comes first: whoever sends most calls, or a few that
 * take long, would have all connections, and everybody else, checks of the process's health included, would wait behind them.
 * So a call waits here before it asks for a connection, and the next one is of whom the fewest are under way.
 */
import type { PoolKey } from "#db/pool.ts";
import { refuse } from "./refuse.ts";

/** The pool whose connections calls need. */
interface Connections {
  readonly key: PoolKey;
  readonly pg: { readonly options: { readonly max: number } };
}

/** Whose call it is. */
interface Sender {
  readonly userId: number;
  readonly enterpriseId: number;
}

/** Calls of a user that wait: no page and no program of ours asks for as many at once. */
const mostWaiting = 256;
/** Ms after which one that waits is refused, as one that waits for a connection is. */
const longestMs = 15_000;

interface Most {
  readonly inAll: number;
  readonly ofEnterprise: number;
  readonly ofUser: number;
}

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

/** Calls of a user, or of all users of an enterprise. */
interface Share {
  running: number;
  /** Number of its last turn. */
  servedAt: number;
}

interface UserShare extends Share {
  readonly enterprise: Share;
  readonly waiting: (() => void)[];
}

export interface CallTurns {
  /**
   * Runs the work of a call that takes one connection of the pool, in its turn.
   * @param isLong it may wait for something else meanwhile, such as the metrics store
   * @throws Refusal unavailable: too many calls of the user wait, or it waited for too long
   */
  run<T>(
    connections: Connections,
    caller: Sender,
    work: () => Promise<T>,
    isLong?: boolean,
  ): Promise<T>;
}

/** Turns at one pool. */
class Turns {
  readonly #most: () => Most;
  readonly #users = new Map<number, UserShare>();
  readonly #enterprises = new Map<number, Share>();
  #running = 0;
  #served = 0;

  constructor(most: () => Most) {
    this.#most = most;
  }

  async run<T>({ userId, enterpriseId }: Sender, work: () => Promise<T>): Promise<T> {
    const user = this.#shareOf(userId, enterpriseId);
    if (user.waiting.length >= mostWaiting) refuse("unavailable");
    if (!(await this.#enter(user))) refuse("unavailable");
    try {
      return await work();
    } finally {
      this.#count(user, -1);
      this.#startNext();
    }
  }

  #shareOf(userId: number, enterpriseId: number): UserShare {
    const known = this.#users.get(userId);
    if (known) return known;
    const enterprise = this.#enterprises.get(enterpriseId) ?? { running: 0, servedAt: 0 };
    this.#enterprises.set(enterpriseId, enterprise);
    const user: UserShare = { running: 0, servedAt: 0, enterprise, waiting: [] };
    this.#users.set(userId, user);
    return user;
  }

  /** @returns whether its turn came in time */
  #enter(user: UserShare): Promise<boolean> {
    return new Promise((resolve) => {
      const late = setTimeout(() => {
        user.waiting.splice(user.waiting.indexOf(begin), 1);
        resolve(false);
      }, longestMs);
      const begin = (): void => {
        clearTimeout(late);
        resolve(true);
      };
      user.waiting.push(begin);
      this.#startNext();
    });
  }

  #startNext(): void {
    const most = this.#most();
    while (this.#running < most.inAll) {
      const [next] = [...this.#users.values()]
        .filter(
          ({ waiting, running, enterprise }) =>
            waiting.length > 0 && running < most.ofUser && enterprise.running < most.ofEnterprise,
        )
        .toSorted(inTurn);
      const begin = next?.waiting.shift();
      if (!next || !begin) break;
      this.#count(next, 1);
      this.#served += 1;
      next.servedAt = this.#served;
      next.enterprise.servedAt = this.#served;
      begin();
    }
    // Not each by itself: who sends the next call once the last one is done would be first again and again.
    if (
      this.#running === 0 &&
      [...this.#users.values()].every(({ waiting }) => waiting.length === 0)
    ) {
      this.#users.clear();
      this.#enterprises.clear();
    }
  }

  #count(user: UserShare, by: 1 | -1): void {
    this.#running += by;
    user.running += by;
    user.enterprise.running += by;
  }
}

/** Fewest calls under way first, of the enterprise and then of the user; of several, whose last turn is longest ago. */
const inTurn = (one: UserShare, other: UserShare): number =>
  one.enterprise.running - other.enterprise.running ||
  one.running - other.running ||
  one.enterprise.servedAt - other.enterprise.servedAt ||
  one.servedAt - other.servedAt;

export function createCallTurns(): CallTurns {
  const pools = new Map<PoolKey, { readonly all: Turns; readonly long: Turns }>();
  return {
    run({ key, pg }, caller, work, isLong = false) {
      const { all, long } = pools.get(key) ?? {
        all: new Turns(() => mostOf(pg.options.max)),
        long: new Turns(() => mostLongOf(pg.options.max)),
      };
      pools.set(key, { all, long });
      const inTurnOfAll = () => all.run(caller, work);
      return isLong ? long.run(caller, inTurnOfAll) : inTurnOfAll();
    },
  };
}
