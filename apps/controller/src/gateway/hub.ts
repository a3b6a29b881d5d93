import { heartbeatSeconds, type MessageFromEdge } from "@weft/contract/device/v1/messages.ts";
import { type OpenSocket, returnMs } from "#domains/devices/presence/public.ts";
import type { LinkSample } from "#domains/overlay/link/public.ts";
import { socketsChanged } from "#telemetry/events.ts";
import {
  type Clock,
  type DeviceSocket,
  every,
  type Log,
  type Random,
  systemClock,
  systemRandom,
} from "./clock.ts";
import type { FleetIdentity } from "./identity.ts";
import { MeasureBuffer } from "./measures.ts";
import { quarantined, Refused, removedNode } from "./refusal.ts";
import { Session } from "./session.ts";
import type { SessionHost, SessionTimes } from "./session-host.ts";
import { type GatewayStore, StoreAway } from "./store.ts";
import { StoreWatch } from "./store-watch.ts";

export interface Times extends SessionTimes {
  /** Ms from the upgrade to the proof. */
  readonly handshakeMs: number;
  /** Ms between checks of the database for what sockets have to be notified of. */
  readonly pollMs: number;
  /** Ms between writes of what devices measure of links. */
  readonly measuresMs: number;
}

export const defaultTimes: Times = {
  heartbeatSeconds,
  handshakeMs: 10_000,
  pollMs: 2_000,
  measuresMs: 5_000,
  // An edge fetches, applies and waits up to two minutes for its commit confirmation.
  silentMs: 300_000,
  retryAfterMs: 600_000,
  retryAfterStopMs: 61_000,
  settleMs: 2_000,
};

export interface HubDeps {
  readonly store: GatewayStore;
  readonly identity: FleetIdentity;
  readonly logger: Log;
  readonly times: Times;
  /** Those of the system unless given. */
  readonly clock?: Clock;
  readonly random?: Random;
  /** Notifies workers that a change row was written. */
  changed(): void;
  /** Resolves true once the metrics are durable; false: the device keeps them. */
  keepMetrics(node: number, metrics: MessageFromEdge<"metrics">): Promise<boolean>;
  /** The same of records of flows. */
  keepFlows: SessionHost<Session>["keepFlows"];
}

/** Proofs under way; the rest of a fleet that comes back at once is told to come a little later. */
const admitted = { most: 512, minPauseMs: 1_000, maxPauseMs: 10_000 } as const;
const missedHeartbeats = 3;
const seenMs = 60_000;
/** Ms to the next attempt for ends of sockets that were not written, because others hold their rows for example. */
const endAgainMs = 5_000;
/** A forgotten key costs its device nothing but a place among the unproven. */
const maxKnownKeys = 50_000;

/** All sockets of this process. */
export class Hub implements SessionHost<Session> {
  readonly id: string;
  readonly store: GatewayStore;
  readonly identity: FleetIdentity;
  readonly logger: Log;
  readonly clock: Clock;
  readonly random: Random;
  readonly times: Times;
  readonly measures: MeasureBuffer;
  readonly #changed: () => void;
  readonly keepMetrics: HubDeps["keepMetrics"];
  readonly keepFlows: HubDeps["keepFlows"];
  readonly #all = new Set<Session>();
  readonly #byNode = new Map<number, Session>();
  readonly #whenProven = new WeakMap<Session, () => void>();
  readonly #leaving = new Set<Promise<void>>();
  /** Epochs of sockets whose end is not written yet, by node: of several the newest. */
  readonly #gone = new Map<number, number>();
  /** Ends of sockets are written with the next turn; what ends until then goes into the same statement. */
  #isEndDue = false;
  /**
   * Pending while presence is written. One statement follows the other: two at the same moment could leave a socket online that
   * ended between them, and nothing would write its end again.
   */
  #presence: Promise<void> = Promise.resolve();
  /** Keys that devices proved here, by node, whether their sockets are still open or not. */
  readonly #keys = new Map<number, string>();
  readonly #storeWatch: StoreWatch;
  readonly #timers: (() => void)[];
  /** Rows of metrics that named links of other nodes, since the start. */
  foreignRows = 0;
  #proofs = 0;
  /** Pending while measures are written; later ones wait for the next time. */
  #writing: Promise<void> | null = null;
  #isClosed = false;
  /** The last list of networks of any space that this gateway knows of; null: it has not asked yet. */
  #revision: number | null = null;
  readonly #startedAt: number;

  constructor(deps: HubDeps) {
    this.store = deps.store;
    this.clock = deps.clock ?? systemClock;
    this.#startedAt = this.clock.monotonic();
    this.random = deps.random ?? systemRandom;
    this.id = Buffer.from(this.random.bytes(16)).toString("hex");
    this.identity = deps.identity;
    this.logger = deps.logger;
    this.times = deps.times;
    this.measures = new MeasureBuffer(this.now);
    this.#changed = deps.changed;
    this.keepMetrics = deps.keepMetrics;
    this.keepFlows = deps.keepFlows;
    this.#storeWatch = new StoreWatch({
      store: this.store,
      clock: this.clock,
      random: this.random,
      logger: this.logger,
      back: () => this.#inTurn(() => this.#writePresence(() => true)),
    });
    const heartbeatMs = deps.times.heartbeatSeconds * 1_000;
    this.#timers = [
      every(this.clock, heartbeatMs / missedHeartbeats, () => this.#checkHeartbeats()),
      every(this.clock, seenMs, () => void this.#tellSeen()),
      every(this.clock, deps.times.measuresMs, () => void this.#keepMeasures()),
    ];
  }

  readonly now = (): number => this.clock.monotonic();

  changed(): void {
    this.#changed();
  }

  storeAway(error: StoreAway): Promise<void> {
    return this.#storeWatch.away(error);
  }

  foreignMetrics(rows: number): void {
    this.foreignRows += rows;
  }

  pauseMs(): number {
    const { minPauseMs, maxPauseMs } = admitted;
    return Math.floor(minPauseMs + this.random.fraction() * (maxPauseMs - minPauseMs));
  }

  installationEpoch(): Promise<number> {
    return this.store.installationEpoch();
  }

  /** Sockets that have not proven themselves yet. */
  get unproven(): number {
    return this.#all.size - this.#byNode.size;
  }

  /** @param proven called once when the socket counts no longer as unproven */
  open(socket: DeviceSocket, address: string, proven: () => void): void {
    if (this.#isClosed) {
      socket.terminate();
      return;
    }
    const session = new Session(this, socket, address);
    this.#all.add(session);
    this.#whenProven.set(session, proven);
    this.#publishSockets();
    this.clock.setTimeout(() => {
      if (!session.isProven) session.terminate();
    }, this.times.handshakeMs);
  }

  async admit(proof: () => Promise<void>): Promise<void> {
    if (this.#proofs >= admitted.most) {
      throw new Refused("busy", "too many devices are connecting", this.pauseMs());
    }
    this.#proofs += 1;
    try {
      await proof();
    } finally {
      this.#proofs -= 1;
    }
  }

  /** A device has proven itself: an older socket of it ends. */
  proven(session: Session, node: number): void {
    const older = this.#byNode.get(node);
    if (older && older.epoch > session.epoch) {
      session.refuse(new Refused("replaced", "a newer socket is open"));
      return;
    }
    this.#byNode.set(node, session);
    this.measures.ended(node);
    this.#publishSockets();
    this.#noteKey(node, session.device?.publicKey);
    this.#whenProven.get(session)?.();
    older?.replace("a newer socket is open");
    this.logger.info({ node, address: session.address }, "device online");
  }

  /** The key that a device of the node proved here last; null: none is known. */
  keyOf(node: number): string | null {
    return this.#keys.get(node) ?? null;
  }

  #noteKey(node: number, key: string | undefined): void {
    this.#keys.delete(node);
    if (key !== undefined) this.#keys.set(node, key);
    const oldest = this.#keys.keys().next();
    if (this.#keys.size > maxKnownKeys && !oldest.done) this.#keys.delete(oldest.value);
  }

  replacedAlive({ device, address }: Session): void {
    if (!device) return;
    const noted = this.store
      .noteReplacement(device, address)
      .then((isClone) => {
        if (!isClone) return;
        this.logger.error({ node: device.node, address }, "two devices have one key: quarantined");
        this.#changed();
      })
      .catch((error: unknown) => this.logger.warn({ err: error }, "replacement not recorded"))
      .finally(() => this.#leaving.delete(noted));
    this.#leaving.add(noted);
  }

  ended(session: Session): void {
    const isLate = !this.#all.delete(session);
    const { device, epoch } = session;
    if (!device) {
      this.#publishSockets();
      return;
    }
    if (this.#byNode.get(device.node) === session) {
      this.#byNode.delete(device.node);
      this.measures.ended(device.node);
    }
    this.#publishSockets();
    // A gateway that ends has lost its devices, not they their contact (`close`).
    if (this.#isClosed) return;
    // Many come back at once and do not wait for their answers: they try again. The worker finds who does not.
    if (isLate && this.now() - this.#startedAt < returnMs) return;
    this.#gone.set(device.node, Math.max(epoch, this.#gone.get(device.node) ?? epoch));
    this.#writeEnds();
  }

  /**
   * Of sockets that end at the same moment, as with the network that carried them, in a few statements: those of thousands
   * one by one would be before their devices that come back.
   */
  #writeEnds(): void {
    if (this.#isEndDue) return;
    this.#isEndDue = true;
    const written = this.#inTurn(() => {
      this.#isEndDue = false;
      return this.#writeGone();
    });
    written.catch((error: unknown) => this.#presenceFailed(error));
  }

  #inTurn(write: () => Promise<void>): Promise<void> {
    const written = this.#presence.then(write);
    this.#presence = written.catch(() => undefined);
    return written;
  }

  /** Another next key was prepared, or none is any more. */
  announceKey(): void {
    for (const session of this.#byNode.values()) session.announceKey();
  }

  /** The controller has changed its key: what was proven by the previous one ends. */
  reconnectAll(): void {
    for (const session of [...this.#all]) {
      session.refuse(new Refused("busy", "the controller has changed its key", this.pauseMs()));
    }
  }

  /** A node may have something to be sent. */
  deliver(node: number): void {
    this.#byNode.get(node)?.deliver();
  }

  /** Asks the database about all proven sockets: which are rejected, replaced, or have a state waiting. */
  async watch(): Promise<void> {
    const open = [...this.#byNode.values()].flatMap(({ device, epoch }) =>
      device ? [{ ...device, epoch }] : [],
    );
    if (open.length === 0) return;
    const reported = await this.store.watch(open, this.times).catch((error: unknown) => {
      if (error instanceof StoreAway) void this.storeAway(error);
      throw error;
    });
    for (const { node, verdict } of reported) {
      const socket = open.find((one) => one.node === node);
      const session = this.#byNode.get(node);
      // Another socket may have been opened since the request.
      if (!session || session.epoch !== socket?.epoch) continue;
      if (verdict === "rejected")
        session.refuse(new Refused("rejected", "this device was rejected"));
      else if (verdict === "quarantined") session.refuse(quarantined());
      else if (verdict === "removed") session.refuse(removedNode());
      else if (verdict === "replaced") session.replace("a newer socket is open elsewhere");
      else session.deliver();
    }
    await this.#command(open);
    await this.#revise(open);
  }

  /** Members of spaces with later lists of networks are sent them, all that have a socket here. */
  async #revise(open: readonly { readonly node: number }[]): Promise<void> {
    const { last, nodes } = await this.store.revisedNodes(
      open.map(({ node }) => node),
      this.#revision,
    );
    this.#revision = last;
    for (const node of nodes) this.deliver(node);
  }

  /** Sends what waits for these sockets. A device that has gone meanwhile never answers. */
  async #command(
    open: readonly { readonly node: number; readonly epoch: number }[],
  ): Promise<void> {
    for (const { id, node, timeoutMs, what } of await this.store.takeCommands(open)) {
      this.logger.info({ node, command: id, kind: what.kind }, "command sent");
      this.#byNode.get(node)?.send({ type: "command", id, timeoutMs, what });
    }
  }

  /**
   * Ends all sockets. Their devices stay online, seen just now: they come back, to this gateway once it has started again or
   * to another one. Those that do not are found by the worker (`jobs/presence.ts`), which counts only time in which they could.
   */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#storeWatch.close();
    for (const undo of this.#timers) undo();
    await this.#tellSeen();
    const all = [...this.#all];
    for (const session of all) session.terminate();
    await Promise.all(all.map((session) => session.settled()));
    await this.#writing;
    await this.#keepMeasures();
    // Those that could not be written before are as well.
    if (this.#gone.size > 0) this.#writeEnds();
    await this.#presence;
    await Promise.all(this.#leaving);
  }

  #publishSockets(): void {
    socketsChanged.publish({ devices: this.#byNode.size, unproven: this.unproven });
  }

  #checkHeartbeats(): void {
    const heartbeatMs = this.times.heartbeatSeconds * 1_000;
    for (const session of this.#byNode.values()) {
      session.sayAlive();
      if (session.isPaused) continue;
      const silentMs = this.now() - session.receivedAt;
      if (silentMs > missedHeartbeats * heartbeatMs) {
        this.logger.info({ node: session.device?.node }, "device missed its heartbeats");
        session.terminate();
      } else if (silentMs > heartbeatMs * 1.2 && !session.isPinged) session.ping();
    }
  }

  #keepMeasures(): Promise<void> {
    this.#writing ??= this.#writeMeasures().finally(() => {
      this.#writing = null;
    });
    return this.#writing;
  }

  /** What is lost with the database comes again: devices measure every 5 s. */
  async #writeMeasures(): Promise<void> {
    try {
      for (const part of this.measures.take()) await this.#writeSamples(part);
    } catch (error) {
      if (error instanceof StoreAway) void this.storeAway(error);
      else throw error;
    }
  }

  /** What fails as a whole is written in halves, down to the device that it fails for: no other loses its measures. */
  async #writeSamples(samples: readonly LinkSample[]): Promise<void> {
    try {
      for (const node of await this.store.keepMeasures(samples)) {
        this.#byNode.get(node)?.refuse(new Refused("notYours", "a link of other nodes"));
      }
    } catch (error) {
      if (error instanceof StoreAway) throw error;
      const nodes = [...new Set(samples.map(({ node }) => node))];
      if (nodes.length <= 1) {
        this.logger.warn({ err: error, nodes }, "measures of links not recorded");
        return;
      }
      const first = new Set(nodes.slice(0, Math.ceil(nodes.length / 2)));
      await this.#writeSamples(samples.filter(({ node }) => first.has(node)));
      await this.#writeSamples(samples.filter(({ node }) => !first.has(node)));
    }
  }

  async #tellSeen(): Promise<void> {
    const heartbeatMs = this.times.heartbeatSeconds * 1_000;
    const isHeard = ({ receivedAt }: Session) => this.now() - receivedAt < 2 * heartbeatMs;
    await this.#inTurn(() => this.#writePresence(isHeard)).catch((error: unknown) =>
      this.#presenceFailed(error),
    );
  }

  /** What the store does not take stays, and is written again soon. */
  async #writeGone(): Promise<void> {
    const gone = [...this.#gone].map(([node, epoch]) => ({ node, epoch }));
    const left = new Set(await this.#writeSeen(gone, false));
    for (const { node, epoch } of gone) {
      if (!left.has(node) && this.#gone.get(node) === epoch) this.#gone.delete(node);
    }
    if (left.size > 0 && !this.#isClosed) {
      this.clock.setTimeout(() => this.#gone.size > 0 && this.#writeEnds(), endAgainMs);
    }
  }

  /** Writes who is here, and who went while that could not be written. @param isHere of sockets that are open at that moment */
  async #writePresence(isHere: (session: Session) => boolean): Promise<void> {
    await this.#writeGone();
    const open = [...this.#byNode.values()].flatMap((session) =>
      session.device && isHere(session)
        ? [{ node: session.device.node, epoch: session.epoch }]
        : [],
    );
    await this.#writeSeen(open, true);
  }

  /**
   * What fails as a whole is written in halves, down to the socket that it fails for: no other waits for it.
   * @returns nodes of sockets that were not written
   */
  async #writeSeen(sockets: readonly OpenSocket[], isOnline: boolean): Promise<readonly number[]> {
    if (sockets.length === 0) return [];
    try {
      return await this.store.writeSeen(sockets, isOnline);
    } catch (error) {
      if (error instanceof StoreAway) throw error;
      const [only] = sockets;
      if (sockets.length === 1 && only) {
        this.logger.warn({ err: error, node: only.node }, "presence not recorded");
        return [only.node];
      }
      const half = Math.ceil(sockets.length / 2);
      return [
        ...(await this.#writeSeen(sockets.slice(0, half), isOnline)),
        ...(await this.#writeSeen(sockets.slice(half), isOnline)),
      ];
    }
  }

  #presenceFailed(error: unknown): void {
    if (error instanceof StoreAway) void this.storeAway(error);
    else this.logger.warn({ err: error }, "presence not recorded");
  }
}
