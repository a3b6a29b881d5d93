/** One seed: devices, controllers and what happens to them. */
import { isDeepStrictEqual } from "node:util";
import type { StateId } from "@weft/contract/device/v1/state.ts";
import { defaultTimes, type Times } from "@weft/controller/src/gateway/hub.ts";
import { identityOf, newSeed } from "@weft/edge/src/store/keys.ts";
import { type Chance, chanceOf } from "./chance.ts";
import { SimClock } from "./clock.ts";
import { Controller } from "./controller.ts";
import { Device } from "./device.ts";
import { DeviceWatch } from "./device-watch.ts";
import { Network } from "./network.ts";
import { textOf, WatchedRows } from "./rows.ts";
import { type StateKind, States } from "./states.ts";
import { Trace } from "./trace.ts";

/** Faults that a test plants; the simulation must find each of them. */
export const plantedFaults = [
  /** Renames of the edge's disk are never synced. */
  "noSync",
  /** The edge does not look at its journal when it starts. */
  "forgetsJournal",
  /** The gateway sends a state before it has committed that. */
  "sendsFirst",
  /** The edge proves its reach on a connection that was open before. */
  "reusesConnections",
  /** The controller sends what was rolled back once more, and again. */
  "resendsReverted",
] as const;
export type PlantedFault = (typeof plantedFaults)[number];

const minuteMs = 60_000;

export class World {
  readonly clock = new SimClock();
  readonly trace: Trace;
  readonly chance: Chance;
  readonly rows: WatchedRows;
  readonly network: Network;
  readonly devices: Device[] = [];
  readonly controllers: Controller[] = [];
  /** What went wrong first; null: nothing. */
  violation: string | null = null;
  isStoreUp = true;
  readonly #watches = new Map<number, DeviceWatch>();
  readonly #states = new Map<number, States>();
  readonly #kinds = new Map<string, StateKind>();
  readonly #fault: PlantedFault | null;
  readonly #seed: number;

  constructor(seed: number, fault: PlantedFault | null, print: boolean) {
    this.#seed = seed;
    this.#fault = fault;
    this.trace = new Trace(() => this.clock.now, print);
    this.chance = chanceOf(seed, 0);
    const violate = (text: string) => this.violate(text);
    this.rows = new WatchedRows(() => this.clock.now, this.trace, violate);
    // As the worker compiles it.
    this.rows.left = (node) => {
      this.clock.setTimeout(() => this.publish(node, "good"), 100);
    };
    this.rows.resendsReverted = fault === "resendsReverted";
    this.network = new Network(this.clock, chanceOf(seed, 1), {
      wire: (node, toDevice, text) => this.#wire(node, toDevice, text),
    });
    this.network.reusesConnections = fault === "reusesConnections";
  }

  violate(text: string): void {
    if (this.violation !== null) return;
    this.violation = text;
    this.trace.add(`VIOLATION ${text}`);
  }

  /** Makes and starts everything. */
  async build(): Promise<void> {
    const { chance, network } = this;
    const identity = identityOf(newSeed(chance));
    const count = chance.integer(1, 2);
    const times: Times = { ...defaultTimes, heartbeatSeconds: chance.pick([15, 30, 60]) };
    for (let index = 0; index < count; index += 1) {
      const controller = new Controller({
        index,
        clock: this.clock,
        rows: this.rows,
        trace: this.trace,
        times,
        identity,
        chance: chanceOf(this.#seed, 100 + index),
        isStoreUp: () => this.isStoreUp,
        isRough: () => network.isRough,
        sendsFirst: this.#fault === "sendsFirst",
      });
      this.controllers.push(controller);
      network.gateways.push(controller);
      controller.start();
    }
    const devices = chance.pick([1, 1, 1, 2, 2, 3]);
    for (let node = 1; node <= devices; node += 1) {
      await this.#addDevice(node, identity.publicKey);
    }
  }

  async #addDevice(node: number, controllerKey: string): Promise<void> {
    const { clock, network, trace, rows } = this;
    const sn = `SN-000${node}`;
    const addresses = this.controllers.map((_, index) => `wss://c${index}.test:8443`);
    const watch = new DeviceWatch({
      node,
      clock,
      rows,
      kindOf: (at, id) => this.#kinds.get(`${at} ${textOf(id)}`),
      isAlive: () => device.isAlive,
      violate: (text) => this.violate(text),
    });
    this.#watches.set(node, watch);
    const fault = this.#fault === "noSync" || this.#fault === "forgetsJournal" ? this.#fault : null;
    const device: Device = new Device({
      clock,
      network,
      trace,
      fault,
      chance: chanceOf(this.#seed, 200 + node),
      enrolment: { node, serialNumber: sn, addresses, controllerKey },
      logged: (text, fields) => watch.logged(text, fields),
      booting: (disk) => watch.booting(disk),
    });
    const { publicKey } = await device.provision();
    rows.addNode(node, { publicKey, enterpriseId: 1, sn, state: "approved" });
    this.#states.set(node, new States(node));
    this.devices.push(device);
    await device.start();
  }

  /** An operator changes what a node should be. */
  publish(node: number, kind: StateKind): StateId | null {
    const state = this.#states.get(node)?.make(kind);
    const head = state ? this.rows.publish(node, state) : null;
    if (!head) return null;
    this.#kinds.set(`${node} ${textOf(head)}`, kind);
    this.trace.add(`rows: n${node} ${textOf(head)} published, ${kind}`);
    for (const controller of this.controllers) {
      const isHeard = !this.network.isRough || this.chance.happens(0.8);
      const ms = this.chance.between(5, 300);
      if (isHeard) this.clock.setTimeout(() => controller.hint(node), ms);
    }
    return head;
  }

  /** A site elsewhere in the space of a node has a network more. */
  revise(node: number): void {
    const states = this.#states.get(node);
    const newest = this.rows.newest(node);
    if (!states || !newest) return;
    const { name, content } = states.revise();
    const isTaken = ["waiting", "delivered", "applied", "confirmed"].includes(newest.outcome);
    this.rows.revise(node, name, content);
    if (!isTaken || !this.rows.revisedOf(node, newest)) {
      this.publish(node, "good");
      return;
    }
    const { serial } = newest.head;
    const revision = this.rows.of(node).lists?.revision ?? 0;
    this.#kinds.set(`${node} ${textOf({ epoch: 1, serial, revision })}`, "good");
    this.trace.add(`rows: n${node} ${textOf({ epoch: 1, serial, revision })} listed`);
  }

  #wire(node: number, toDevice: boolean, text: string): void {
    const message = JSON.parse(text === "" ? "{}" : text) as {
      type?: string;
      serial?: number;
      epoch?: number;
      revision?: number;
      head?: StateId;
    };
    const { type = "call", epoch = 1, serial, revision, head } = message;
    const id = head ? textOf(head) : serial ? textOf({ epoch, serial, revision }) : "";
    this.trace.add(`n${node} ${toDevice ? "<-" : "->"} ${type} ${id}`, text);
    if (type === "unable" && toDevice) this.#watches.get(node)?.heardUnable();
    if (type === "revision" && toDevice && serial) {
      const isKept = this.rows
        .of(node)
        .revisions.some((row) => row.serial === serial && row.revision === revision);
      if (!isKept) this.violate(`n${node} got ${id} before that was committed`);
    }
    if (type !== "head" || !head) return;
    const row = this.rows.find(node, head);
    if (!row || row.deliveredAt === null) {
      this.violate(`n${node} got ${textOf(head)} before that was committed`);
    }
  }

  /** No fault remains, and none follows. */
  heal(): void {
    this.trace.add("all faults end");
    const { network } = this;
    network.isRough = false;
    this.isStoreUp = true;
    for (const device of this.devices) {
      device.spare();
      for (const index of this.controllers.keys()) network.setMode(device.node, index, "up");
      void device.start();
    }
    for (const controller of this.controllers) controller.start();
  }

  /** Why the world is not at rest yet; null: it is. */
  unrest(): string | null {
    for (const device of this.devices) {
      const why = this.#unrestOf(device);
      if (why !== null) return `n${device.node} ${why}`;
    }
    return null;
  }

  #unrestOf(device: Device): string | null {
    const { rows } = this;
    const { states, status } = rows.of(device.node);
    const edge = device.status;
    if (!edge?.connected) return "is not connected";
    if (edge.busy) return "is busy";
    const open = states.find(({ task }) => task === 0 || task === 4);
    if (open) return `has an open task for ${textOf(open.head)}`;
    const newest = states.at(-1);
    const mayRetry = newest && (newest.unreachable || newest.stopped) && newest.retries === 0;
    if (newest?.outcome === "reverted" && mayRetry) {
      return `waits for the retry of ${textOf(newest.head)}`;
    }
    if (newest && ["waiting", "delivered", "applied", "superseded"].includes(newest.outcome)) {
      return `has ${newest.outcome} ${textOf(newest.head)}`;
    }
    const believed = states.findLast(({ outcome }) => outcome === "confirmed")?.head ?? null;
    const runs = edge.running;
    if (textOf(believed) !== textOf(runs)) {
      return `runs ${textOf(runs)}, the controller believes ${textOf(believed)}`;
    }
    const reported = status?.running ?? null;
    if (textOf(reported) !== textOf(runs))
      return `runs ${textOf(runs)}, reported was ${textOf(reported)}`;
    const digests = rows.wantedDigests(device.node);
    if (runs && digests.length > 0 && !digests.includes(reported?.digest ?? ""))
      return `runs other lists of networks than those of ${textOf(believed)}`;
    const isHere = this.controllers.some(({ id }) => id === status?.gateway);
    if (!status?.online || !isHere) return "is not known to be online here";
    if (runs && !isDeepStrictEqual(edge.drift ?? [], [])) return `drifts: ${edge.drift}`;
    return null;
  }

  get minutes(): number {
    return this.clock.now / minuteMs;
  }
}
