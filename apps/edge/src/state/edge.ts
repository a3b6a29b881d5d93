/** One device at work: the link, the state machine and what they send each other. */

import { type MessageAddition, messageAdditions } from "@weft/contract/device/v1/additions.ts";
import { canonicalJson } from "@weft/contract/device/v1/canonical.ts";
import {
  heartbeatSeconds,
  type MessageFromController,
  type MessageFromEdge,
} from "@weft/contract/device/v1/messages.ts";
import type { DesiredState } from "@weft/contract/device/v1/state.ts";
import type { LineReport, Machine } from "#drivers/driver.ts";
import { between, type Clock, type Random, sleep } from "#edge/clock.ts";
import { type Log, reasonOf } from "#edge/log.ts";
import { Confirmer } from "#link/confirmer.ts";
import type { Dial } from "#link/dial.ts";
import { Link } from "#link/link.ts";
import type { ControllerMessage } from "#link/session.ts";
import type { EdgeStore, Enrolment } from "#store/edge-store.ts";
import type { Identity } from "#store/keys.ts";
import { Commander } from "./commander.ts";
import { DriftWatch } from "./drift.ts";
import { EpochFloor } from "./epoch-floor.ts";
import { FlowReporter } from "./flow-reports.ts";
import { MetricsQueue } from "./metrics-queue.ts";
import { mayReport, outcomeMessage } from "./outcomes.ts";
import { PathReporter } from "./path-reports.ts";
import { Pins } from "./pins.ts";
import { Reconciler } from "./reconciler.ts";
import { Reporter } from "./report.ts";

export interface EdgeDeps {
  readonly clock: Clock;
  readonly random: Random;
  readonly dial: Dial;
  readonly log: Log;
  readonly store: EdgeStore;
  readonly machine: Machine;
  readonly identity: Identity;
  readonly enrolment: Enrolment;
  readonly tunnelKeys: readonly { readonly id: string; readonly publicKey: string }[];
  readonly version: string;
  readonly healsDrift: boolean;
  /** Ms between two checks of the links' answers, where not the default. */
  readonly turnsMs?: number;
}

/** What `weft-edge status` shows of a running edge. */
export interface EdgeStatus {
  readonly node: number;
  readonly connected: boolean;
  readonly running: { readonly epoch: number; readonly serial: number } | null;
  /** A state is under way or not confirmed yet. */
  readonly busy: boolean;
  /** Steps from what runs to what is there; null: not measured. */
  readonly drift: readonly string[] | null;
}

const measuresMs = 5_000;
/** Between two checks of the links' answers; probes go out every 200 ms. */
const defaultTransitionsMs = 200;
/**
 * A connection that does not answer this long after a link fell is lost with it. A gateway that learns of
 * many falls at once is slow to answer: a shorter time would make all devices reconnect at once.
 */
const verifyLimitMs = 3_000;
/** Heartbeats differ by this share, so that a fleet does not send in step. */
const heartbeatJitter = 0.1;
const checkLimitMs = 2_000;
/** The start does not wait longer for a machine that hangs: the controller must be able to see it. */
const bootLimitMs = 20_000;

/** Where connections may start: at lines that are up, silent ones last. No controller is behind a LAN. */
const lineAddresses = (
  lines: readonly LineReport[],
  state: DesiredState | undefined,
): readonly string[] => {
  const lans = new Set(state?.underlay.lans.map(({ interfaceName }) => interfaceName));
  return lines
    .filter(({ up, interfaceName }) => up && !lans.has(interfaceName))
    .toSorted((one, other) => Number(one.isSilent ?? false) - Number(other.isSilent ?? false))
    .flatMap(({ address }) => address?.split("/")[0] ?? []);
};

export class Edge {
  readonly #deps: EdgeDeps;
  readonly #end = new AbortController();
  readonly #link: Link;
  readonly #reconciler: Reconciler;
  readonly #drift: DriftWatch;
  readonly #confirmer: Confirmer;
  readonly #reporter: Reporter;
  readonly #paths: PathReporter;
  readonly #flows: FlowReporter;
  readonly #epochs: EpochFloor;
  readonly #pins: Pins;
  readonly #metricsQueue: MetricsQueue;
  readonly #commander: Commander;
  #heartbeatMs = heartbeatSeconds * 1_000;
  #notifying: Promise<void> = Promise.resolve();
  #isRemoved = false;
  /** Fields that the controller of this connection reads. */
  #accepted: ReadonlySet<string> = new Set();

  constructor(deps: EdgeDeps) {
    this.#deps = deps;
    const { signal } = this.#end;
    const { enrolment, machine, healsDrift: heals } = deps;
    this.#epochs = new EpochFloor(deps);
    this.#pins = new Pins(deps);
    const sources = async () =>
      lineAddresses(await machine.lines(), this.#reconciler.running?.state);
    const linkDeps = {
      ...deps,
      knownEpoch: () => this.#epochs.known,
      sources,
      controllerKeys: () => this.#pins.accepted,
    };
    this.#link = new Link(
      linkDeps,
      {
        welcome: (message, key) => this.#welcome(message, key),
        message: (message) => this.#message(message),
        lost: (reason) => deps.log.debug({ reason }, "connection lost"),
        removed: () => void this.#remove(),
      },
      signal,
    );
    const hasAnchor = () => [...machine.verdicts().values()].includes(true);
    this.#confirmer = new Confirmer(linkDeps, this.#link, signal, hasAnchor);
    const uplink = {
      send: (message: MessageFromEdge<"need" | "outcome">) => this.#link.send(message),
      accepts: (addition: MessageAddition) => this.#accepted.has(addition),
      isReceiving: () => this.#link.isReceiving(),
      confirm: this.#confirmer.confirm.bind(this.#confirmer),
      changed: () => this.#notify(),
      restored: () => void this.#link.reconnect(verifyLimitMs),
    };
    this.#reconciler = new Reconciler({ ...deps, node: enrolment.node, uplink, signal });
    this.#drift = new DriftWatch({
      ...deps,
      machine,
      reconciler: this.#reconciler,
      heals,
      changed: () => this.#sendHeartbeat(),
    });
    this.#reporter = new Reporter({
      ...deps,
      serialNumber: enrolment.serialNumber,
      link: this.#link,
      running: () => this.#runningState(),
      recordsBytes: () => this.#recordsBytes(),
    });
    this.#paths = new PathReporter({ machine, link: this.#link });
    this.#flows = new FlowReporter({ ...deps, link: this.#link });
    machine.commands.describe(() => this.status);
    this.#commander = new Commander({
      ...deps,
      link: this.#link,
      drift: (heal) => this.#drift.checkNow(heal),
      restartAt: () => this.#reconciler.running?.state.system?.restartAt ?? null,
    });
    this.#metricsQueue = new MetricsQueue({
      ...deps,
      link: this.#link,
      spool: deps.store.spool,
      recordsBytes: () => this.#recordsBytes(),
      accepts: (addition) => this.#accepted.has(addition),
    });
  }

  /** Whether this is the enrolment that the edge runs as. */
  runsAs(enrolment: Enrolment): boolean {
    return this.#pins.isOf(enrolment);
  }

  /** True once a controller has refused this device because its node was removed. */
  get isRemoved(): boolean {
    return this.#isRemoved;
  }

  async #remove(): Promise<void> {
    this.#deps.log.warn({ node: this.#deps.enrolment.node }, "the node was removed");
    this.#isRemoved = true;
    await this.stop();
  }

  get status(): EdgeStatus {
    const head = this.#reconciler.running?.head;
    return {
      node: this.#deps.enrolment.node,
      connected: this.#link.isConnected,
      running: head ? { epoch: head.epoch, serial: head.serial } : null,
      busy: this.#reconciler.isBusy,
      drift: this.#drift.drift && this.#drift.steps,
    };
  }

  /** Forwards as the disk says, then keeps in touch; resolves after `stop`. */
  async run(): Promise<void> {
    const { clock, machine, log } = this.#deps;
    const { signal } = this.#end;
    await this.#epochs.load();
    await this.#pins.load();
    const fail = (error: unknown) => log.error({ why: reasonOf(error) }, "the start failed");
    const booted = machine
      .start()
      .catch(fail)
      .then(() => this.#reconciler.boot())
      .catch(fail);
    await Promise.race([booted, sleep(clock, bootLimitMs, signal)]);
    await Promise.all([
      booted,
      this.#link.run(),
      this.#sendHeartbeats(),
      this.#measure(),
      this.#watch(),
      this.#metricsQueue.run(signal),
      this.#commander.run(signal),
    ]);
  }

  /** Ends the connection and the probes; tunnels, routes and rules stay. */
  async stop(): Promise<void> {
    this.#end.abort();
    await this.#reconciler.exclusive(() => this.#deps.machine.stop());
  }

  #runningState(): MessageFromEdge<"heartbeat">["running"] {
    const running = this.#reconciler.running;
    if (!running) return null;
    const { epoch, serial } = running.head;
    return { epoch, serial, digest: running.digest };
  }

  #welcome(
    { epoch, heartbeatSeconds: seconds }: MessageFromController<"welcome">,
    key: string,
  ): void {
    void this.#pins.proven(key);
    this.#heartbeatMs = seconds * 1_000;
    this.#accepted = new Set();
    this.#epochs.start(epoch);
    this.#reconciler.welcome(epoch);
    this.#reporter.forget();
    this.#paths.forget();
    this.#flows.forget();
    this.#reporter.resend();
    this.#notify();
  }

  #message(message: ControllerMessage): void {
    if (message.type === "head") this.#reconciler.offer(message.head);
    else if (message.type === "revision") {
      const { type: _, ...revision } = message;
      this.#reconciler.revise(revision);
    } else if (message.type === "sections") this.#reconciler.receive(message);
    else if (message.type === "accepts") this.#reads(message.names);
    else if (message.type === "nextKey") void this.#sendPins(this.#pins.take(message));
    else if (message.type === "metricsAck") void this.#kept(message);
    else if (message.type === "flowsAck") this.#flows.take(message, this.#deps.clock.monotonic());
    else if (message.type === "command") void this.#commander.take(message);
    else this.#confirmer.take(message);
  }

  /** What the controller of this connection reads; after each report. */
  #reads(names: readonly string[]): void {
    const isFirst = this.#accepted.size === 0;
    this.#accepted = new Set(names);
    if (!isFirst) return;
    void this.#sendPins(this.#pins.held());
    // An outcome of a revision waits for this.
    this.#notify();
  }

  async #sendPins(held: Promise<string | null>): Promise<void> {
    const next = await held;
    if (this.#accepted.has(messageAdditions.pins)) this.#link.send({ type: "pins", next });
  }

  /** Report and kept outcome, one report after the other. */
  #notify(): void {
    this.#notifying = this.#notifying
      .then(() => this.#reporter.notify())
      .then(() => this.#sendOutcome())
      .catch((error) => this.#deps.log.error({ why: reasonOf(error) }, "report failed"));
  }

  /** Forgets a kept outcome only after the gateway has shown that it got it. */
  async #sendOutcome(): Promise<void> {
    const { outcome } = this.#deps.store;
    if (!this.#link.isConnected) return;
    const kept = await outcome.read();
    if (kept.kind === "damaged") {
      await outcome.clear();
      this.#reconciler.reported();
    }
    const uplink = { accepts: (addition: MessageAddition) => this.#accepted.has(addition) };
    if (kept.kind !== "value" || !mayReport(uplink, kept.value)) return;
    this.#link.send(outcomeMessage(kept.value));
    if (!(await this.#link.arrived())) return;
    // Another may have been kept while this one was on its way.
    const now = await outcome.read();
    if (now.kind !== "value" || canonicalJson(now.value) !== canonicalJson(kept.value)) return;
    await outcome.clear();
    this.#reconciler.reported();
  }

  async #sendHeartbeats(): Promise<void> {
    const { clock, random } = this.#deps;
    const { signal } = this.#end;
    while (!signal.aborted) {
      await sleep(
        clock,
        this.#heartbeatMs * between(random, 1 - heartbeatJitter, 1 + heartbeatJitter),
        signal,
      );
      if (signal.aborted) return;
      await this.#checkDrift();
      this.#sendHeartbeat();
      this.#reconciler.retryFetch();
      await this.#reporter.notify();
    }
  }

  #sendHeartbeat(): void {
    const { drift } = this.#drift;
    this.#link.send({ type: "heartbeat", running: this.#runningState(), drift });
  }

  /** A machine that is slow to check must not make the device look dead: then the last check counts. */
  async #checkDrift(): Promise<void> {
    const checked = new AbortController();
    void this.#drift.check().finally(() => checked.abort());
    await sleep(this.#deps.clock, checkLimitMs, checked.signal);
  }

  /** As the state that runs says, confirmed or not. */
  #recordsBytes(): boolean {
    return this.#reconciler.running?.state.system?.byteRecords ?? true;
  }

  async #measure(): Promise<void> {
    const { clock } = this.#deps;
    const { signal } = this.#end;
    while (!signal.aborted) {
      await sleep(clock, measuresMs, signal);
      if (signal.aborted) return;
      const stand = this.#accepted.has(messageAdditions.standingMeasures);
      this.#metricsQueue.add(await this.#reporter.measures(clock.monotonic(), stand));
      if (this.#accepted.has(messageAdditions.repairs)) await this.#reporter.repaired();
      if (this.#accepted.has(messageAdditions.leases)) this.#reporter.leased();
      if (this.#accepted.has(messageAdditions.ipv6)) await this.#reporter.ipv6(clock.now());
      const readsClasses = this.#accepted.has(messageAdditions.pathClasses);
      if (this.#accepted.has(messageAdditions.paths)) this.#paths.paths(readsClasses);
      if (this.#accepted.has(messageAdditions.moves)) await this.#paths.moves(readsClasses);
      if (this.#accepted.has(messageAdditions.flows)) this.#flows.report(clock.monotonic());
    }
  }

  /** Reports immediately which links fall and which come back. */
  async #watch(): Promise<void> {
    const { clock, machine, turnsMs = defaultTransitionsMs } = this.#deps;
    const { signal } = this.#end;
    const undo = machine.watchLines(() => {
      if (signal.aborted) return;
      this.#notify();
      void this.#link.linesChanged(verifyLimitMs);
    });
    const unwatch = machine.watchKernel(() => {
      if (!signal.aborted) this.#drift.hint();
    });
    while (!signal.aborted) {
      await sleep(clock, turnsMs, signal);
      if (!signal.aborted && this.#accepted.has(messageAdditions.standby))
        this.#reporter.placed(clock.now());
      if (!signal.aborted && this.#reporter.changed(clock.monotonic())) {
        void this.#link.verifyConnection(verifyLimitMs);
      }
    }
    undo();
    unwatch();
  }

  async #kept(message: MessageFromController<"metricsAck">): Promise<void> {
    await this.#metricsQueue
      .take(message)
      .catch((error) => this.#deps.log.warn({ why: reasonOf(error) }, "message not cleared"));
  }
}
