/** Asks by each WAN link whether anything answers: its gateway, and what lies behind. */
import { readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Device } from "#drivers/device.ts";
import { type IpLink, ipJsonOfAll } from "#drivers/ip-json.ts";
import { Pinger } from "#drivers/probe/pinger.ts";
import { replaceFile } from "#drivers/replace-file.ts";
import { reasonOf } from "#edge/log.ts";
import { type LineAnswers, LineHealth, type Silence } from "./line-health.ts";
import { askedOf } from "./render.ts";

/** A WAN link with an address and a gateway. */
interface ProbedLine {
  readonly slot: number;
  readonly interfaceName: string;
  readonly source: string;
  readonly gateway: string;
}

export interface LineTargets {
  readonly lines: readonly ProbedLine[];
  /** Links of tunnels by the slot of the WAN link that they go by. */
  readonly links: readonly { readonly id: number; readonly slot: number }[];
  /** Hosts behind the gateways: other ends of tunnels, and controllers. */
  readonly far: readonly string[];
}

/** Ms between two requests to a gateway, and to a host behind it. */
const period = { near: 300, far: 500 } as const;
/** Of a gateway that does not answer ICMP for so long its address is resolved anew (RFC 826, RFC 4861). */
const doubtMs = 900;
/** Without an answer for so long a target is silent: another request was repeated meanwhile. */
const silenceMs = 1_100;
/** A neighbour answers within milliseconds. */
const resolveMs = 600;
/** From one request of a silent gateway to the next: each takes a few programs. */
const resolveAgainMs = 1_000;
/** The kernel reports cables; this is for what was missed. */
const plugAgainMs = 2_000;
/** Gateways that are remembered: a provider may give another with each lease. */
const maxLed = 32;
/** A gateway that answers less asks for a look behind it: many answer only so many requests a second. */
const doubtedLoss = 0.1;

/** An answer to a request of address resolution, or that there is none. */
interface Resolved {
  readonly answers: LineAnswers["gateway"];
  readonly at: number;
}

interface NeighbourRow {
  readonly state?: readonly string[];
}

const keyOf = (line: ProbedLine): string => JSON.stringify(line);
/** What a line leads to is its gateway's doing, whatever address it has. */
const wayOf = ({ interfaceName, gateway }: ProbedLine): string => `${interfaceName} ${gateway}`;

export class LineProbes {
  readonly #device: Device;
  readonly #links: () => ReadonlyMap<number, boolean>;
  readonly #health = new LineHealth();
  readonly #pingers = new Map<string, Pinger>();
  readonly #resolved = new Map<string, Resolved>();
  readonly #watchers = new Set<() => void>();
  /** Gateways that something behind was seen by, kept over reboots: in an outage a start shows nothing of it. */
  #led: ReadonlySet<string>;
  #targets: LineTargets = { lines: [], links: [], far: [] };
  /** Interfaces whose cable is out: they say nothing of what they lead to. */
  #unplugged: ReadonlySet<string> = new Set();
  /** When that was read; not: it is to be read. */
  #plugReadAt = Number.NEGATIVE_INFINITY;
  #resolving: Promise<void> | null = null;

  /** @param links whether links answer, by id; those that are not known are left out */
  constructor(device: Device, links: () => ReadonlyMap<number, boolean>) {
    this.#device = device;
    this.#links = links;
    this.#health.adopt(this.#read());
    this.#led = new Set(this.#readLed());
  }

  /** In the order in which they fell. */
  get silent(): readonly Silence[] {
    return this.#health.silent;
  }

  /** Calls back when `silent` became another, until the returned is called. */
  watch(notify: () => void): () => void {
    this.#watchers.add(notify);
    return () => this.#watchers.delete(notify);
  }

  /** A cable may have been plugged or pulled. */
  linesChanged(): void {
    this.#plugReadAt = Number.NEGATIVE_INFINITY;
  }

  /** To be called several times a second. */
  tend(targets: LineTargets): void {
    for (const line of this.#targets.lines)
      if (!targets.lines.some((other) => keyOf(other) === keyOf(line)))
        this.#forget(line.interfaceName);
    this.#targets = targets;
    const now = performance.now();
    this.#keepPinging();
    const answers = new Map(
      targets.lines.map((line) => [line.interfaceName, this.#answers(line, now)]),
    );
    this.#keepLed(targets.lines.filter((line) => answers.get(line.interfaceName)?.beyond === true));
    this.#resolving ??= this.#look()
      .catch((error: unknown) =>
        this.#device.log.warn({ why: reasonOf(error) }, "gateways could not be resolved"),
      )
      .finally(() => {
        this.#resolving = null;
      });
    if (!this.#health.take(answers, now)) return;
    this.#device.log.warn({ silent: this.#health.silent }, "WAN links without an answer");
    this.#keep();
    for (const notify of this.#watchers) notify();
  }

  async stop(): Promise<void> {
    await Promise.all([...this.#pingers.values()].map((pinger) => pinger.stop()));
    this.#pingers.clear();
    await this.#resolving;
  }

  #forget(interfaceName: string): void {
    this.#health.forget(interfaceName);
    this.#resolved.delete(interfaceName);
  }

  /** Whether links by this line answer; null: it has none, or nothing is known. */
  #linked(slot: number): boolean | null {
    const known = this.#links();
    const verdicts = this.#targets.links
      .filter((link) => link.slot === slot)
      .flatMap(({ id }) => known.get(id) ?? []);
    return verdicts.length === 0 ? null : verdicts.includes(true);
  }

  #farOf({ source }: ProbedLine): string[] {
    return askedOf(this.#targets.far, source);
  }

  /** Hosts far away are asked only where no tunnel tells, or where the gateway does not answer all. */
  #keepPinging(): void {
    const wanted = new Map<string, () => Pinger>();
    for (const line of this.#targets.lines) {
      const { interfaceName, gateway } = line;
      const near = gateway.startsWith("fe80:") ? `${gateway}%${interfaceName}` : gateway;
      wanted.set(`near ${keyOf(line)}`, () => new Pinger([near], period.near, line));
      const far = this.#farOf(line);
      const nearLoss = this.#loss("near", line) ?? 0;
      if ((this.#linked(line.slot) !== true || nearLoss >= doubtedLoss) && far.length > 0)
        wanted.set(`far ${keyOf(line)} ${far.join(" ")}`, () => new Pinger(far, period.far, line));
    }
    for (const [key, pinger] of this.#pingers)
      if (!wanted.has(key)) {
        void pinger.stop();
        this.#pingers.delete(key);
      }
    for (const [key, start] of wanted) {
      const present = this.#pingers.get(key);
      if (present) present.revive();
      else this.#pingers.set(key, start());
    }
  }

  #ping(kind: "near" | "far", line: ProbedLine, limitMs: number): boolean | null {
    return this.#pinger(kind, line)?.answers(limitMs) ?? null;
  }

  #pinger(kind: "near" | "far", line: ProbedLine): Pinger | undefined {
    return [...this.#pingers].find(([key]) => key.startsWith(`${kind} ${keyOf(line)}`))?.[1];
  }

  #loss(kind: "near" | "far", line: ProbedLine): number | null {
    return this.#pinger(kind, line)?.loss() ?? null;
  }

  /**
   * Of the gateway, or of what is behind it where that loses less. Hosts far away that answer nothing while tunnels do
   * refuse what is asked, and say nothing of the link.
   */
  #lossOf(line: ProbedLine): number | null {
    const near = this.#loss("near", line);
    if (near === null || near < doubtedLoss || this.#farOf(line).length === 0) return near;
    const far = this.#loss("far", line);
    if (far === null || (far === 1 && this.#linked(line.slot) === true)) return null;
    return Math.min(near, far);
  }

  #answers(line: ProbedLine, now: number): LineAnswers {
    if (this.#unplugged.has(line.interfaceName))
      return { gateway: "unknown", beyond: null, loss: null };
    const ledBefore = this.#led.has(wayOf(line));
    const linked = this.#linked(line.slot);
    const far = this.#ping("far", line, silenceMs);
    const beyond = linked === true || far === true ? true : (far ?? linked);
    return { gateway: this.#gateway(line, now), beyond, loss: this.#lossOf(line), ledBefore };
  }

  #gateway(line: ProbedLine, now: number): LineAnswers["gateway"] {
    if (this.#ping("near", line, doubtMs) === true) return "answers";
    const resolved = this.#resolved.get(line.interfaceName);
    // What was found before the silence began says nothing.
    return resolved && now - resolved.at < 2 * silenceMs ? resolved.answers : "unknown";
  }

  /** Lines of which nothing else says that they answer. */
  #doubtful(now: number): ProbedLine[] {
    return this.#targets.lines.filter((line) => {
      const resolved = this.#resolved.get(line.interfaceName);
      return (
        !this.#unplugged.has(line.interfaceName) &&
        (resolved === undefined || now - resolved.at >= resolveAgainMs) &&
        this.#linked(line.slot) !== true &&
        this.#ping("near", line, doubtMs) !== true &&
        this.#ping("far", line, doubtMs) !== true
      );
    });
  }

  #isPlugDue(now: number): boolean {
    const isAnyOut = this.#targets.lines.some((line) => this.#unplugged.has(line.interfaceName));
    const dueMs = isAnyOut ? plugAgainMs : Number.POSITIVE_INFINITY;
    return now - this.#plugReadAt >= dueMs;
  }

  async #look(): Promise<void> {
    const now = performance.now();
    const suspects = this.#doubtful(now);
    if (suspects.length === 0 && !this.#isPlugDue(now)) return;
    const before = await this.#states(suspects);
    const doubtful = suspects.filter(({ interfaceName }) => !this.#unplugged.has(interfaceName));
    const valid = doubtful.filter((line) => isValid(before.get(line.interfaceName)));
    // The kernel asks at once, whatever it believed of the neighbour until now.
    for (const { gateway, interfaceName } of valid)
      await this.#device
        .run(["ip", "neigh", "change", gateway, "dev", interfaceName, "nud", "probe"])
        .catch(() => "");
    if (doubtful.length === 0) return;
    const requestedAt = performance.now();
    const waiting = new Set(doubtful);
    while (waiting.size > 0) {
      await new Promise((resolve) => setTimeout(resolve, 150));
      const isLate = performance.now() - requestedAt >= resolveMs;
      const states = await this.#states([...waiting]);
      for (const line of [...waiting]) {
        const answers = answerOf(states.get(line.interfaceName), isLate);
        if (answers === undefined) continue;
        waiting.delete(line);
        this.#resolved.set(line.interfaceName, { answers, at: performance.now() });
      }
    }
  }

  /** What the kernel knows of the gateways, and which cables are out. */
  async #states(lines: readonly ProbedLine[]): Promise<Map<string, string | undefined>> {
    const questions = [
      "link show",
      ...lines.map(({ gateway, interfaceName }) => `neigh show to ${gateway} dev ${interfaceName}`),
    ];
    this.#plugReadAt = performance.now();
    const [links = [], ...rows] = await ipJsonOfAll(this.#device.run, [], questions);
    const all = links as IpLink[];
    this.#unplugged = new Set(
      all.filter(({ flags }) => !flags.includes("LOWER_UP")).map(({ ifname }) => ifname),
    );
    const withoutArp = new Set(
      all.filter(({ flags }) => flags.includes("NOARP")).map(({ ifname }) => ifname),
    );
    return new Map(
      lines.map(({ interfaceName }, at) => {
        const [row] = (rows[at] ?? []) as NeighbourRow[];
        return [interfaceName, withoutArp.has(interfaceName) ? "NOARP" : row?.state?.[0]];
      }),
    );
  }

  #file(): string {
    return join(this.#device.runDir, "silent-lines.json");
  }

  #read(): readonly Silence[] {
    try {
      return JSON.parse(readFileSync(this.#file(), "utf8")) as readonly Silence[];
    } catch {
      return [];
    }
  }

  #ledFile(): string {
    return join(this.#device.dataDir, "led-lines.json");
  }

  #readLed(): readonly string[] {
    try {
      return JSON.parse(readFileSync(this.#ledFile(), "utf8")) as readonly string[];
    } catch {
      return [];
    }
  }

  /** @param leading lines by which something answers now */
  #keepLed(leading: readonly ProbedLine[]): void {
    const more = leading.map(wayOf).filter((way) => !this.#led.has(way));
    if (more.length === 0) return;
    const names = new Set(this.#targets.lines.map(({ interfaceName }) => interfaceName));
    const isUsed = (way: string): boolean => names.has(way.split(" ")[0] ?? "");
    this.#led = new Set([...[...this.#led].filter(isUsed), ...more].slice(-maxLed));
    try {
      replaceFile(this.#ledFile(), JSON.stringify([...this.#led]));
    } catch (error) {
      // A full disk: what was seen holds until the next start.
      this.#device.log.warn({ why: reasonOf(error) }, "what lines lead to cannot be kept");
    }
  }

  /** The next edge must not send hosts by a dead link until it found out itself. */
  #keep(): void {
    writeFileSync(`${this.#file()}.new`, JSON.stringify(this.#health.silent));
    renameSync(`${this.#file()}.new`, this.#file());
  }
}

const isValid = (state: string | undefined): boolean =>
  state === "REACHABLE" || state === "STALE" || state === "DELAY";

/** Undefined: it may still come. */
const answerOf = (
  state: string | undefined,
  isLate: boolean,
): LineAnswers["gateway"] | undefined => {
  if (state === "REACHABLE") return "answers";
  // Nobody is asked by an interface without address resolution, or for an address that was entered by hand.
  if (state === "NOARP" || state === "PERMANENT") return "mute";
  return isLate ? "silent" : undefined;
};
