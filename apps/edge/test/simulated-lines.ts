/** Two ends with links between them, in virtual time: lines that lose, delay, reorder and double packets, seeded. */
import { defaultPaths, type PathsSection } from "@weft/contract/device/v1/paths.ts";
import type { Group } from "#drivers/paths/candidates.ts";
import type { Move } from "#drivers/paths/choice.ts";
import { Engine } from "#drivers/paths/engine.ts";
import { decodeProbe, encodeProbe, type Probe } from "#drivers/paths/wire.ts";

/** One direction of a line. Shares from 0 to 1, times in ms. */
export interface Weather {
  readonly loss?: number;
  readonly delay?: number;
  /** Each packet waits up to this longer. */
  readonly wobble?: number;
  readonly reorder?: number;
  readonly double?: number;
  /** Gilbert-Elliott: chance a packet of a bad spell to start and to end, all of which are lost. */
  readonly spells?: { readonly start: number; readonly end: number };
  /** Nothing gets through. */
  readonly dead?: boolean;
}

/** sfc32 (C. Doty-Humphrey, PractRand): the same seed gives the same line. */
const randomOf = (seed: number): (() => number) => {
  let [a, b, c, count] = [seed | 0, 0x9e_37_79_b9 | 0, 0x24_3f_6a_88 | 0, 1];
  const next = (): number => {
    const mixed = (((a + b) | 0) + count) | 0;
    count = (count + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = ((c << 21) | (c >>> 11)) + mixed;
    c |= 0;
    return (mixed >>> 0) / 2 ** 32;
  };
  for (let round = 0; round < 16; round += 1) next();
  return next;
};

type End = "near" | "far";
interface Flying {
  readonly at: number;
  readonly to: End;
  readonly probe: Probe;
}

export interface SimulatedMove extends Move {
  readonly end: End;
}

export interface SimulatedOptions {
  readonly seed?: number;
  readonly section?: PathsSection;
  /** Preference by link. */
  readonly links?: Readonly<Record<number, number>>;
  /** µs by which the far end's clock is ahead, and µs a second that it drifts. */
  readonly skewUs?: number;
  readonly driftPpm?: number;
}

const stepMs = 5;
const assessMs = 100;

export class SimulatedLines {
  now = 0;
  readonly moves: SimulatedMove[] = [];
  readonly near = new Engine(1_111);
  readonly far = new Engine(2_222);
  sent = 0;
  readonly #random: () => number;
  readonly #skew: (now: number) => number;
  readonly #weather = new Map<string, Weather>();
  readonly #bad = new Set<string>();
  #flying: Flying[] = [];
  busy: ReadonlySet<number> = new Set();
  /** What BFD knows: links of which a direction is dead. */
  answers: ReadonlyMap<number, boolean> = new Map();

  constructor({
    seed = 1,
    section = defaultPaths,
    links = { 1: 200, 2: 190 },
    ...clock
  }: SimulatedOptions = {}) {
    this.#random = randomOf(seed);
    const { skewUs = 0, driftPpm = 0 } = clock;
    this.#skew = (now) => now + skewUs / 1_000 + (now * driftPpm) / 1e6;
    const candidates = Object.entries(links).map(([id, preference]) => ({
      id: Number(id),
      spaceId: 1,
      preference,
    }));
    const groups: Group[] = candidates.length > 1 ? [{ key: "1 ", links: candidates }] : [];
    const spaces = new Map(candidates.map(({ id, spaceId }) => [id, spaceId]));
    const watched = { section, links: spaces, groups, left: new Map(), classLeft: new Map() };
    for (const engine of [this.near, this.far])
      engine.keep(watched, engine === this.far ? this.#skew(0) : 0);
  }

  /** Of a link, in one direction or both. */
  set(link: number, weather: Weather, from: End | "both" = "both"): void {
    for (const end of from === "both" ? (["near", "far"] as const) : [from])
      this.#weather.set(`${end} ${link}`, weather);
  }

  run(ms: number): void {
    for (const until = this.now + ms; this.now < until; this.now += stepMs) this.#step();
  }

  /** Ms until it holds; null: not within the limit. */
  until(holds: () => boolean, limitMs: number): number | null {
    const from = this.now;
    while (this.now - from < limitMs) {
      if (holds()) return this.now - from;
      this.run(stepMs);
    }
    return null;
  }

  movesOf(end: End): SimulatedMove[] {
    return this.moves.filter((move) => move.end === end);
  }

  #clock(end: End): number {
    return end === "near" ? this.now : this.#skew(this.now);
  }

  #step(): void {
    const isDue = ({ at }: Flying) => at <= this.now;
    const arriving = this.#flying.some(isDue)
      ? this.#flying.filter(isDue).sort((a, b) => a.at - b.at)
      : [];
    if (arriving.length > 0) this.#flying = this.#flying.filter((one) => !isDue(one));
    for (const { to, probe, at } of arriving) {
      const atUs = (to === "near" ? at : this.#skew(at)) * 1_000;
      this[to].receive(probe, atUs, true);
    }
    for (const end of ["near", "far"] as const) {
      for (const probe of this[end].due(this.#clock(end))) this.#send(end, probe);
      if (this.now % assessMs !== 0) continue;
      const { answers, busy } = this;
      const moved = this[end].assess(this.#clock(end), { answers, busy });
      this.moves.push(...moved.map((one) => ({ ...one, end })));
    }
  }

  #send(from: End, probe: Probe): void {
    this.sent += 1;
    const key = `${from} ${probe.link}`;
    const {
      loss = 0,
      delay = 20,
      wobble = 2,
      reorder = 0,
      double = 0,
      spells,
      dead = false,
    } = this.#weather.get(key) ?? {};
    if (spells) {
      const turns = this.#random() < (this.#bad.has(key) ? spells.end : spells.start);
      if (turns && !this.#bad.delete(key)) this.#bad.add(key);
    } else this.#bad.delete(key);
    if (dead || this.#bad.has(key) || this.#random() < loss) return;
    const read = decodeProbe(encodeProbe(probe));
    if (!read) throw new Error("a packet that was written cannot be read");
    const late = this.#random() < reorder ? 60 : 0;
    const to = from === "near" ? "far" : "near";
    const copies = this.#random() < double ? 2 : 1;
    for (let copy = 0; copy < copies; copy += 1)
      this.#flying.push({ to, probe: read, at: this.now + delay + late + this.#random() * wobble });
  }
}
