/** Records of flows of edges on their way into the store: bounded, and in blocks. */
import type { MessageFromEdge } from "@weft/contract/device/v1/messages.ts";
import type { Logger } from "pino";
import type { FlowRow } from "./flow-schema.ts";
import type { FlowStore } from "./flow-store.ts";
import { later } from "./intake.ts";
import { Outage } from "./outage.ts";

type FlowsMessage = MessageFromEdge<"flows">;

/** Whose records they are. */
export interface FlowSource {
  readonly node: number;
  readonly enterpriseId: number;
}

/** Rows that may wait; an edge whose message finds no room sends it again later. */
const maxRows = 100_000;
/** Small inserts are expensive for ClickHouse: rows of this time go in one block, or this many rows. */
const blockMs = 4_000;
const blockRows = 10_000;
/** Devices whose last message is remembered: one that was stored and not acknowledged is not stored twice. */
const maxKnown = 50_000;

/** Rows of a message; times are on the controller's clock. */
export const flowRowsOf = (
  { node, enterpriseId }: FlowSource,
  { items }: FlowsMessage,
  now: number,
): FlowRow[] =>
  items.map((item) => ({
    node_id: node,
    enterprise_id: enterpriseId,
    account_id: 0,
    at: Math.round(now - item.ago - item.durationMs),
    duration_ms: item.durationMs,
    source: item.source,
    source_port: item.sourcePort,
    destination: item.destination,
    destination_port: item.destinationPort,
    protocol: item.protocol,
    application: "",
    user: "",
    url: "",
    denied: false,
    in_bytes: item.inBytes,
    out_bytes: item.outBytes,
    rtt_ms: null,
    jitter_ms: null,
    loss_percent: null,
  }));

interface Waiting {
  readonly node: number;
  readonly message: FlowsMessage;
  readonly rows: readonly FlowRow[];
  settle(kept: boolean): void;
}

export class FlowIntake {
  readonly #store: Pick<FlowStore, "insert">;
  readonly #later: typeof later;
  readonly #outage: Outage;
  readonly #logger: Logger;
  /** The last message of each node that is stored, without its records. */
  readonly #stored = new Map<number, Pick<FlowsMessage, "boot" | "sequence" | "dropped">>();
  /** Nodes with a message that is neither stored nor given up: devices send one at a time, so none fills the room of others. */
  readonly #pending = new Set<number>();
  #waiting: Waiting[] = [];
  #rows = 0;
  #undo: (() => void) | null = null;
  #writing: Promise<void> = Promise.resolve();

  /** @param wait the system's timers unless given */
  constructor(store: Pick<FlowStore, "insert">, logger: Logger, wait: typeof later = later) {
    this.#store = store;
    this.#logger = logger;
    this.#later = wait;
    this.#outage = new Outage(logger, "records of flows not stored");
  }

  /** @returns true once the message is durable, or was so before; false: the edge keeps it. Never rejects. */
  keep(source: FlowSource, message: FlowsMessage): Promise<boolean> {
    const { node } = source;
    const last = this.#stored.get(node);
    const isOfSameStart = last?.boot === message.boot;
    if (isOfSameStart && last.sequence === message.sequence) return Promise.resolve(true);
    if (this.#pending.has(node) || this.#rows + message.items.length > maxRows)
      return Promise.resolve(false);
    this.#pending.add(node);
    const dropped = message.dropped - (isOfSameStart ? last.dropped : 0);
    if (dropped > 0) this.#logger.warn({ node, dropped }, "a device dropped records of flows");
    const rows = flowRowsOf(source, message, Date.now());
    this.#rows += rows.length;
    return new Promise((settle) => {
      this.#waiting.push({ node, message, rows, settle });
      if (this.#waitingRows() >= blockRows) this.#flush();
      else this.#undo ??= this.#later(() => this.#flush(), blockMs);
    });
  }

  /** Resolves when what was taken is stored or given up. */
  async close(): Promise<void> {
    this.#flush();
    await this.#writing;
  }

  #waitingRows(): number {
    return this.#waiting.reduce((sum, { rows }) => sum + rows.length, 0);
  }

  #flush(): void {
    this.#undo?.();
    this.#undo = null;
    const block = this.#waiting;
    if (block.length === 0) return;
    this.#waiting = [];
    this.#writing = this.#writing.then(() => this.#write(block));
  }

  async #write(block: readonly Waiting[]): Promise<void> {
    const rows = block.flatMap((waiting) => waiting.rows);
    const kept = await this.#store.insert(rows).then(
      () => {
        this.#outage.over();
        return true;
      },
      (error: unknown) => {
        this.#outage.failed(error);
        return false;
      },
    );
    this.#rows -= rows.length;
    for (const { node, message, settle } of block) {
      this.#pending.delete(node);
      if (kept) this.#remember(node, message);
      settle(kept);
    }
  }

  #remember(node: number, { boot, sequence, dropped }: FlowsMessage): void {
    this.#stored.delete(node);
    this.#stored.set(node, { boot, sequence, dropped });
    const oldest = this.#stored.keys().next();
    if (this.#stored.size > maxKnown && !oldest.done) this.#stored.delete(oldest.value);
  }
}
