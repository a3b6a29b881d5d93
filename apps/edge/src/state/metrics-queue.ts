/** Metrics for charts: one message every 15 s, sent one at a time and held until the store has it. */
import { type MessageAddition, messageAdditions } from "@weft/contract/device/v1/additions.ts";
import {
  fromEdge,
  type MessageFromController,
  type MessageFromEdge,
  maxHits,
  metricsSeconds,
} from "@weft/contract/device/v1/messages.ts";
import type { DeviceMetrics, LinkMeasure, Machine } from "#drivers/driver.ts";
import { type Clock, type Random, sleep } from "#edge/clock.ts";
import { type Log, reasonOf } from "#edge/log.ts";
import type { Link } from "#link/link.ts";
import { newNonce } from "#link/nonce.ts";
import type { Spool } from "#store/spool.ts";

type MetricsMessage = MessageFromEdge<"metrics">;

export interface MetricsQueueDeps {
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly machine: Machine;
  readonly link: Pick<Link, "isConnected" | "send">;
  readonly spool: Spool;
  /** False: bytes of WAN links are not reported. */
  recordsBytes(): boolean;
  /** Whether the controller of this connection reads a field; false until it says so. */
  accepts(addition: MessageAddition): boolean;
}

/** A message that is not acknowledged is sent again after this. */
const patienceMs = 10_000;
/** Least pause between two messages of the backlog: a fleet that comes back must not flood. */
const spacingMs = 250;
/** Ms that hits wait for a controller to say that it reads them; one that does not gets the rest. */
const acceptedWithinMs = 10_000;
/** Ms that the device gets for its own metrics. */
const metricsMs = 5_000;
const unread: DeviceMetrics = { lines: [], cpuPercent: null, memoryPercent: null };
const maxLinks = 5_000;
const maxLines = 32;

const mean = (values: readonly (number | null)[]): number | null => {
  const known = values.filter((value) => value !== null);
  if (known.length === 0) return null;
  return Math.round((known.reduce((sum, value) => sum + value, 0) / known.length) * 1_000) / 1_000;
};

/** One row a link from the rounds of a message. Links without probe metrics belong to the other end. */
export const meanOfRounds = (
  rounds: readonly (readonly LinkMeasure[])[],
): MetricsMessage["links"] => {
  const byLink = new Map<number, LinkMeasure[]>();
  for (const measure of rounds.flat())
    byLink.set(measure.id, [...(byLink.get(measure.id) ?? []), measure]);
  return [...byLink]
    .filter(([, all]) => all.some((linkMeasure) => linkMeasure.lossPercent !== null))
    .slice(0, maxLinks)
    .map(([id, all]) => ({
      id,
      rttMs: mean(all.map((linkMeasure) => linkMeasure.rttMs)),
      jitterMs: mean(all.map((linkMeasure) => linkMeasure.jitterMs)),
      lossPercent: mean(all.map((linkMeasure) => linkMeasure.lossPercent)),
      inRate: mean(all.map((linkMeasure) => linkMeasure.inRate)),
      outRate: mean(all.map((linkMeasure) => linkMeasure.outRate)),
    }));
};

export class MetricsQueue {
  readonly #deps: MetricsQueueDeps;
  readonly #boot: string;
  #rounds: (readonly LinkMeasure[])[] = [];
  #reading: Promise<DeviceMetrics> | null = null;
  #sequence = 0;
  #dropped = 0;
  /** The newest one, while it is not on the disk. */
  #fresh: MetricsMessage | null = null;
  #sent: { readonly boot: string; readonly sequence: number } | null = null;
  #kept = new AbortController();
  /** Since when a message with hits waits for the controller to say that it reads them. */
  #waitsSince: number | null = null;

  constructor(deps: MetricsQueueDeps) {
    this.#deps = deps;
    this.#boot = newNonce(deps.random);
  }

  /** Metrics of the links as they were just measured. */
  add(links: readonly LinkMeasure[]): void {
    this.#rounds.push(links);
  }

  /** Makes a message every 15 s, until the signal ends. What was not sent by then is on the disk. */
  async run(signal: AbortSignal): Promise<void> {
    const { clock, log } = this.#deps;
    const failed = (error: unknown) => log.warn({ why: reasonOf(error) }, "message lost");
    const sending = this.#sendAll(signal).catch(failed);
    while (!signal.aborted) {
      await sleep(clock, metricsSeconds * 1_000, signal);
      if (!signal.aborted) await this.#make().catch(failed);
    }
    await this.#spoolFresh().catch(failed);
    await sending;
  }

  /** The controller has stored one. */
  async take({ boot, sequence }: MessageFromController<"metricsAck">): Promise<void> {
    const sent = this.#sent;
    if (sent?.boot !== boot || sent.sequence !== sequence) return;
    this.#sent = null;
    const { spool } = this.#deps;
    const isFresh = this.#fresh?.boot === boot && this.#fresh.sequence === sequence;
    if (isFresh) this.#fresh = null;
    else if (isSame(await spool.first(), boot, sequence)) await spool.removeFirst();
    this.#kept.abort();
  }

  async #make(): Promise<void> {
    const { clock } = this.#deps;
    const links = meanOfRounds(this.#rounds);
    this.#rounds = [];
    const { lines, cpuPercent, memoryPercent } = await this.#metrics();
    const hits = await this.#hits();
    await this.#spoolFresh();
    this.#sequence += 1;
    const at = Math.round(clock.now());
    this.#fresh = {
      type: "metrics",
      boot: this.#boot,
      sequence: this.#sequence,
      at,
      sentAt: at,
      dropped: this.#dropped,
      lines: this.#deps.recordsBytes() ? lines.slice(0, maxLines) : [],
      links,
      cpuPercent,
      memoryPercent,
      ...(hits.length > 0 && { hits }),
    };
    this.#kept.abort();
  }

  /** Counters are read only for a controller that stores what they say: until then they count on. */
  async #hits(): Promise<NonNullable<MetricsMessage["hits"]>> {
    const { machine, link, log, accepts } = this.#deps;
    if (!link.isConnected || !accepts(messageAdditions.hits)) return [];
    return machine.hits(maxHits).catch((error: unknown) => {
      log.warn({ why: reasonOf(error) }, "counters of the rules not read");
      return [];
    });
  }

  /** A device that cannot be read, or hangs, has metrics of links all the same. */
  async #metrics(): Promise<DeviceMetrics> {
    const { clock, machine, log } = this.#deps;
    const failed = (error: unknown) => {
      log.warn({ why: reasonOf(error) }, "metrics of the device not read");
      return unread;
    };
    // One reading at a time: those that hang must not pile up either.
    this.#reading ??= machine
      .metrics()
      .catch(failed)
      .finally(() => {
        this.#reading = null;
      });
    const done = new AbortController();
    const late = sleep(clock, metricsMs, done.signal).then(() => unread);
    try {
      return await Promise.race([this.#reading, late]);
    } finally {
      done.abort();
    }
  }

  /** Without contact each message goes to the disk when the next is made: contact costs no write. */
  async #spoolFresh(): Promise<void> {
    const fresh = this.#fresh;
    if (!fresh) return;
    const dropped = await this.#deps.spool.add(JSON.stringify(fresh));
    if (this.#fresh === fresh) this.#fresh = null;
    if (dropped === 0) return;
    if (this.#dropped === 0) this.#deps.log.warn({}, "spool full; the oldest metrics are dropped");
    this.#dropped += dropped;
  }

  async #sendAll(signal: AbortSignal): Promise<void> {
    const { clock } = this.#deps;
    while (!signal.aborted) {
      this.#kept = new AbortController();
      const isWaiting = await this.#sendNext();
      await sleep(
        clock,
        isWaiting ? patienceMs : 1_000,
        AbortSignal.any([signal, this.#kept.signal]),
      );
      await sleep(clock, spacingMs, signal);
    }
  }

  /** Sends the oldest. @returns true when an answer is to be waited for */
  async #sendNext(): Promise<boolean> {
    const { clock, link, spool, log } = this.#deps;
    if (!link.isConnected) return false;
    const text = spool.size > 0 ? await spool.first() : null;
    const metrics = text === null ? this.#fresh : parse(text);
    if (text !== null && !metrics) {
      log.warn({}, "a damaged message is dropped");
      await spool.removeFirst();
      this.#dropped += 1;
    }
    if (!metrics) return false;
    const readable = this.#readable(metrics);
    if (!readable) return false;
    const sentAt = Math.max(metrics.at, Math.round(clock.now()));
    this.#sent = { boot: metrics.boot, sequence: metrics.sequence };
    return link.send({ ...readable, sentAt, dropped: this.#dropped });
  }

  /** A message as this controller reads it; null: it may still say that it reads all of it. */
  #readable(metrics: MetricsMessage): MetricsMessage | null {
    const { clock, accepts } = this.#deps;
    if (!metrics.hits || accepts(messageAdditions.hits)) {
      this.#waitsSince = null;
      return metrics;
    }
    this.#waitsSince ??= clock.monotonic();
    if (clock.monotonic() - this.#waitsSince < acceptedWithinMs) return null;
    const { hits: _, ...rest } = metrics;
    return rest;
  }
}

const parse = (text: string): MetricsMessage | null => {
  try {
    const read = fromEdge.safeParse(JSON.parse(text));
    return read.success && read.data.type === "metrics" ? read.data : null;
  } catch {
    return null;
  }
};

const isSame = (text: string | null, boot: string, sequence: number): boolean => {
  const metrics = text === null ? null : parse(text);
  return metrics?.boot === boot && metrics.sequence === sequence;
};
