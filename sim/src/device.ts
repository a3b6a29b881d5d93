/** A device: the edge's real code on a clock, a disk, a machine and a network of the simulation. */
import type { StateId } from "@weft/contract/device/v1/state.ts";
import type { Log } from "@weft/edge/src/log.ts";
import { type SimulatedMachine, simulatedMachine } from "@weft/edge/src/simulate/machine.ts";
import { Edge, type EdgeStatus } from "@weft/edge/src/state/edge.ts";
import type { Disk } from "@weft/edge/src/store/disk.ts";
import { type Enrolment, openStore, sweepStore } from "@weft/edge/src/store/edge-store.ts";
import type { Identity } from "@weft/edge/src/store/keys.ts";
import { CrashDisk } from "@weft/edge/test/crash-disk.ts";
import type { Chance } from "./chance.ts";
import type { SimClock } from "./clock.ts";
import type { DeviceEnd, Network, Reach } from "./network.ts";
import { isImpossible, reachOf } from "./states.ts";
import type { Trace } from "./trace.ts";

export interface DeviceDeps {
  readonly clock: SimClock;
  readonly chance: Chance;
  readonly network: Network;
  readonly trace: Trace;
  readonly enrolment: Enrolment;
  readonly fault: "noSync" | "forgetsJournal" | null;
  /** Every line that the edge logs. */
  logged(text: string, fields: { to?: StateId | null } & Partial<StateId>): void;
  /** A program starts on what the disk says. */
  booting(disk: Disk): Promise<void>;
}

const never = <Value>(): Promise<Value> => new Promise(() => {});

export class Device implements DeviceEnd {
  readonly node: number;
  readonly #deps: DeviceDeps;
  readonly #disk = new CrashDisk();
  readonly #machine: SimulatedMachine;
  #edge: Edge | null = null;
  #alive: { yes: boolean } | null = null;
  #wall = 1_700_000_000_000;

  constructor(deps: DeviceDeps) {
    this.#deps = deps;
    this.node = deps.enrolment.node;
    // The clock of a machine is used for metrics only; those are not sent.
    this.#machine = simulatedMachine(
      deps.clock.process(
        () => true,
        () => this.#wall,
      ),
      `device ${this.node}`,
    );
  }

  get isAlive(): boolean {
    return this.#alive !== null;
  }

  get status(): EdgeStatus | null {
    return this.#edge?.status ?? null;
  }

  reach(): Reach {
    return reachOf(this.#applied("underlay"));
  }

  jumpWall(ms: number): void {
    this.#wall += ms;
  }

  /** The program dies at the n-th change of the disk from now. */
  dieAtChange(change: number): void {
    if (this.#alive) this.#disk.dieAt(change);
  }

  /** What its disk was going to do to it is called off. */
  spare(): void {
    this.#disk.dieAt(Number.POSITIVE_INFINITY);
  }

  #applied(driver: string): ReadonlyMap<string, string> {
    return this.#machine.drivers.find(({ name }) => name === driver)?.applied ?? new Map();
  }

  /** Makes the device what enrolment would have made it. */
  async provision(): Promise<Identity> {
    const store = await openStore(this.#disk.open());
    await store.enrolment.write(this.#deps.enrolment);
    await store.tunnelKeys(this.#deps.chance);
    return store.makeIdentity(this.#deps.chance);
  }

  async start(): Promise<void> {
    if (this.#alive) return;
    const { clock, chance, network, enrolment, trace } = this.#deps;
    const alive = { yes: true };
    this.#alive = alive;
    const isAlive = () => alive.yes;
    trace.add(`n${this.node} starts`);
    this.#disk.onDeath = () => this.kill(false, "at a change of its disk");
    await this.#deps.booting(this.#disk.open());
    const disk = this.#faulty(this.#disk.open());
    await sweepStore(disk);
    const store = await openStore(disk);
    const identity = await store.identity();
    if (!identity) throw new Error("a device without identity");
    const processClock = clock.process(isAlive, () => this.#wall);
    this.#edge = new Edge({
      clock: processClock,
      random: chance,
      dial: network.dial(this, processClock, isAlive),
      log: this.#log(isAlive),
      store,
      machine: this.#machineOf(isAlive, processClock.setTimeout),
      identity,
      enrolment,
      tunnelKeys: await store.tunnelKeys(chance),
      version: "0.0.0",
      healsDrift: true,
      // Every check is an event of the simulation, and the devices are many.
      turnsMs: 5_000,
    });
    void this.#edge.run();
  }

  /** The program ends silently; with `power` machine and disk lose what they do not keep. */
  kill(power: boolean, how: string): void {
    if (!this.#alive) return;
    this.#deps.trace.add(`n${this.node} dies ${how}`);
    this.#alive.yes = false;
    this.#alive = null;
    this.#edge = null;
    this.#disk.kill(power);
    this.#deps.network.forget(this.node, power);
    if (power) for (const { applied } of this.#machine.drivers) applied.clear();
  }

  /** Planted faults of the disk. */
  #faulty(disk: Disk): Disk {
    const { fault } = this.#deps;
    if (fault === "noSync") return { ...disk, syncFolder: async () => {} };
    if (fault === "forgetsJournal") {
      let isBooting = true;
      const read = (name: string): Promise<Uint8Array | null> => {
        if (name !== "journal.json" || !isBooting) return disk.read(name);
        isBooting = false;
        return Promise.resolve(null);
      };
      return { ...disk, read };
    }
    return disk;
  }

  /** The machine as one process sees it: steps take their time, and some cannot be made. */
  #machineOf(
    isAlive: () => boolean,
    setTimeout: (callback: () => void, ms: number) => unknown,
  ): SimulatedMachine {
    const { chance, network } = this.#deps;
    const drivers = this.#machine.drivers.map((driver) => ({
      ...driver,
      run: async (...[step, part]: Parameters<typeof driver.run>) => {
        if (!isAlive()) return never<void>();
        const isSlow = network.isRough && chance.happens(0.05);
        const ms = isSlow ? chance.between(100, 3_000) : chance.between(0, 20);
        await new Promise<void>((resolve) => setTimeout(resolve, ms));
        if (step.kind === "set" && isImpossible(step.key)) throw new Error("no such next hop");
        return isAlive() ? driver.run(step, part) : never<void>();
      },
    }));
    // Tunnels have no connections that would be new: they answer unless nothing at all gets through.
    const verdicts = () =>
      reachOf(this.#applied("underlay")) === "none" ? new Map() : this.#machine.verdicts();
    return { ...this.#machine, drivers, verdicts, measures: async () => [] };
  }

  #log(isAlive: () => boolean): Log {
    const write = (fields: object, text: string) => {
      if (!isAlive()) return;
      const { epoch, serial, why, reason, to } = fields as Record<string, unknown>;
      const id = serial === undefined ? "" : ` ${epoch}/${serial}`;
      const detail = why ?? reason;
      const back = to === undefined ? "" : ` to ${JSON.stringify(to)}`;
      const more = detail === undefined ? "" : `: ${detail}`;
      this.#deps.trace.add(`n${this.node} ${text}${id}${back}${more}`);
      this.#deps.logged(text, fields);
    };
    return { debug: write, info: write, warn: write, error: write };
  }
}
