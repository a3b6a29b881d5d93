/**
 * Requests of all sockets of a process on their way into the database: gathered for some milliseconds, written in one
 * transaction, and each answered by itself. A transaction for each request was most of what a push cost.
 */
import { ownWork } from "#db/one-connection.ts";
import type { Clock } from "./clock.ts";

/** What became of one request of a transaction; "locked": others hold its rows, and it waits for them by itself. */
export type Settled<Answer> =
  | { readonly isDone: true; readonly answer: Answer }
  | { readonly isDone: false; readonly error: unknown }
  | "locked";

export interface GatherLimits {
  /** Ms from the first request to the transaction, if fewer than `most` come by then. */
  readonly gatherMs: number;
  /** Requests of one transaction. */
  readonly most: number;
  /** Requests that wait; what comes then is refused. */
  readonly maxWaiting: number;
}

export const defaultGather: GatherLimits = { gatherMs: 5, most: 100, maxWaiting: 20_000 };

/**
 * Times that what comes with a new connection is gathered for longer, while others connect as well. A fleet that comes back is
 * a hundred devices a second on one machine: in 5 ms there is hardly ever more than one.
 */
export const connectFactor = 20;

/**
 * The same of what is delivered and reported: a push to a thousand devices is a few messages in each 5 ms, and a transaction costs
 * nearly as much for one as for twenty. A delivery of seconds may take some 50 ms more in each of its steps.
 */
export const deliveryFactor = 10;

export interface GathererDeps<Request, Answer> extends GatherLimits {
  readonly clock: Pick<Clock, "setTimeout">;
  /** Times `gatherMs` that is gathered for where a request came in such a time before; 1 if absent. */
  readonly factor?: number;
  /**
   * One transaction, whose result is there once it is committed.
   * @param requests of different nodes, by their ids
   * @param isAlone it waits for locks that others hold
   * @returns what became of each, in their order
   */
  run(requests: readonly Request[], isAlone: boolean): Promise<readonly Settled<Answer>[]>;
  /** The error is about the database and not about a request: none of them is tried again here. */
  isAway(error: unknown): boolean;
  /** The error means that others held a row for too long. */
  isLocked(error: unknown): boolean;
}

/** So many requests wait that one more is not taken. */
export class GathererFull extends Error {
  constructor() {
    super("too many requests wait for the database");
    this.name = "GathererFull";
  }
}

/** Requests that wait for their locks at a time: the others of the pool's connections are for all that do not. */
const maxAlone = 2;

interface Waiting<Request, Answer> {
  readonly request: Request;
  resolve(answer: Answer): void;
  reject(error: unknown): void;
}

/** Requests of one node are answered in the order in which they came. */
export class Gatherer<Request extends { readonly node: number }, Answer> {
  readonly #deps: GathererDeps<Request, Answer>;
  #waiting: Waiting<Request, Answer>[] = [];
  /** Nodes of requests that were taken and are not answered. */
  readonly #busy = new Set<number>();
  /** Taken, and to wait for their locks by themselves. */
  readonly #single: Waiting<Request, Answer>[] = [];
  #alone = 0;
  #isRunning = false;
  #isDue = false;
  #undo: (() => void) | null = null;
  /** Undoes the end of the time in which another request counts as one of many; null: it is over. */
  #undoBusy: (() => void) | null = null;

  constructor(deps: GathererDeps<Request, Answer>) {
    this.#deps = deps;
  }

  /**
   * @throws GathererFull
   * @throws what `run` throws for it
   */
  add(request: Request): Promise<Answer> {
    if (this.#waiting.length >= this.#deps.maxWaiting) return Promise.reject(new GathererFull());
    return new Promise((resolve, reject) => {
      this.#waiting.push({ request, resolve, reject });
      this.#arm();
      this.#start();
    });
  }

  #arm(): void {
    if (this.#undo !== null || this.#isDue || this.#waiting.length === 0) return;
    this.#undo = this.#deps.clock.setTimeout(() => {
      this.#undo = null;
      this.#isDue = true;
      this.#start();
    }, this.#paceMs());
  }

  /** Ms to the next transaction: a request that comes alone does not wait for others that come seldom. */
  #paceMs(): number {
    const { gatherMs, factor = 1, clock } = this.#deps;
    if (factor === 1) return gatherMs;
    const isBusy = this.#undoBusy !== null;
    this.#undoBusy?.();
    this.#undoBusy = clock.setTimeout(() => {
      this.#undoBusy = null;
    }, gatherMs * factor);
    return isBusy ? gatherMs * factor : gatherMs;
  }

  /** One transaction at a time: what comes meanwhile goes into the next one. */
  #start(): void {
    if (this.#isRunning || (!this.#isDue && this.#waiting.length < this.#deps.most)) return;
    const taken = this.#take();
    this.#isDue = false;
    // All that waits is of nodes whose requests before are not answered: the answer starts the time again.
    if (taken.length === 0) return;
    this.#undo?.();
    this.#undo = null;
    this.#arm();
    this.#isRunning = true;
    void ownWork(() => this.#together(taken)).finally(() => {
      this.#isRunning = false;
      this.#start();
    });
  }

  /** The first requests that wait, one of each node. */
  #take(): Waiting<Request, Answer>[] {
    const taken: Waiting<Request, Answer>[] = [];
    this.#waiting = this.#waiting.filter((waiting) => {
      const { node } = waiting.request;
      if (taken.length >= this.#deps.most || this.#busy.has(node)) return true;
      this.#busy.add(node);
      taken.push(waiting);
      return false;
    });
    // In one order for all that lock several rows.
    return taken.sort((a, b) => a.request.node - b.request.node);
  }

  /** What fails as a whole is run in halves, down to the one that it failed for: only that one fails. */
  async #together(taken: readonly Waiting<Request, Answer>[]): Promise<void> {
    try {
      const requests = taken.map(({ request }) => request);
      const settled = await this.#deps.run(requests, false);
      for (const [at, waiting] of taken.entries()) this.#settle(waiting, settled[at] ?? "locked");
    } catch (error) {
      if (taken.length > 1 && !this.#deps.isAway(error)) {
        const half = Math.ceil(taken.length / 2);
        await this.#together(taken.slice(0, half));
        await this.#together(taken.slice(half));
        return;
      }
      const settled = this.#deps.isLocked(error) ? "locked" : { isDone: false as const, error };
      for (const waiting of taken) this.#settle(waiting, settled);
    }
    this.#runSingle();
  }

  #settle(waiting: Waiting<Request, Answer>, settled: Settled<Answer>): void {
    if (settled === "locked") {
      this.#single.push(waiting);
      return;
    }
    this.#busy.delete(waiting.request.node);
    if (settled.isDone) waiting.resolve(settled.answer);
    else waiting.reject(settled.error);
  }

  #runSingle(): void {
    while (this.#alone < maxAlone) {
      const waiting = this.#single.shift();
      if (!waiting) return;
      this.#alone += 1;
      void ownWork(() => this.#run(waiting)).finally(() => {
        this.#alone -= 1;
        this.#runSingle();
        // The next one of its node may wait.
        this.#arm();
      });
    }
  }

  async #run(waiting: Waiting<Request, Answer>): Promise<void> {
    const [settled] = await this.#deps
      .run([waiting.request], true)
      .catch((error: unknown) => [{ isDone: false as const, error }]);
    const unanswered = { isDone: false as const, error: new Error("the request was not answered") };
    this.#settle(waiting, settled === undefined || settled === "locked" ? unanswered : settled);
  }
}
