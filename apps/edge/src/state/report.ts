import {
  acceptsCapability,
  byteRecordsCapability,
  nextKeyCapability,
  rankedSitesCapability,
} from "@weft/contract/device/v1/additions.ts";
import { canonicalJson } from "@weft/contract/device/v1/canonical.ts";
import type { MessageFromEdge } from "@weft/contract/device/v1/messages.ts";
import { pathCapability } from "@weft/contract/device/v1/paths.ts";
import { formatCapabilities } from "@weft/contract/device/v1/sections.ts";
import { revisionsCapability } from "@weft/contract/device/v1/state.ts";
import type { Capability, LineReport, LinkMeasure, Machine } from "#drivers/driver.ts";
import { type Log, reasonOf } from "#edge/log.ts";
import type { Link } from "#link/link.ts";
import { LinkTransitions } from "./link-transitions.ts";
import { StandingMeasures, standMs } from "./standing-measures.ts";

export interface ReporterDeps {
  readonly log: Log;
  readonly machine: Machine;
  readonly link: Link;
  readonly version: string;
  readonly serialNumber: string;
  readonly tunnelKeys: readonly { readonly id: string; readonly publicKey: string }[];
  running(): MessageFromEdge<"report">["running"];
  /** False: bytes of links are not reported. */
  recordsBytes(): boolean;
}

/** Links in one message: some 250 kB, a quarter of what a controller reads. */
const linksPerMessage = 2_000;
/** Measures are dropped while this many bytes wait: the next ones are newer anyway. */
const fullBytes = 1_048_576;
const maxReason = 1_000;
const limits = { capabilities: 200, lines: 32 } as const;

const clipped = ({ name, can, reason }: Capability): Capability => ({
  name,
  can,
  reason: reason?.slice(0, maxReason) ?? null,
});

/** What the machine can do, and what this program understands. */
const programCapabilities = [
  acceptsCapability,
  nextKeyCapability,
  ...formatCapabilities,
  rankedSitesCapability,
  byteRecordsCapability,
  pathCapability,
  revisionsCapability,
];
const withOwn = (capabilities: readonly Capability[]): Capability[] => [
  ...capabilities.slice(0, limits.capabilities - programCapabilities.length).map(clipped),
  ...programCapabilities.map((name) => ({ name, can: true, reason: null })),
];

/** Reports what a device is and measures. */
export class Reporter {
  readonly #deps: ReporterDeps;
  #capabilities: readonly Capability[] | null = null;
  #reported = "";
  /** Leases as they were last sent on this connection; null: none were. */
  #leased: string | null = null;
  /** The place in the standby group, likewise. */
  #placed: string | null = null;
  /** IPv6 of the lines, likewise. */
  #ipv6: string | null = null;
  readonly #transitions = new LinkTransitions();
  readonly #standing = new StandingMeasures();

  constructor(deps: ReporterDeps) {
    this.#deps = deps;
  }

  /** The next `notify` sends, changed or not: a new connection. */
  forget(): void {
    this.#reported = "";
    this.#leased &&= "";
    this.#placed &&= "";
    this.#standing.forget();
    this.#ipv6 &&= "";
  }

  /** Sends the report if there is a connection and something in it changed. */
  async notify(): Promise<void> {
    const { link } = this.#deps;
    if (!link.isConnected) return;
    const report = await this.#report();
    const text = canonicalJson(report);
    if (text !== this.#reported && link.send(report)) this.#reported = text;
  }

  /**
   * Takes live metrics and sends them if there is a connection; they are for the charts as well.
   * @param now ms on a clock that no time change moves
   * @param stand the controller takes what was sent before as still true: only news are sent
   */
  async measures(now: number, stand: boolean): Promise<readonly LinkMeasure[]> {
    const { link, machine, log, recordsBytes } = this.#deps;
    try {
      const linkMeasures = await machine.measures();
      const measured = recordsBytes()
        ? linkMeasures
        : linkMeasures.map((linkMeasure) => ({ ...linkMeasure, inRate: null, outRate: null }));
      // A link that flaps is reported as down until it holds still: its metrics must not say otherwise.
      const links = measured.map((linkMeasure) => ({
        ...linkMeasure,
        up: this.#transitions.reported(linkMeasure.id) ?? linkMeasure.up,
      }));
      if (!link.isConnected || link.buffered() > fullBytes) return links;
      const sent = stand ? this.#standing.take(links, now) : links;
      for (let at = 0; at < sent.length; at += linksPerMessage) {
        const part = sent.slice(at, at + linksPerMessage);
        link.send({ type: "measures", ...(stand && { standMs }), links: part });
      }
      return links;
    } catch (error) {
      log.warn({ why: reasonOf(error) }, "link metrics could not be read");
      return [];
    }
  }

  /** Sends which programs were started again, until a controller has it. */
  async repaired(): Promise<void> {
    const { link, machine } = this.#deps;
    const items = machine.repairs.waiting;
    if (items.length === 0 || !link.send({ type: "repairs", items: [...items] })) return;
    if (await link.arrived()) machine.repairs.forget(items);
  }

  /** Sends what hosts of the LANs have been given, when that changed or the connection is new. */
  leased(): void {
    const { link, machine } = this.#deps;
    const leases = machine.hostLeases();
    const text = canonicalJson(leases);
    const isNews = this.#leased === null ? leases.total > 0 : text !== this.#leased;
    const { items, total } = leases;
    if (isNews && link.send({ type: "leases", items: [...items], total })) this.#leased = text;
  }

  /** Sends what the device is in its standby group, when that changed or the connection is new. */
  placed(now: number): void {
    const { link, machine } = this.#deps;
    const state = machine.standby();
    const text = canonicalJson(state);
    const isNews = this.#placed === null ? state !== null : text !== this.#placed;
    if (!isNews) return;
    const forMs = Math.max(0, Math.round(now - (state?.since ?? now)));
    if (link.send({ type: "standby", place: state?.place ?? null, forMs })) this.#placed = text;
  }

  /** Sends what lines have of IPv6, when that changed or the connection is new. */
  async ipv6(now: number): Promise<void> {
    const { link, machine, log } = this.#deps;
    try {
      const lines = await machine.ipv6Lines(now);
      const text = canonicalJson(lines);
      const isNews = this.#ipv6 === null ? lines.length > 0 : text !== this.#ipv6;
      if (!isNews) return;
      const left = (until: number | null): number | null =>
        until === null ? null : Math.max(0, Math.round(until - now));
      const items = lines.map(({ validUntil, prefixUntil, ...line }) => ({
        ...line,
        validMs: left(validUntil),
        prefixMs: left(prefixUntil),
      }));
      if (link.send({ type: "ipv6", lines: items })) this.#ipv6 = text;
    } catch (error) {
      log.warn({ why: reasonOf(error) }, "IPv6 of WAN links could not be read");
    }
  }

  /** Sends which links went up or down since the last call; true: one of them fell. */
  changed(now: number): boolean {
    const { link, machine } = this.#deps;
    const links = this.#transitions.take(machine.verdicts(), now);
    this.#standing.changed(links);
    for (let at = 0; at < links.length; at += linksPerMessage)
      link.send({ type: "transition", links: links.slice(at, at + linksPerMessage) });
    return links.some(({ up }) => !up);
  }

  /** Reports on a new connection what is known of each link. */
  resend(): void {
    const links = this.#transitions.all();
    for (let at = 0; at < links.length; at += linksPerMessage)
      this.#deps.link.send({ type: "transition", links: links.slice(at, at + linksPerMessage) });
  }

  async #report(): Promise<MessageFromEdge<"report">> {
    const { version, serialNumber, tunnelKeys, running } = this.#deps;
    const capabilities = await this.#found();
    const lines = await this.#lines();
    return {
      type: "report",
      version,
      serialNumber,
      capabilities: [...capabilities],
      tunnelKeys: tunnelKeys.map(({ id, publicKey }) => ({ id, publicKey })),
      running: running(),
      lines: lines.slice(0, limits.lines),
    };
  }

  /** Looked for once: what a kernel and its tools can do does not change under a running program. */
  async #found(): Promise<readonly Capability[]> {
    try {
      this.#capabilities ??= withOwn(await this.#deps.machine.capabilities());
    } catch (error) {
      this.#deps.log.error({ why: reasonOf(error) }, "capabilities could not be detected");
    }
    return this.#capabilities ?? [];
  }

  async #lines(): Promise<readonly LineReport[]> {
    try {
      const lines = await this.#deps.machine.lines();
      return lines.map(({ isSilent = false, ...line }) => ({ ...line, up: line.up && !isSilent }));
    } catch (error) {
      this.#deps.log.warn({ why: reasonOf(error) }, "WAN links could not be read");
      return [];
    }
  }
}
