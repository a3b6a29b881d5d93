/** Measures the links of the device and leaves bad ones for better ones (docs/protocol.md, paths). */
import { randomInt } from "node:crypto";
import type { Socket } from "node:dgram";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathPort } from "@weft/contract/device/v1/paths.ts";
import type { ClassRouter } from "#drivers/classes/router.ts";
import type { Device } from "#drivers/device.ts";
import type { Driver, Machine } from "#drivers/driver.ts";
import { reasonOf } from "#edge/log.ts";
import type { Move, Rank } from "./choice.ts";
import { ClassSync } from "./class-sync.ts";
import { Engine } from "./engine.ts";
import { Moves } from "./moves.ts";
import { type PathsPart, type PathsStep, pickPaths, planPaths } from "./plan.ts";
import { openSocket } from "./sockets.ts";
import { BusyMeter } from "./traffic.ts";
import { decodeProbe, encodeProbe, type Probe } from "./wire.ts";

export interface Paths extends Driver<PathsPart, PathsPart, PathsStep> {
  readonly reports: Pick<Machine, "paths" | "moves">;
  /** Opens sockets that are missing. */
  tend(): Promise<void>;
  stop(): Promise<void>;
}

/** What the paths take from other drivers, and give them. */
export interface PathSurroundings {
  /** Whether links answer, as far as it is known. */
  answers(): ReadonlyMap<number, boolean>;
  /** Packets of each interface of links so far. */
  packets(): ReadonlyMap<string, number>;
  /**
   * Puts links behind others; throws when the routing daemon does not take it. It waits until no driver is at work, so no work
   * of a driver may wait for it.
   */
  prefer(ranks: ReadonlyMap<number, Rank>): Promise<void>;
  /** Routes of classes of traffic. */
  readonly classes: Pick<ClassRouter, "sync" | "drop" | "clearAll" | "isActive">;
}

/** Ms. */
const tick = { min: 4, max: 50 } as const;
/** A tick that is late by so much: packets waited for this program, or were dropped. Ms. */
const late = { waited: 15, dropped: 150 } as const;
const assessMs = 100;
/** Links that are assessed within a ms without taking much of a processor. */
const assessedPerMs = 5;

const rankFile = ({ runDir }: Pick<Device, "runDir">): string => join(runDir, "paths.json");

/** Ranks as the routing daemon has them since before this program started. */
export const readRanks = (device: Pick<Device, "runDir">): Map<number, Rank> => {
  try {
    const read = JSON.parse(readFileSync(rankFile(device), "utf8")) as [number, Rank][];
    return new Map(read);
  } catch {
    return new Map();
  }
};

const sameRanks = (one: ReadonlyMap<number, Rank>, other: ReadonlyMap<number, Rank>): boolean =>
  one.size === other.size && [...one].every(([id, rank]) => other.get(id) === rank);

const now = (): number => performance.now();

/** One socket for each namespace with links. */
class Sockets {
  readonly #open = new Map<string | null, Socket>();
  readonly #receive: (bytes: Buffer, address: string) => void;

  constructor(receive: (bytes: Buffer, address: string) => void) {
    this.#receive = receive;
  }

  async keep(places: ReadonlySet<string | null>): Promise<void> {
    for (const [netns, socket] of this.#open) {
      if (places.has(netns)) continue;
      socket.close();
      this.#open.delete(netns);
    }
    for (const netns of places) {
      if (this.#open.has(netns)) continue;
      const socket = await openSocket(netns);
      // A link that is down refuses packets: that is what is measured.
      socket.on("error", () => {});
      socket.on("message", (bytes, { address }) => this.#receive(bytes, address));
      this.#open.set(netns, socket);
    }
  }

  send(netns: string | null, peer: string, probe: Probe): void {
    this.#open.get(netns)?.send(encodeProbe(probe), pathPort, peer, () => {});
  }
}

class Watch {
  readonly engine: Engine;
  readonly moves = new Moves(now);
  part: PathsPart = null;
  readonly #device: Device;
  readonly #surroundings: PathSurroundings;
  readonly #sockets = new Sockets((bytes, address) => this.#receive(bytes, address));
  readonly #busy = new BusyMeter();
  #peers = new Map<number, { readonly netns: string | null; readonly peer: string }>();
  #timer: NodeJS.Timeout | null = null;
  #expectedAt = 0;
  #isPunctual = true;
  #assessedAt = 0;
  #given: ReadonlyMap<number, Rank>;
  #giving = false;
  readonly #classes: ClassSync;
  /** Moves that the routing daemon may not have made yet. */
  readonly #moved: Move[] = [];

  constructor(device: Device, surroundings: PathSurroundings) {
    this.#device = device;
    this.#surroundings = surroundings;
    this.#given = readRanks(device);
    this.#classes = new ClassSync(device.runDir, surroundings.classes, now);
    this.engine = new Engine(randomInt(1, 2 ** 32 - 1));
  }

  async measure(part: PathsPart): Promise<void> {
    this.part = part;
    const links = part?.links ?? [];
    this.#peers = new Map(links.map(({ id, netns, peer }) => [id, { netns, peer }]));
    const left = part ? this.#given : new Map<number, Rank>();
    if (part) {
      const { section, groups } = part;
      const spaces = new Map(links.map(({ id, spaceId }) => [id, spaceId]));
      const { left: classLeft } = this.#classes;
      this.engine.keep({ section, links: spaces, groups, left, classLeft }, now());
    }
    this.#classes.follow(part?.classSpaces ?? []);
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = null;
    await this.open().catch((error: unknown) =>
      this.#device.log.warn({ why: reasonOf(error) }, "links cannot be measured yet"),
    );
    if (part) this.#schedule(tick.min);
  }

  open(): Promise<void> {
    return this.#sockets.keep(new Set((this.part?.links ?? []).map(({ netns }) => netns)));
  }

  /** Gives the routing daemon the ranks that it has not got; what moved by them is reported after that. */
  async give(): Promise<void> {
    const { ranks } = this.engine;
    if (!this.part || this.#giving) return;
    this.#giving = true;
    try {
      if (!sameRanks(ranks, this.#given)) {
        writeFileSync(rankFile(this.#device), JSON.stringify([...ranks]), { mode: 0o600 });
        // Classes that stay must not go along, not even for a moment.
        await this.#classes.give(this.engine, ranks, true);
        await this.#surroundings.prefer(ranks);
        this.#given = ranks;
      }
      await this.#classes.give(this.engine, this.#given);
    } finally {
      this.#giving = false;
    }
    const moved = this.#moved.splice(0);
    for (const { from, to, reason, trafficClass } of moved)
      this.#device.log.info({ from, to, reason, trafficClass }, "traffic moved");
    this.moves.add(moved);
  }

  async stop(): Promise<void> {
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = null;
    await this.#sockets.keep(new Set());
    // Nothing watches over them from now on: what routing decides is noticed by BFD.
    await this.#surroundings.classes.clearAll();
  }

  #schedule(waitMs: number): void {
    this.#expectedAt = now() + waitMs;
    this.#timer = setTimeout(() => this.#tick(), waitMs);
  }

  #receive(bytes: Buffer, address: string): void {
    const probe = decodeProbe(bytes);
    if (!probe || this.#peers.get(probe.link)?.peer !== address) return;
    this.#busy.count(probe.link);
    this.engine.receive(probe, now() * 1_000, this.#isPunctual);
  }

  #tick(): void {
    const at = now();
    const lateBy = at - this.#expectedAt;
    this.#isPunctual = lateBy < late.waited;
    if (lateBy > late.dropped) this.engine.stoodStill(at);
    for (const probe of this.engine.due(at)) {
      const to = this.#peers.get(probe.link);
      if (!to) continue;
      this.#busy.count(probe.link);
      this.#sockets.send(to.netns, to.peer, probe);
    }
    this.#assess(at);
    this.#schedule(Math.min(tick.max, Math.max(tick.min, this.engine.nextAt - now())));
  }

  #assess(at: number): void {
    const links = this.part?.links ?? [];
    if (at - this.#assessedAt < Math.max(assessMs, links.length / assessedPerMs)) return;
    this.#assessedAt = at;
    const { answers, packets } = this.#surroundings;
    const busy = this.#busy.read(links, packets, at);
    this.#moved.push(...this.engine.assess(at, { answers: answers(), busy }));
    const failed = (error: unknown) =>
      this.#device.log.warn({ why: reasonOf(error) }, "routes were not moved");
    // Not behind what else is under way: nothing gets through there.
    this.#classes.drop(this.engine.quiet(at)).catch(failed);
    this.give().catch(failed);
  }
}

export const createPaths = (device: Device, surroundings: PathSurroundings): Paths => {
  const watch = new Watch(device, surroundings);
  return {
    name: "paths",
    pick: pickPaths,
    validate: async () => {},
    observe: async () => watch.part,
    plan: planPaths,
    run: (_step, part) => watch.measure(part),
    reports: {
      paths: () => (watch.part ? watch.engine.reports() : []),
      moves: watch.moves,
    },
    // Ranks wait for the drivers' turn, which this is: awaited here they would never have it, nor would anything after them.
    // The measurement gives them at each assessment.
    tend: () => watch.open(),
    stop: () => watch.stop(),
  };
};
