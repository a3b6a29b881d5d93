/** Messages of edges on their way into the store: bounded, in blocks, each message stored once. */
import type { MessageFromEdge } from "@weft/contract/device/v1/messages.ts";
import type { Logger } from "pino";
import { blockWritten } from "#telemetry/events.ts";
import { hitItem } from "./hits.ts";
import { keyOf, LastSequences } from "./last-sequences.ts";
import { Outage } from "./outage.ts";
import type { BootOf, MeasureRow, MeasureStore } from "./store.ts";

type MetricsMessage = MessageFromEdge<"metrics">;

/** Rows that may wait; an edge whose message finds no room sends it again later. */
const maxRows = 200_000;
/** Small inserts are expensive for ClickHouse: rows of this time go in one block, or this many rows. */
const blockMs = 400;
const blockRows = 10_000;
/** What an edge may hold is twelve hours old; older, or from the future, is a broken clock. */
const oldestMs = 7 * 86_400_000;

/** Rows of a message; times are on the controller's clock, by the device's own distance of both. */
export const rowsOf = (nodeId: number, metrics: MetricsMessage, now: number): MeasureRow[] => {
  const age = Math.min(Math.max(0, metrics.sentAt - metrics.at), oldestMs);
  const { boot, sequence } = metrics;
  const shared = { node_id: nodeId, at: Math.round(now - age), boot, sequence };
  const { cpuPercent, memoryPercent } = metrics;
  return [
    { kind: "node", item: "", ...shared, cpu_percent: cpuPercent, memory_percent: memoryPercent },
    ...metrics.lines.map((line) => ({
      ...{ kind: "line" as const, item: line.interfaceName, ...shared },
      ...{ in_rate: line.inRate, out_rate: line.outRate },
    })),
    ...metrics.links.map((link) => ({
      ...{ kind: "link" as const, item: String(link.id), ...shared },
      ...{ rtt_ms: link.rttMs, jitter_ms: link.jitterMs, loss_percent: link.lossPercent },
      ...{ in_rate: link.inRate, out_rate: link.outRate },
    })),
    ...(metrics.hits ?? []).map(({ family, id, count }) => ({
      ...{ kind: "hit" as const, item: hitItem(family, id), ...shared, hits: count },
    })),
  ];
};

interface Waiting extends BootOf {
  readonly sequence: number;
  readonly rows: readonly MeasureRow[];
  /** Monotonic ms. */
  readonly receivedAt: number;
  settle(kept: boolean): void;
}

export class Intake {
  readonly #store: MeasureStore;
  readonly #outage: Outage;
  readonly #last: LastSequences;
  /** Last number by boot of what is neither stored nor given up yet. */
  readonly #taken = new Map<string, number>();
  /** The block that is being gathered. */
  #waiting: Waiting[] = [];
  #waitingRows = 0;
  /** Messages that are neither stored nor given up yet, the oldest first. */
  readonly #unsettled = new Set<Waiting>();
  /** Rows gathered and on their way. */
  #rows = 0;
  #timer: NodeJS.Timeout | null = null;
  #writing: Promise<void> = Promise.resolve();
  /** Messages that found no room or could not be stored; their edges send them again. */
  refused = 0;

  constructor(store: MeasureStore, logger: Logger) {
    this.#store = store;
    this.#last = new LastSequences(store);
    this.#outage = new Outage(logger, "measures not stored");
  }

  /** @returns true once the message is durable, or was so before; false: the edge keeps it. Never rejects. */
  async keep(nodeId: number, metrics: MetricsMessage): Promise<boolean> {
    const one: BootOf = { nodeId, boot: metrics.boot };
    try {
      if (metrics.sequence <= (await this.#last.of(one))) return true;
    } catch {
      return this.#refuse();
    }
    if (metrics.sequence <= (this.#taken.get(keyOf(one)) ?? 0)) return false;
    const rows = rowsOf(nodeId, metrics, Date.now());
    if (this.#rows + rows.length > maxRows) return this.#refuse();
    this.#rows += rows.length;
    this.#taken.set(keyOf(one), metrics.sequence);
    return new Promise((settle) => {
      const receivedAt = performance.now();
      const waiting = { ...one, sequence: metrics.sequence, rows, receivedAt, settle };
      this.#waiting.push(waiting);
      this.#unsettled.add(waiting);
      this.#waitingRows += rows.length;
      if (this.#waitingRows >= blockRows) this.#flush();
      else this.#timer ??= setTimeout(() => this.#flush(), blockMs);
    });
  }

  /** Rows that are neither stored nor given up yet. */
  get waitingRows(): number {
    return this.#rows;
  }

  /** How long the oldest of them waits; 0: there is none. */
  get oldestSeconds(): number {
    const [oldest] = this.#unsettled;
    return oldest ? (performance.now() - oldest.receivedAt) / 1_000 : 0;
  }

  /** Resolves when what was taken is stored or given up. */
  async close(): Promise<void> {
    this.#flush();
    await this.#writing;
  }

  #refuse(): false {
    this.refused += 1;
    return false;
  }

  #flush(): void {
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = null;
    const block = this.#waiting;
    if (block.length === 0) return;
    this.#waiting = [];
    this.#waitingRows = 0;
    // Nothing that goes wrong with one block keeps the next from being written.
    this.#writing = this.#writing
      .then(() => this.#write(block))
      .catch((error: unknown) => this.#outage.failed(error));
  }

  async #write(block: readonly Waiting[]): Promise<void> {
    const rows = block.flatMap((one) => one.rows);
    const kept = await this.#store.insert(rows).then(
      () => {
        this.#outage.over();
        return true;
      },
      (error: unknown) => {
        this.refused += block.length;
        this.#outage.failed(error);
        return false;
      },
    );
    this.#rows -= rows.length;
    const [first] = block;
    const waitedMs = first ? performance.now() - first.receivedAt : 0;
    blockWritten.publish({ rows: rows.length, seconds: waitedMs / 1_000, kept });
    for (const one of block) {
      this.#unsettled.delete(one);
      const key = keyOf(one);
      if (this.#taken.get(key) === one.sequence) this.#taken.delete(key);
      if (kept) this.#last.stored(one, one.sequence);
      // It may be there all the same: the store knows, and is asked next time.
      else this.#last.forget(one);
      one.settle(kept);
    }
  }
}
