/** Messages of edges on their way into the store: bounded, in blocks, each message stored once. */

import { hitItem } from "@weft/contract/device/v1/hit-counter.ts";
import type { MessageFromEdge } from "@weft/contract/device/v1/messages.ts";
import type { Logger } from "pino";
import { blockWritten } from "#telemetry/events.ts";
import { keyOf, LastSequences } from "./last-sequences.ts";
import { Outage } from "./outage.ts";
import type { BootOf, MeasureRow, MeasureStore } from "./store.ts";

type MetricsMessage = MessageFromEdge<"metrics">;

/** Rows that may wait; an edge whose message finds no room sends it again later. */
const maxRows = 200_000;
/**
 * Small inserts are expensive for ClickHouse: rows of this time go in one block, or this many rows. A device
 * sends every 15 s, and sends a message again that is not acknowledged within 10 s.
 */
const blockMs = 4_000;
const blockRows = 10_000;
/** A device sends its backlog one message at a time, each after the acknowledgement of the one before. */
const backlogBlockMs = 400;
/** A message that was made this long before it was sent is backlog. */
const backlogAgeMs = 30_000;
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
      kind: "line" as const,
      item: line.interfaceName,
      ...shared,
      in_rate: line.inRate,
      out_rate: line.outRate,
    })),
    ...metrics.links.map((link) => ({
      kind: "link" as const,
      item: String(link.id),
      ...shared,
      rtt_ms: link.rttMs,
      jitter_ms: link.jitterMs,
      loss_percent: link.lossPercent,
      in_rate: link.inRate,
      out_rate: link.outRate,
    })),
    ...(metrics.hits ?? []).map(({ family, id, count }) => ({
      kind: "hit" as const,
      item: hitItem(family, id),
      ...shared,
      hits: count,
    })),
  ];
};

/** Runs work once after so many ms. @returns undoes it */
type Later = (work: () => void, ms: number) => () => void;

export const later: Later = (work, ms) => {
  const timer = setTimeout(work, ms);
  return () => clearTimeout(timer);
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
  readonly #later: Later;
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
  /** When the block is written at the latest; null: none is being gathered. */
  #due: { readonly ms: number; readonly undo: () => void } | null = null;
  #writing: Promise<void> = Promise.resolve();
  /** Messages that found no room or could not be stored; their edges send them again. */
  refused = 0;

  /** @param wait the system's timers unless given */
  constructor(store: MeasureStore, logger: Logger, wait: Later = later) {
    this.#store = store;
    this.#later = wait;
    this.#last = new LastSequences(store);
    this.#outage = new Outage(logger, "measures not stored");
  }

  /** @returns true once the message is durable, or was so before; false: the edge keeps it. Never rejects. */
  async keep(nodeId: number, metrics: MetricsMessage): Promise<boolean> {
    const bootOf: BootOf = { nodeId, boot: metrics.boot };
    try {
      if (metrics.sequence <= (await this.#last.of(bootOf))) return true;
    } catch {
      return this.#refuse();
    }
    if (metrics.sequence <= (this.#taken.get(keyOf(bootOf)) ?? 0)) return false;
    const rows = rowsOf(nodeId, metrics, Date.now());
    if (this.#rows + rows.length > maxRows) return this.#refuse();
    const isBacklog = metrics.sentAt - metrics.at > backlogAgeMs;
    this.#rows += rows.length;
    this.#taken.set(keyOf(bootOf), metrics.sequence);
    return new Promise((settle) => {
      const receivedAt = performance.now();
      const waiting = { ...bootOf, sequence: metrics.sequence, rows, receivedAt, settle };
      this.#waiting.push(waiting);
      this.#unsettled.add(waiting);
      this.#waitingRows += rows.length;
      if (this.#waitingRows >= blockRows) this.#flush();
      else this.#flushWithin(isBacklog ? backlogBlockMs : blockMs);
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

  /** A block that is due sooner, or as soon, stays due then. */
  #flushWithin(ms: number): void {
    if (this.#due !== null && this.#due.ms <= ms) return;
    this.#due?.undo();
    this.#due = { ms, undo: this.#later(() => this.#flush(), ms) };
  }

  #flush(): void {
    this.#due?.undo();
    this.#due = null;
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
    const rows = block.flatMap((waiting) => waiting.rows);
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
    for (const waiting of block) {
      this.#unsettled.delete(waiting);
      const key = keyOf(waiting);
      if (this.#taken.get(key) === waiting.sequence) this.#taken.delete(key);
      if (kept) this.#last.stored(waiting, waiting.sequence);
      // It may have been stored: it is read from the store next time.
      else this.#last.forget(waiting);
      waiting.settle(kept);
    }
  }
}
