import { type Clock, sleep } from "#edge/clock.ts";
import type { Dial, Unanswered } from "#link/dial.ts";
import type { TestGateway } from "./gateway.ts";

/** A network between a device and test gateways; each direction takes `latencyMs`. */
export class MemoryNetwork {
  readonly #gateways: ReadonlyMap<string, TestGateway>;
  readonly #open = new Set<{ cut(): void }>();
  latencyMs = 5;
  /** New connections fail, open sockets swallow what is sent; `cutAll` also closes them. */
  isCut = false;
  /** Addresses whose new connections fail. */
  readonly down = new Set<string>();
  /** Addresses where nothing listens. */
  readonly unserved = new Set<string>();
  /** Something on the way resets what begins at these addresses of the device (null: where the routes lead). */
  readonly resetFrom = new Set<string | null>();
  /** Addresses that the device does not have any more. */
  readonly gone = new Set<string>();
  /** As `isCut`, for what begins at these addresses of the device (null: where the routes lead). */
  readonly deadFrom = new Set<string | null>();
  /** New connections fail while open sockets go on. */
  refusesNew = false;
  readonly posts: string[] = [];
  /** That a connection carries to the device, one message after the other. */
  bytesPerSecond = Number.POSITIVE_INFINITY;

  constructor(gateways: Readonly<Record<string, TestGateway>>) {
    this.#gateways = new Map(Object.entries(gateways));
  }

  /** Closes every open socket. */
  closeAll(): void {
    for (const one of [...this.#open]) one.cut();
  }

  /** The network as one process sees it. */
  dial(clock: Clock, isAlive: () => boolean = () => true): Dial {
    const later = (work: () => void) => {
      clock.setTimeout(() => {
        if (isAlive()) work();
      }, this.latencyMs);
    };
    return {
      open: (target, _path, events) => {
        const isCut = () => this.isCut || this.deadFrom.has(target.source);
        let isClosed = false;
        let queued = 0;
        let freeAt = 0;
        const waitMs = (): number => Math.max(0, freeAt - clock.monotonic());
        /** Behind all that is on its way to the device. */
        const carry = (bytes: number, work: () => void): void => {
          if (!isCut()) queued += bytes;
          freeAt = clock.monotonic() + waitMs() + (bytes / this.bytesPerSecond) * 1_000;
          clock.setTimeout(() => {
            if (isAlive()) work();
          }, waitMs() + this.latencyMs);
        };
        const gateway = this.#gateways.get(target.address);
        const close = (reason: string, unanswered: Unanswered | null = null) => {
          if (isClosed) return;
          isClosed = true;
          this.#open.delete(entry);
          session?.closed();
          later(() => events.closed(reason, unanswered));
        };
        const entry = { cut: () => close("cut") };
        this.#open.add(entry);
        let session: ReturnType<TestGateway["attach"]> | null = null;
        later(() => {
          if (isClosed) return;
          if (target.source !== null && this.gone.has(target.source)) {
            close("address not available", "unsent");
            return;
          }
          if (this.unserved.has(target.address) || this.resetFrom.has(target.source)) {
            close("connection refused", "unserved");
            return;
          }
          if (
            isCut() ||
            this.refusesNew ||
            this.down.has(target.address) ||
            !gateway ||
            !target.keyHashes.includes(gateway.keyHash)
          ) {
            close("cannot connect");
            return;
          }
          session = gateway.attach({
            send: (text) =>
              carry(text.length, () => {
                if (!isClosed && !isCut()) events.message(text);
              }),
            // After what was sent before it, as on a real connection.
            close: () => carry(0, () => close("closed by the gateway")),
          });
          events.open();
        });
        return {
          send: (text) =>
            later(() => {
              if (!isClosed && !isCut()) session?.message(text);
            }),
          ping: (payload) =>
            later(() =>
              carry(0, () => {
                if (!isClosed && !isCut()) events.pong(payload);
              }),
            ),
          buffered: () => 0,
          received: () => queued - Math.min(queued, (waitMs() / 1_000) * this.bytesPerSecond || 0),
          source: () => target.source,
          keyHash: () => gateway?.keyHash ?? null,
          close: () => close("closed by the edge"),
        };
      },
      post: async (target, path, body, timeoutMs) => {
        this.posts.push(path);
        const { signal } = new AbortController();
        await sleep(clock, 2 * this.latencyMs, signal);
        const gateway = this.#gateways.get(target.address);
        const isDown = this.isCut || this.refusesNew || this.down.has(target.address);
        if (isDown || !gateway) {
          await sleep(clock, timeoutMs, signal);
          throw new Error("no answer in time");
        }
        if (!target.keyHashes.includes(gateway.keyHash)) throw new Error("another key");
        return { status: 200, text: gateway.post(path, body) };
      },
    };
  }
}
