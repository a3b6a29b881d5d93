/** One connection: the channel of a device, the socket of a gateway, and what lies between them. */
import type { DeviceSocket } from "@weft/controller/src/gateway/clock.ts";
import type { Channel, ChannelEvents } from "@weft/edge/src/link/dial.ts";
import type { SimClock } from "./clock.ts";

/** A gateway process as the network sees it. */
export interface GatewayEnd {
  isAlive(): boolean;
  /** Names the running process: the next one knows nothing of the connections of the last. */
  readonly id: string | null;
  accept(socket: DeviceSocket): void;
  post(path: string, body: string): Promise<string>;
}

export interface PairDeps {
  readonly clock: SimClock;
  readonly node: number;
  readonly gateway: number;
  readonly end: GatewayEnd;
  readonly events: ChannelEvents;
  /** The device's process runs. */
  isAlive(): boolean;
  latency(): number;
  /** What is on its way now gets through. */
  passes(): boolean;
  /** A text arrived. */
  wire(toDevice: boolean, text: string): void;
  /** The device's end is closed. */
  closed(): void;
}

const states = { open: 1, closed: 3 } as const;
type Listener = (data: string, isBinary: boolean) => void;

export class SocketPair {
  readonly node: number;
  readonly gateway: number;
  readonly #deps: PairDeps;
  readonly #listeners: {
    readonly message: Listener[];
    readonly ping: ((data: Buffer) => void)[];
    readonly pong: (() => void)[];
    readonly close: (() => void)[];
  } = { message: [], ping: [], pong: [], close: [] };
  readonly #held: string[] = [];
  /** Arrival of the last piece each way: order is kept. */
  readonly #lastAt = { device: 0, gateway: 0 };
  /** The gateway's process that holds the other end; null: not accepted. */
  #owner: string | null = null;
  #isBroken = false;
  #isPaused = false;
  #isClosed = false;
  #readyState: number = states.open;

  constructor(deps: PairDeps) {
    this.#deps = deps;
    this.node = deps.node;
    this.gateway = deps.gateway;
  }

  /** The device's end. */
  get channel(): Channel {
    return {
      send: (text) =>
        this.#toGateway(() => {
          if (this.#isPaused) this.#held.push(text);
          else this.#give(text);
        }),
      ping: (payload) =>
        this.#toGateway(() => {
          for (const listener of this.#listeners.ping) listener(Buffer.from(payload));
        }),
      buffered: () => 0,
      // Messages come as a whole.
      received: () => 0,
      source: () => null,
      keyHash: () => null,
      close: () => {
        this.#toGateway(() => this.#closeGateway());
        this.fail("closed by the edge");
      },
    };
  }

  /** The gateway takes the connection. */
  accept(): void {
    if (this.#isClosed) return;
    const { end, events } = this.#deps;
    this.#owner = end.id;
    events.open();
    end.accept(this.#socket());
  }

  /** Ends the device's end. */
  fail(reason: string): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#deps.closed();
    if (this.#deps.isAlive()) this.#deps.events.closed(reason);
  }

  /** Both ends see it end, each in its time. */
  cut(): void {
    const { clock, latency } = this.#deps;
    clock.setTimeout(() => this.fail("connection reset"), latency());
    clock.setTimeout(() => this.#closeGateway(), latency());
  }

  #socket(): DeviceSocket {
    const state = () => this.#readyState;
    const end = () => {
      this.#toDevice(() => this.fail("closed by the gateway"));
      this.#closeGateway();
    };
    return {
      get readyState() {
        return state();
      },
      OPEN: states.open,
      // The simulated wire takes all at once.
      bufferedAmount: 0,
      on: (event: "message" | "ping" | "close" | "error", listener: never) => {
        if (event !== "error") this.#listeners[event].push(listener);
      },
      send: (text) =>
        this.#toDevice(() => {
          this.#deps.wire(true, text);
          this.#deps.events.message(text);
        }),
      once: (_event, listener) => this.#listeners.pong.push(listener),
      // The library of the device answers by itself.
      ping: () => this.#toDevice(() => this.#toGateway(() => this.#ponged())),
      pong: (data) => this.#toDevice(() => this.#deps.events.pong(data.toString())),
      pause: () => {
        this.#isPaused = true;
      },
      resume: () => {
        this.#isPaused = false;
        while (!this.#isPaused && this.#held.length > 0) this.#give(this.#held.shift() as string);
      },
      close: end,
      terminate: end,
    };
  }

  #ponged(): void {
    for (const listener of this.#listeners.pong.splice(0)) listener();
  }

  #give(text: string): void {
    this.#deps.wire(false, text);
    for (const listener of this.#listeners.message) listener(text, false);
  }

  #closeGateway(): void {
    if (this.#readyState === states.closed) return;
    this.#readyState = states.closed;
    if (this.#isOwned()) for (const listener of this.#listeners.close) listener();
  }

  #isOwned(): boolean {
    return this.#owner !== null && this.#deps.end.id === this.#owner;
  }

  #toDevice(arrive: () => void): void {
    this.#carry("device", () => {
      if (this.#deps.isAlive() && !this.#isClosed) arrive();
    });
  }

  #toGateway(arrive: () => void): void {
    this.#carry("gateway", () => {
      if (this.#readyState !== states.open || this.#owner === null) return;
      if (this.#isOwned()) arrive();
      // The machine is there, the process that had the connection is not.
      else this.#toDevice(() => this.fail("connection reset"));
    });
  }

  #carry(to: "device" | "gateway", arrive: () => void): void {
    const { clock, latency, passes } = this.#deps;
    const at = Math.max(this.#lastAt[to], clock.now + latency());
    this.#lastAt[to] = at;
    clock.setTimeout(() => {
      if (!passes()) this.#isBroken = true;
      if (!this.#isBroken) arrive();
    }, at - clock.now);
  }
}
