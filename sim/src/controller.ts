/** A controller: the gateway's real code on a clock, a network and rows of the simulation. */
import { createCalls } from "@weft/controller/src/gateway/calls.ts";
import type { DeviceSocket, Log } from "@weft/controller/src/gateway/clock.ts";
import { Hub, type Times } from "@weft/controller/src/gateway/hub.ts";
import { Refused } from "@weft/controller/src/gateway/refusal.ts";
import { StoreAway } from "@weft/controller/src/gateway/store.ts";
import { memoryStore, type Travel } from "@weft/controller/test/memory-store.ts";
import type { Identity } from "@weft/edge/src/store/keys.ts";
import type { Chance } from "./chance.ts";
import type { SimClock } from "./clock.ts";
import type { WatchedRows } from "./rows.ts";
import type { GatewayEnd } from "./socket-pair.ts";
import type { Trace } from "./trace.ts";

export interface ControllerDeps {
  readonly index: number;
  readonly clock: SimClock;
  readonly chance: Chance;
  readonly rows: WatchedRows;
  readonly trace: Trace;
  readonly times: Times;
  readonly identity: Identity;
  /** False: the database does not answer. */
  isStoreUp(): boolean;
  /** Delays and lost answers between gateway and database. */
  isRough(): boolean;
  /** A planted fault: what is to be sent goes out before it is committed. */
  readonly sendsFirst: boolean;
}

interface Process {
  isAlive: boolean;
  readonly hub: Hub;
  readonly answer: ReturnType<typeof createCalls>;
}

export class Controller implements GatewayEnd {
  readonly #deps: ControllerDeps;
  #process: Process | null = null;

  constructor(deps: ControllerDeps) {
    this.#deps = deps;
  }

  /** The name of the running process in the rows; null while none runs. */
  get id(): string | null {
    return this.#process?.hub.id ?? null;
  }

  isAlive(): boolean {
    return this.#process !== null;
  }

  start(): void {
    if (this.#process) return;
    const { clock, chance, rows, times, identity, trace, index } = this.#deps;
    trace.add(`c${index} starts`);
    const isAlive = () => process.isAlive;
    const processClock = clock.process(isAlive, () => 0);
    const logger = this.#logger();
    const store = memoryStore(rows, this.#travel(isAlive));
    const world = { store, identity, logger, clock: processClock, random: chance };
    // Metrics are no part of what is simulated: they count as kept.
    const keep = async () => true;
    const hub = new Hub({
      ...world,
      times,
      changed: () => {},
      keepMetrics: keep,
      keepFlows: keep,
    });
    const enrol = async () => {
      throw new Refused("claimUnknown", "no claims here");
    };
    const answer = createCalls({
      ...world,
      enrol,
      confirmed: (node) => hub.deliver(node),
      keyOf: (node) => hub.keyOf(node),
    });
    const process: Process = { isAlive: true, hub, answer };
    this.#process = process;
    const watch = (): void => {
      processClock.setTimeout(
        () =>
          void hub
            .watch()
            .catch(() => {})
            .finally(watch),
        times.pollMs,
      );
    };
    watch();
  }

  /** The process ends silently. */
  kill(): void {
    if (!this.#process) return;
    this.#deps.trace.add(`c${this.#deps.index} dies`);
    this.#process.isAlive = false;
    this.#process = null;
  }

  accept(socket: DeviceSocket): void {
    this.#process?.hub.open(socket, "192.0.2.9", () => {});
  }

  async post(path: string, body: string): Promise<string> {
    const process = this.#process;
    if (!process) return new Promise(() => {});
    const reply = await process.answer(path, body, "192.0.2.9");
    // A dead process does not answer; a failed call closes the connection with an empty body.
    return process.isAlive ? reply.body : new Promise(() => {});
  }

  /** A hint from the compiler that a node has something new. */
  hint(node: number): void {
    this.#process?.hub.deliver(node);
  }

  #logger(): Log {
    const { trace, index } = this.#deps;
    const write = (fields: object, text: string) => {
      const { err, node, reason } = fields as { err?: Error; node?: number; reason?: string };
      const more = [node && `n${node}`, reason, err?.message].filter(Boolean).join(" ");
      trace.add(`c${index} ${text}${more === "" ? "" : `: ${more}`}`);
    };
    return { debug: () => {}, info: write, warn: write, error: write };
  }

  /** A call takes its time to the database and back; either way may end in a lost connection. */
  #travel(isAlive: () => boolean): Travel {
    const { clock, chance, trace, index } = this.#deps;
    const delay = () => {
      const isLate = this.#deps.isRough() && chance.happens(0.02);
      return isLate ? chance.between(100, 3_000) : chance.between(0.3, 8);
    };
    return (call, work) =>
      new Promise((resolve, reject) => {
        const back = (settle: () => void) =>
          clock.setTimeout(() => {
            if (isAlive()) settle();
          }, delay());
        const lost = () => reject(new StoreAway(call));
        if (!isAlive()) return;
        if (this.#deps.sendsFirst && call === "takeNext") {
          void this.#sendFirst(work, back, isAlive).then(resolve, reject);
          return;
        }
        clock.setTimeout(() => {
          // A process that dies may have sent its COMMIT already.
          if (!isAlive() && chance.happens(0.5)) return;
          if (!this.#deps.isStoreUp() || (this.#deps.isRough() && chance.happens(0.015))) {
            back(lost);
            return;
          }
          try {
            const value = work();
            if (this.#deps.isRough() && chance.happens(0.01)) {
              trace.add(`c${index} ${call}: committed, answer lost`);
              back(lost);
            } else back(() => resolve(value));
          } catch (error) {
            back(() => reject(error));
          }
        }, delay());
      });
  }

  /** The planted fault: the answer is known from a read of the rows, the commit comes later. */
  #sendFirst<T>(
    work: () => T,
    back: (settle: () => void) => void,
    isAlive: () => boolean,
  ): Promise<T> {
    const { clock, rows, chance } = this.#deps;
    return new Promise((resolve) => {
      const value = rows.peek(work);
      back(() => resolve(value));
      clock.setTimeout(
        () => {
          if (isAlive() && this.#deps.isStoreUp()) work();
        },
        chance.between(5, 500),
      );
    });
  }
}
