/** One socket of one device: challenge, hello, welcome; then messages, one after the other. */
import { acceptsAll, requestsAdditions } from "@weft/contract/device/v1/additions.ts";
import {
  type FromController,
  type FromEdge,
  type MessageFromEdge,
  protocolVersion,
} from "@weft/contract/device/v1/messages.ts";
import { type StateId, stateIdOf } from "@weft/contract/device/v1/state.ts";
import type { Device } from "#domains/devices/presence/public.ts";
import { deviceMessageTaken, deviceRefused } from "#telemetry/events.ts";
import type { DeviceSocket } from "./clock.ts";
import { confirm } from "./confirm.ts";
import { newNonce, parseJson, proveDevice, readHello, readMessage, welcomeFor } from "./hello.ts";
import { KeyAnnouncer } from "./key-announcer.ts";
import { createBucket } from "./limits.ts";
import { OwnFlows } from "./own-flows.ts";
import { MetricBuffer } from "./own-metrics.ts";
import { Refused, refusedMessage } from "./refusal.ts";
import { givenSections, messageBytes, sectionMessages } from "./sections.ts";
import type { SessionHost } from "./session-host.ts";
import { StoreAway } from "./store.ts";
import { retryWhileStoreAway } from "./store-retry.ts";

/** Messages of one socket: a burst, and a rate per second after that. */
const rate = { burst: 200, perSecond: 40 } as const;
/** Messages that may wait while one is worked on; reading stops at the lower mark. */
const queued = { pause: 4, max: 64 } as const;
/** Bytes that wait for the device to read them: with more, nothing of it is worked on. */
export const maxUnread = 1_048_576;
/** Ms that a device has to read them, and for each `messageBytes` by which there are more: a section may have megabytes. */
export const unreadMs = 10_000;
/** Ms that a replaced socket has to show that its device is still there. */
export const aliveMs = 2_000;

export class Session {
  readonly #hub: SessionHost<Session>;
  readonly #socket: DeviceSocket;
  readonly #challenge: string;
  readonly #mayPass: () => boolean;
  readonly address: string;
  #device: Device | null = null;
  #epoch = 0;
  #phase: "greeting" | "proving" | "proven" | "replaced" | "ended" = "greeting";
  #work: Promise<void> = Promise.resolve();
  #queued = 0;
  #running: MessageFromEdge<"report">["running"] = null;
  #reportedAt: number | null = null;
  #sent: StateId | null = null;
  #lastKept = "";
  /** A state may be marked as delivered that was not sent: only the answer of the store was lost. */
  #mayBeUnsent = false;
  readonly #metrics: MetricBuffer;
  readonly #flows: OwnFlows;
  readonly #keys: KeyAnnouncer;
  #drained: (() => void) | null = null;
  /** Monotonic ms of the last message. */
  receivedAt: number;
  /** Pings of the device that wait for what came before them. */
  #unanswered = 0;
  /** True while a heartbeat is overdue and a ping was sent for it. */
  isPinged = false;

  constructor(hub: SessionHost<Session>, socket: DeviceSocket, address: string) {
    this.#hub = hub;
    this.#metrics = new MetricBuffer(hub);
    this.#flows = new OwnFlows(hub);
    this.#keys = new KeyAnnouncer(
      () => hub.identity,
      (message) => this.send(message),
    );
    this.#challenge = newNonce(hub.random);
    this.#socket = socket;
    this.address = address;
    this.#mayPass = createBucket(rate.burst, rate.perSecond, hub.now);
    this.receivedAt = hub.now();
    socket.on("message", (data, isBinary) => this.#receive(String(data), isBinary));
    socket.on("ping", (data) => this.#answerPing(data));
    socket.on("close", () => this.#end());
    // A frame that is too large or broken: ws closes the socket by itself.
    socket.on("error", (error) => hub.logger.debug({ err: error, address }, "socket error"));
    this.send({ type: "challenge", protocols: [protocolVersion], nonce: this.#challenge });
  }

  get device(): Device | null {
    return this.#device;
  }

  get epoch(): number {
    return this.#epoch;
  }

  get isProven(): boolean {
    return this.#phase === "proven";
  }

  /** Nothing is read from the device now, so that its silence says nothing. */
  get isPaused(): boolean {
    return this.#queued >= queued.pause;
  }

  send(message: FromController): void {
    this.#sendText(JSON.stringify(message));
  }

  #sendText(message: string): void {
    if (this.#socket.readyState !== this.#socket.OPEN) return;
    this.#socket.send(message, () => {
      if (this.#socket.bufferedAmount <= maxUnread) this.#drained?.();
    });
  }

  ping(): void {
    this.isPinged = true;
    this.#socket.ping();
  }

  /**
   * While something waits, such as for a database that hangs, pings are not answered, and the device would take the
   * connection for dead: a pong that answers none (RFC 6455, 5.5.3) says that it is not, and nothing about what waits.
   */
  sayAlive(): void {
    const isWaiting = this.#unanswered > 0 || this.isPaused;
    if (!isWaiting || this.#socket.readyState !== this.#socket.OPEN) return;
    if (this.#socket.bufferedAmount <= maxUnread) this.#socket.pong(Buffer.alloc(0));
  }

  /** Sends the reason and closes. */
  refuse(refused: Refused): void {
    if (this.#phase === "ended") return;
    const { reason, message: text } = refused;
    const { address } = this;
    this.#hub.logger.info({ address, node: this.#device?.node, reason, text }, "device refused");
    deviceRefused.publish({ reason });
    this.send(refusedMessage(refused));
    this.close();
  }

  /**
   * A newer socket of the same key has come. No message received here counts any more; what is
   * left to find out is whether there is still a device at the other end (clones.ts).
   */
  replace(why: string): void {
    if (this.#phase !== "proven") {
      this.refuse(new Refused("replaced", why));
      return;
    }
    this.#phase = "replaced";
    const end = (): void => {
      undo();
      this.refuse(new Refused("replaced", why));
    };
    const undo = this.#hub.clock.setTimeout(end, aliveMs);
    this.#socket.once("pong", () => {
      if (this.#phase === "replaced") this.#hub.replacedAlive(this);
      end();
    });
    this.#socket.ping();
  }

  close(): void {
    this.#socket.close(1008);
    // The other end may never answer; `refused` has this long to get there.
    this.#hub.clock.setTimeout(() => this.#socket.terminate(), 1_000);
    this.#end();
  }

  terminate(): void {
    this.#socket.terminate();
    this.#end();
  }

  /** Announces to the device which key the controller will change to, after all that waits now. */
  announceKey(): void {
    this.#queue(async () => this.#keys.announce());
  }

  /** Sends the newest state if it is time for it; after all that waits now. */
  deliver(): void {
    this.#queue(() => this.#deliver());
  }

  /** Resolves when all that was received has been worked on. */
  settled(): Promise<void> {
    return this.#work;
  }

  /**
   * Resolves once little enough waits to be read by the device, or the socket ended. Meanwhile nothing
   * else of the device is worked on, so that its questions wait in its own buffers.
   */
  async #readByDevice(): Promise<void> {
    const excess = this.#socket.bufferedAmount - maxUnread;
    if (excess <= 0 || this.#phase === "ended") return;
    const limitMs = unreadMs * Math.max(1, Math.floor(excess / messageBytes));
    await new Promise<void>((resolve) => {
      const undo = this.#hub.clock.setTimeout(() => {
        this.refuse(new Refused("tooMany", "the device does not read its responses", 10_000));
      }, limitMs);
      this.#drained = () => {
        undo();
        this.#drained = null;
        resolve();
      };
    });
  }

  #end(): void {
    if (this.#phase === "ended") return;
    this.#phase = "ended";
    this.#drained?.();
    this.#hub.ended(this);
  }

  #receive(text: string, isBinary: boolean): void {
    if (this.#phase === "ended" || this.#phase === "replaced") return;
    this.receivedAt = this.#hub.now();
    this.isPinged = false;
    if (isBinary) this.refuse(new Refused("badMessage", "not text"));
    else if (!this.#mayPass() || this.#queued >= queued.max) {
      this.refuse(new Refused("tooMany", "too many messages", 10_000));
    } else if (this.#phase === "proving") {
      this.refuse(new Refused("badMessage", "a message before the welcome"));
    } else if (this.#phase === "greeting") {
      this.#phase = "proving";
      this.#queue(() => this.#hub.admit(() => this.#greet(text)));
    } else this.#queue(() => this.#take(text));
  }

  /**
   * A device reads the answer as "all that I sent before is committed" and then forgets it: so the
   * answer waits for that, and never comes when it failed.
   */
  #answerPing(data: Buffer): void {
    if (this.#phase === "ended" || this.#phase === "replaced") return;
    if (!this.#mayPass() || this.#queued >= queued.max) {
      this.refuse(new Refused("tooMany", "too many messages", 10_000));
      return;
    }
    this.#unanswered += 1;
    this.#queue(async () => {
      this.#unanswered -= 1;
      this.#socket.pong(data);
    });
  }

  /** Backlog is left in the kernel's buffers, where it slows down the sender. */
  #queue(work: () => Promise<void>): void {
    this.#queued += 1;
    if (this.#queued === queued.pause) this.#socket.pause();
    this.#work = this.#work
      .then(() => this.#readByDevice())
      .then(() => (["ended", "replaced"].includes(this.#phase) ? undefined : work()))
      .catch((error: unknown) => this.#fail(error))
      .then(() => {
        this.#queued -= 1;
        if (this.#queued !== queued.pause - 1) return;
        this.receivedAt = this.#hub.now();
        this.#socket.resume();
      });
  }

  #fail(error: unknown): void {
    if (error instanceof Refused) this.refuse(error);
    else if (error instanceof StoreAway && this.#phase === "proven") {
      void this.#hub.storeAway(error);
    } else {
      this.#hub.logger.error(
        { err: error, node: this.#device?.node },
        "message of a device failed",
      );
      this.refuse(
        new Refused("busy", "the controller is temporarily unavailable", this.#hub.pauseMs()),
      );
    }
  }

  async #greet(text: string): Promise<void> {
    const { store, id } = this.#hub;
    const hello = readHello(text);
    const welcome = () => welcomeFor(this.#hub, this.#challenge, hello);
    const device = await proveDevice(store, hello, this.#challenge).catch(async (error) => {
      // It restores its machine only for a controller that has proved its identity.
      if (error instanceof Refused && error.reason === "removed") this.send(await welcome());
      throw error;
    });
    // Before the device counts as connected: from then on nothing comes between it and its welcome.
    const message = await welcome();
    this.#epoch = await store.openPresence(device, id, this.address);
    this.#device = device;
    // Closed meanwhile: the row says "online" and nothing else would undo that.
    if (this.#phase === "ended") {
      this.#hub.ended(this);
      return;
    }
    this.#phase = "proven";
    this.#hub.proven(this, device.node);
    this.send(message);
    this.#keys.greeted(this.#challenge, hello);
  }

  async #take(text: string): Promise<void> {
    const checked = readMessage(parseJson(text));
    if (!checked.ok) {
      const [issue] = checked.issues;
      throw new Refused("badMessage", `violates the protocol: ${issue?.path} ${issue?.rule}`);
    }
    const [device, message] = [this.#device, checked.value];
    if (!device) return;
    const isOver = () => this.#phase !== "proven";
    await retryWhileStoreAway(this.#hub, message.type, isOver, () => this.#handle(device, message));
    deviceMessageTaken.publish({ message });
  }

  async #handle(device: Device, message: FromEdge): Promise<void> {
    const { store } = this.#hub;
    switch (message.type) {
      case "report":
        if (await store.keepReport(device, this.#epoch, message)) this.#hub.changed();
        if (requestsAdditions(message.capabilities)) this.send(acceptsAll);
        return this.#runs(message.running);
      case "heartbeat":
        return this.#keepHeartbeat(device, message);
      case "need":
        return this.#give(device, message);
      case "outcome":
        await store.keepOutcome(device.node, message);
        // A revision that the device did not take becomes a state.
        if (message.revision !== undefined) this.#hub.changed();
        return this.#deliver();
      case "measures":
        return this.#hub.measures.add(device.node, message.links, message.standMs);
      case "answer":
        return store.keepAnswer(device.node, message);
      case "transition":
        this.#hub.measures.outdate(device.node, message.links);
        return store.keepTransition(device, message);
      case "repairs":
        return store.keepRepairs(device, message);
      case "leases":
        return store.keepLeases(device, message);
      case "paths":
        return store.keepPaths(device, message);
      case "moves":
        return store.keepMoves(device, message);
      case "ipv6":
        return store.keepIpv6(device, message);
      case "standby":
        return store.keepStandby(device, message);
      case "pins":
        await store.keepPin(device, this.#keys.reported(message.next));
        return this.#keys.announce();
      case "metrics":
        // Not waited for: configuration goes on while the metrics store is slow or away.
        this.#keepMetrics(device, message).catch((error: unknown) => this.#fail(error));
        return;
      case "flows":
        // Likewise.
        this.#keepFlows(device, message).catch((error: unknown) => this.#fail(error));
        return;
      case "confirm":
        return this.#confirm(device, message);
      case "hello":
        throw new Refused("badMessage", "a second hello");
    }
  }

  async #keepMetrics(device: Device, message: MessageFromEdge<"metrics">): Promise<void> {
    const kept = await this.#metrics.keep(device, message);
    const { boot, sequence } = message;
    if (kept) this.send({ type: "metricsAck", boot, sequence });
  }

  async #keepFlows(device: Device, message: MessageFromEdge<"flows">): Promise<void> {
    const kept = await this.#flows.keep(device, message);
    const { boot, sequence } = message;
    if (kept) this.send({ type: "flowsAck", boot, sequence });
  }

  async #runs(running: MessageFromEdge<"report">["running"]): Promise<void> {
    this.#running = running;
    if (this.#reportedAt === null) {
      const { settleMs } = this.#hub.times;
      this.#reportedAt = this.#hub.now();
      this.#hub.clock.setTimeout(() => this.deliver(), settleMs + 1);
    }
    await this.#deliver();
  }

  /** One that says nothing new asks the store nothing: what falls due meanwhile the watch of the hub finds. */
  async #keepHeartbeat(device: Device, message: MessageFromEdge<"heartbeat">): Promise<void> {
    const text = JSON.stringify(message);
    const isNews = text !== this.#lastKept;
    if (isNews) await this.#hub.store.keepHeartbeat(device, this.#epoch, message);
    this.#lastKept = text;
    if (this.#reportedAt === null) return;
    if (isNews || this.#mayBeUnsent) await this.#runs(message.running);
  }

  /** Answers `need`; what does not fit in one message comes in several. */
  async #give(
    device: Device,
    { sections, bases = {}, ...id }: MessageFromEdge<"need">,
  ): Promise<void> {
    const named = sections.flatMap((hash) => bases[hash] ?? []);
    const rows = await this.#hub.store.readSections(device.node, [...sections, ...named]);
    const given = givenSections(sections, bases, rows);
    if (given.length < new Set(sections).size) {
      this.#hub.logger.warn(
        { node: device.node, serial: id.serial },
        "a device asked for sections that are not part of its state",
      );
    }
    for (const text of sectionMessages(id, given)) {
      await this.#readByDevice();
      this.#sendText(text);
    }
  }

  async #confirm(device: Device, message: MessageFromEdge<"confirm">): Promise<void> {
    const { type: _, ...request } = message;
    if (request.node !== device.node) throw new Refused("notYours", "confirms another node");
    const answer = await confirm(this.#hub, request);
    this.send({ type: "confirmed", ...answer });
    await this.#deliver();
  }

  async #deliver(): Promise<void> {
    const device = this.#device;
    // Before the first report it is not known what runs.
    if (!device || this.#reportedAt === null || this.#phase !== "proven") return;
    const isSettled = this.#hub.now() - this.#reportedAt >= this.#hub.times.settleMs;
    const view = { running: this.#running, sent: this.#sent, isSettled };
    const { store, times } = this.#hub;
    const head = await store.takeNext(device.node, view, times).catch((error: unknown) => {
      this.#mayBeUnsent = true;
      throw error;
    });
    if (!head) return;
    this.#mayBeUnsent = false;
    this.#sent = stateIdOf(head);
    this.#metrics.stateSent();
    this.#flows.stateSent();
    const { revision } = head;
    if (revision === undefined) this.send({ type: "head", head });
    else this.send({ type: "revision", ...head, revision });
    this.#hub.logger.info({ node: device.node, ...stateIdOf(head) }, "state sent");
  }
}
