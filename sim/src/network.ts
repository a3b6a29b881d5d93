/**
 * The network between devices and controllers. Each direction of a connection keeps its order, two
 * connections do not; what meets a dead path is lost, and the connection with it, without notice to
 * either end.
 */
import type { Channel, ChannelEvents, Dial } from "@weft/edge/src/link/dial.ts";
import type { Chance } from "./chance.ts";
import type { ProcessClock, SimClock } from "./clock.ts";
import { type GatewayEnd, SocketPair } from "./socket-pair.ts";

/** `refuse`: no new connections. `mute`: nothing passes, without notice. */
export type PathMode = "up" | "refuse" | "mute";
/** What the state of a device lets through by itself: everything, open connections only, or nothing. */
export type Reach = "all" | "open" | "none";

/** A device as the network sees it. */
export interface DeviceEnd {
  readonly node: number;
  reach(): Reach;
}

export interface NetworkEvents {
  /** A text arrived. */
  wire(node: number, toDevice: boolean, text: string): void;
}

export class Network {
  readonly clock: SimClock;
  readonly gateways: GatewayEnd[] = [];
  /** Delays and duplicates; set to false when the world has to come to rest. */
  isRough = true;
  /** A planted fault: calls ride on whatever connection is still open. */
  reusesConnections = false;
  readonly #chance: Chance;
  readonly #events: NetworkEvents;
  readonly #modes = new Map<string, PathMode>();
  readonly #pairs = new Set<SocketPair>();

  constructor(clock: SimClock, chance: Chance, events: NetworkEvents) {
    this.clock = clock;
    this.#chance = chance;
    this.#events = events;
  }

  latency(): number {
    const late = this.isRough && this.#chance.happens(0.03);
    return late ? this.#chance.between(200, 4_000) : this.#chance.between(2, 60);
  }

  setMode(node: number, gateway: number, mode: PathMode): void {
    this.#modes.set(`${node} ${gateway}`, mode);
  }

  modeOf(node: number, gateway: number): PathMode {
    return this.#modes.get(`${node} ${gateway}`) ?? "up";
  }

  /** Both ends of the matching connections see them end. */
  cut(node: number | null, gateway: number | null): void {
    for (const pair of [...this.#pairs]) {
      const isMeant =
        (node === null || pair.node === node) && (gateway === null || pair.gateway === gateway);
      if (isMeant) pair.cut();
    }
  }

  #passesNew(device: DeviceEnd, gateway: number): boolean {
    return this.modeOf(device.node, gateway) === "up" && device.reach() === "all";
  }

  #passesOpen(device: DeviceEnd, gateway: number): boolean {
    return this.modeOf(device.node, gateway) !== "mute" && device.reach() !== "none";
  }

  /** The network as one process of a device sees it. */
  dial(device: DeviceEnd, clock: ProcessClock, isAlive: () => boolean): Dial {
    return {
      open: (target, _path, events) =>
        this.#open(device, indexOf(target.address), isAlive, events, clock),
      post: (target, path, body, timeoutMs) =>
        this.#post(device, indexOf(target.address), clock, path, body, timeoutMs),
    };
  }

  #open(
    device: DeviceEnd,
    index: number,
    isAlive: () => boolean,
    events: ChannelEvents,
    clock: ProcessClock,
  ): Channel {
    const end = this.gateways[index] as GatewayEnd;
    const pair = new SocketPair({
      clock: this.clock,
      node: device.node,
      gateway: index,
      end,
      events,
      isAlive,
      latency: () => this.latency(),
      passes: () => this.#passesOpen(device, index),
      wire: (toDevice, text) => this.#events.wire(device.node, toDevice, text),
      closed: () => this.#pairs.delete(pair),
    });
    this.#pairs.add(pair);
    this.clock.setTimeout(() => {
      if (this.#passesNew(device, index) && end.isAlive()) pair.accept();
      else {
        const isSilent = this.modeOf(device.node, index) === "mute" || device.reach() !== "all";
        clock.setTimeout(() => pair.fail("cannot connect"), isSilent ? 10_000 : this.latency());
      }
    }, 2 * this.latency());
    return pair.channel;
  }

  /** A process of a device ended: its connections are closed, or just silent if the power went. */
  forget(node: number, isSilent: boolean): void {
    for (const pair of [...this.#pairs]) {
      if (pair.node !== node) continue;
      if (isSilent) this.#pairs.delete(pair);
      else pair.cut();
    }
  }

  #post(
    device: DeviceEnd,
    index: number,
    clock: ProcessClock,
    path: string,
    body: string,
    timeoutMs: number,
  ): Promise<{ status: number; text: string }> {
    const passes = () =>
      this.#passesNew(device, index) || (this.reusesConnections && device.reach() === "open");
    return new Promise((resolve, reject) => {
      clock.setTimeout(() => reject(new Error("no answer in time")), timeoutMs);
      const ask = (isAnswered: boolean) =>
        this.clock.setTimeout(() => {
          const end = this.gateways[index];
          if (!passes()) return;
          if (!end?.isAlive()) {
            clock.setTimeout(() => reject(new Error("connection refused")), this.latency());
            return;
          }
          this.#events.wire(device.node, false, body);
          void end.post(path, body).then((text) => {
            if (!isAnswered) return;
            clock.setTimeout(() => {
              if (!passes()) return;
              this.#events.wire(device.node, true, text);
              resolve({ status: 200, text });
            }, this.latency());
          });
        }, 2 * this.latency());
      ask(true);
      if (this.isRough && this.#chance.happens(0.1)) ask(false);
    });
  }
}

const indexOf = (address: string): number => Number(/c(\d+)\./.exec(address)?.[1]);
