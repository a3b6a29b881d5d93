/** Live metrics of links: what fping, WireGuard and the interface counters say. */
import { readFile } from "node:fs/promises";
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

/** Bytes of each interface so far, from the text of /proc/net/dev (proc(5)). */
export const parseBytes = (text: string): Map<string, { rx: number; tx: number }> =>
  new Map(
    text
      .split("\n")
      .slice(2)
      .flatMap((line): [string, { rx: number; tx: number }][] => {
        const [name = "", counts = ""] = line.split(":");
        const fields = counts.trim().split(/\s+/).map(Number);
        const [rx, tx] = [fields[0], fields[8]];
        return rx === undefined || tx === undefined ? [] : [[name.trim(), { rx, tx }]];
      }),
  );

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
    const there = new Set<string | null>([null, ...listNetns()]);
    const places = [...new Set(links.map(({ netns }) => netns))].filter((place) =>
      there.has(place),
    );
    const handshakes = new Map<string, number>();
    const counters = new Map<string, Counters>();
    const probes = new Map(links.map((link) => [link.id, probed(link)]));
    for (const netns of places) {
      // Handshakes are asked for only where no probe shows whether a link lives.
      const isDumped = links.some((link) => link.netns === netns && !probes.get(link.id));
      const dump = isDumped ? await readDump(this.#run, netns) : new Map<string, never>();
      for (const [name, { metrics }] of dump) {
        const latest = Math.max(handshakes.get(name) ?? 0, metrics.handshakeAt);
        handshakes.set(name, latest);
      }
      for (const [name, bytes] of await this.#bytes(netns))
        counters.set(name, { at: performance.now(), ...bytes });
    }
    const measures = links.map((link) =>
      this.#one(link, probes.get(link.id) ?? null, counters, handshakes),
    );
    this.#before = counters;
    return measures;
  }

  /** The own namespace's counters are at hand; those of another take a program. */
  async #bytes(netns: string | null): Promise<Map<string, { rx: number; tx: number }>> {
    if (netns === null) return parseBytes(await readFile("/proc/self/net/dev", "utf8"));
    const links = await readLinks(this.#run, netns);
    return new Map(
      links.map(({ ifname, stats64 }) => [
        ifname,
        { rx: stats64?.rx.bytes ?? 0, tx: stats64?.tx.bytes ?? 0 },
      ]),
    );
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
