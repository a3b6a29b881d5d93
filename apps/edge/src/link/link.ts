import type { FromEdge, MessageFromController } from "@weft/contract/device/v1/messages.ts";
import { sleep } from "#edge/clock.ts";
import { reasonOf } from "#edge/log.ts";
import { reconnectDelay } from "./backoff.ts";
import { type ControllerMessage, Session, type SessionDeps, type SessionEnd } from "./session.ts";

export interface LinkEvents {
  /** A proven controller is there; every connection starts with this. */
  welcome(message: MessageFromController<"welcome">): void;
  message(message: ControllerMessage): void;
  /** The proven connection is gone. */
  lost(reason: string): void;
}

/** A connection must have held this long for the back-off to start afresh. */
const steadyMs = 30_000;

/** Keeps one proven connection to one of the controllers, for as long as the program runs. */
export class Link {
  readonly #deps: SessionDeps;
  readonly #events: LinkEvents;
  readonly #signal: AbortSignal;
  readonly #waiting = new Map<number, (arrived: boolean) => void>();
  #session: Session | null = null;
  #turn = 0;
  #failures = 0;
  #isDoubted = false;

  constructor(deps: SessionDeps, events: LinkEvents, signal: AbortSignal) {
    this.#deps = deps;
    this.#events = events;
    this.#signal = signal;
  }

  get isConnected(): boolean {
    return this.#session?.isProven ?? false;
  }

  /** Controller addresses, the one in use first. */
  get addresses(): readonly string[] {
    const { addresses } = this.#deps.enrolment;
    const at = this.#turn % addresses.length;
    return [...addresses.slice(at), ...addresses.slice(0, at)];
  }

  /** False when there is no proven connection. */
  send(message: FromEdge): boolean {
    return this.#session?.send(message) ?? false;
  }

  /** Ends the connection; another one is made at once or later, as after any loss. */
  drop(reason: string): void {
    this.#session?.close(reason);
  }

  /** Bytes that wait to be sent. */
  buffered(): number {
    return this.#session?.buffered() ?? 0;
  }

  /** Resolves true once all that was sent so far has reached the gateway, false if it may not have. */
  arrived(): Promise<boolean> {
    const session = this.#session;
    if (!session?.isProven) return Promise.resolve(false);
    return new Promise((resolve) => this.#waiting.set(session.ping(), resolve));
  }

  /** Ends a connection that does not answer in time: the line that carried it may have fallen. */
  async doubt(limitMs: number): Promise<void> {
    const session = this.#session;
    if (!session?.isProven || this.#isDoubted) return;
    this.#isDoubted = true;
    const { clock } = this.#deps;
    const undo = clock.setTimeout(() => {
      if (this.#session === session) session.close("no answer after a line or link fell");
    }, limitMs);
    await this.arrived();
    undo();
    this.#isDoubted = false;
  }

  /** Connects, again and again, until the signal ends. */
  async run(): Promise<void> {
    while (!this.#signal.aborted) {
      const { clock, random, enrolment, log } = this.#deps;
      const address = this.addresses[0] as string;
      const startedAt = clock.monotonic();
      const { proven, ...end } = await this.#hold(address);
      if (this.#signal.aborted) return;
      const isSteady = proven && clock.monotonic() - startedAt >= steadyMs;
      this.#failures = isSteady ? 0 : this.#failures + 1;
      this.#turn += 1;
      const round = Math.floor(this.#failures / enrolment.addresses.length);
      const waitMs = Math.round(reconnectDelay(random, round, end));
      log.warn({ address, reason: end.reason, waitMs }, "no connection to the controller");
      await sleep(clock, waitMs, this.#signal);
    }
  }

  #hold(address: string): Promise<SessionEnd & { readonly proven: boolean }> {
    return new Promise((resolve) => {
      let proven = false;
      const stop = () => session?.close("the edge stops");
      const ended = (end: SessionEnd) => {
        this.#signal.removeEventListener("abort", stop);
        this.#session = null;
        for (const settle of this.#waiting.values()) settle(false);
        this.#waiting.clear();
        if (proven) this.#events.lost(end.reason);
        resolve({ ...end, proven });
      };
      let session: Session | null = null;
      try {
        session = new Session(this.#deps, address, {
          welcome: (message) => {
            proven = true;
            this.#deps.log.info({ address }, "connected to the controller");
            this.#events.welcome(message);
          },
          message: (message) => this.#events.message(message),
          pong: (number) => this.#pong(number),
          ended,
        });
        this.#session = session;
        this.#signal.addEventListener("abort", stop);
      } catch (error) {
        ended({ reason: reasonOf(error), refusal: null, retryAfterMs: null });
      }
    });
  }

  #pong(number: number): void {
    for (const [ping, settle] of this.#waiting) {
      if (ping > number) continue;
      this.#waiting.delete(ping);
      settle(true);
    }
  }
}
