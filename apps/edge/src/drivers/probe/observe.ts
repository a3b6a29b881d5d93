/** Live metrics of links: what fping, WireGuard and the interface counters say. */
import type { LinkMeasure } from "#drivers/driver.ts";
import type { Run } from "#drivers/exec.ts";
import { listNetns } from "#drivers/netns.ts";
import { readDump, readLinks } from "#drivers/tunnel/observe.ts";
import type { ProbeMetrics } from "./metrics.ts";
import type { MeasuredLink } from "./plan.ts";

/** WireGuard gives a session up after this without a handshake (its paper, section 6.1). Seconds. */
const sessionSeconds = 180;

interface Counters {
  readonly at: number;
  readonly rx: number;
  readonly tx: number;
}

/** Rates in bit/s between two readings; null when the counters were set back. */
export const rateBetween = (
  before: Counters | undefined,
  now: Counters,
): { inRate: number | null; outRate: number | null } => {
  const seconds = before ? (now.at - before.at) / 1_000 : 0;
  const rate = (from: number, to: number) =>
    seconds <= 0 || to < from ? null : Math.round(((to - from) * 8) / seconds);
  return before
    ? { inRate: rate(before.rx, now.rx), outRate: rate(before.tx, now.tx) }
    : { inRate: null, outRate: null };
};

/** Remembers counters from one call to the next. */
export class LinkMeter {
  readonly #run: Run;
  #before = new Map<string, Counters>();

  constructor(run: Run) {
    this.#run = run;
  }

  async measure(
    links: readonly MeasuredLink[],
    probed: (link: MeasuredLink) => ProbeMetrics | null,
  ): Promise<LinkMeasure[]> {
    if (links.length === 0) return [];
    const there = new Set<string | null>([null, ...(await listNetns(this.#run))]);
    const places = [...new Set(links.map(({ netns }) => netns))].filter((one) => there.has(one));
    const handshakes = new Map<string, number>();
    const counters = new Map<string, Counters>();
    for (const netns of places) {
      const dump = await readDump(this.#run, netns);
      for (const [name, { metrics }] of dump) {
        const latest = Math.max(handshakes.get(name) ?? 0, metrics.handshakeAt);
        handshakes.set(name, latest);
      }
      for (const link of await readLinks(this.#run, netns)) {
        const { rx, tx } = link.stats64 ?? { rx: { bytes: 0 }, tx: { bytes: 0 } };
        counters.set(link.ifname, { at: performance.now(), rx: rx.bytes, tx: tx.bytes });
      }
    }
    const measures = links.map((link) => this.#one(link, probed(link), counters, handshakes));
    this.#before = counters;
    return measures;
  }

  #one(
    { id, interfaceName }: MeasuredLink,
    probe: ProbeMetrics | null,
    counters: ReadonlyMap<string, Counters>,
    handshakes: ReadonlyMap<string, number>,
  ): LinkMeasure {
    const now = counters.get(interfaceName);
    const before = this.#before.get(interfaceName);
    const rates = now ? rateBetween(before, now) : { inRate: null, outRate: null };
    // The end that does not probe receives the other's probes, five per second.
    const received = now !== undefined && before !== undefined && now.rx > before.rx;
    const age = Date.now() / 1_000 - (handshakes.get(interfaceName) ?? 0);
    const quiet = now !== undefined && before !== undefined && now.rx === before.rx;
    const up = probe?.up ?? (received || (!quiet && age < sessionSeconds));
    return {
      id,
      up,
      rttMs: probe?.rttMs ?? null,
      jitterMs: probe?.jitterMs ?? null,
      lossPercent: probe?.lossPercent ?? null,
      ...rates,
    };
  }
}
