/** A device, its controller and the network between them, all on one clock that a test moves. */
import type { Capability, Step } from "#drivers/driver.ts";
import type { Log } from "#edge/log.ts";
import { type SimulatedMachine, simulatedMachine } from "#edge/simulate/machine.ts";
import { Edge } from "#state/edge.ts";
import { openStore, sweepStore } from "#store/edge-store.ts";
import { CrashDisk } from "./crash-disk.ts";
import { TestGateway } from "./gateway.ts";
import { MemoryNetwork } from "./memory-dial.ts";
import { seededRandom, VirtualClock } from "./virtual-clock.ts";

const controllerAddress = "wss://controller.test:8443";
/** Another process of the same controller. */
const otherAddress = "wss://other.test:8443";

export interface LoggedLine {
  readonly level: string;
  readonly text: string;
  readonly fields: object;
}

const never = <Value>(): Promise<Value> => new Promise(() => {});

export class World {
  readonly clock = new VirtualClock();
  readonly disk = new CrashDisk();
  readonly gateway = new TestGateway();
  readonly other = new TestGateway(this.gateway.node, this.gateway.privateKey);
  readonly network = new MemoryNetwork({
    [controllerAddress]: this.gateway,
    [otherAddress]: this.other,
  });
  /** Addresses that the device is enrolled with. */
  addresses = [controllerAddress];
  readonly random = seededRandom(1);
  readonly log: LoggedLine[] = [];
  /** What is applied survives every crash of the program: the kernel keeps it. */
  readonly machine: SimulatedMachine;
  /** Called before each step; a throw fails it, `die` ends the program in the middle of it. */
  beforeStep: (step: Step) => void = () => {};
  healsDrift = true;
  /** The other ends of tunnels; they are no controllers. */
  tunnelsAnswer = true;
  /** What the machine finds that it can do; null: all that a simulated one says. */
  findings: readonly Capability[] | null = null;
  edge: Edge | null = null;
  steps = 0;
  #kill: () => void = () => {};
  #isAlive = false;

  constructor() {
    const { clock } = this.clock.process();
    this.machine = simulatedMachine(clock, "box");
  }

  /** The machine as one process sees it. */
  #machineOf(isAlive: () => boolean): SimulatedMachine {
    const drivers = this.machine.drivers.map((driver) => ({
      ...driver,
      run: (...[step, part]: Parameters<typeof driver.run>) => {
        if (!isAlive()) return never<void>();
        this.steps += 1;
        try {
          this.beforeStep(step);
        } catch (error) {
          return Promise.reject(error);
        }
        return isAlive() ? driver.run(step, part) : never<void>();
      },
    }));
    const capabilities = async () => [...(this.findings ?? (await this.machine.capabilities()))];
    const verdicts = () =>
      this.tunnelsAnswer && !this.network.isCut
        ? this.machine.verdicts()
        : new Map([...this.machine.verdicts().keys()].map((id) => [id, false]));
    return { ...this.machine, drivers, capabilities, verdicts };
  }

  #logger(): Log {
    const write = (level: string) => (fields: object, text: string) => {
      this.log.push({ level, text, fields });
    };
    return {
      debug: write("debug"),
      info: write("info"),
      warn: write("warn"),
      error: write("error"),
    };
  }

  /** Starts the program on what the disk says; enrols the device first if it never was. */
  async start(): Promise<void> {
    const { clock, kill } = this.clock.process();
    let isAlive = true;
    this.#isAlive = true;
    this.#kill = () => {
      isAlive = false;
      kill();
    };
    this.disk.onDeath = () => this.#die();
    const disk = this.disk.open();
    await sweepStore(disk);
    const store = await openStore(disk);
    const identity = await store.makeIdentity(this.random);
    this.gateway.deviceKey = identity.publicKey;
    const fresh = {
      node: this.gateway.node,
      serialNumber: "SN-0001",
      addresses: this.addresses,
      controllerKey: this.gateway.publicKey,
    };
    const kept = await store.enrolment.read();
    const enrolment = kept.kind === "value" ? kept.value : fresh;
    if (kept.kind === "none") await store.enrolment.write(fresh);
    this.edge = new Edge({
      clock,
      random: this.random,
      dial: this.network.dial(clock, () => isAlive),
      log: this.#logger(),
      store,
      machine: this.#machineOf(() => isAlive),
      identity,
      enrolment,
      tunnelKeys: await store.tunnelKeys(this.random),
      version: "0.0.0",
      healsDrift: this.healsDrift,
    });
    void this.edge.run();
  }

  get isAlive(): boolean {
    return this.#isAlive;
  }

  #die(): void {
    this.#isAlive = false;
    this.#kill();
  }

  /** Ends the program silently; with `power` the device loses what the disk had not synced. */
  kill(power = false): void {
    this.#die();
    this.disk.kill(power);
    this.network.closeAll();
    if (power) for (const driver of this.machine.drivers) driver.applied.clear();
  }

  /** Seconds pass. */
  pass(seconds: number): Promise<void> {
    return this.clock.advance(seconds * 1_000);
  }

  /** What the machine has, as one comparable value. */
  applied(): Record<string, Record<string, string>> {
    return Object.fromEntries(
      this.machine.drivers.map(({ name, applied }) => [
        name,
        Object.fromEntries([...applied].sort(([a], [b]) => (a < b ? -1 : 1))),
      ]),
    );
  }
}
