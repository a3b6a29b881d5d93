import type { FromEdge, MessageFromController } from "@weft/contract/device/v1/messages.ts";
import { between, sleep } from "#edge/clock.ts";
import { reasonOf } from "#edge/log.ts";
import { reconnectDelay } from "./backoff.ts";
import {
  type ControllerMessage,
  Session,
  type SessionDeps,
  type SessionEnd,
  type Way,
} from "./session.ts";

export interface LinkEvents {
  /** A proven controller is there; every connection starts with this. */
  welcome(message: MessageFromController<"welcome">, key: string): void;
  message(message: ControllerMessage): void;
  /** The proven connection is gone. */
  lost(reason: string): void;
  /** A proven controller removed this device's node; no further connection is tried. */
  removed(): void;
}

/** A connection must have held this long for the back-off to start again. */
const steadyMs = 30_000;
/** Longest pause before another line is tried: a fall of many devices' lines should not be a storm. */
const hurryMs = 500;

/**
 * Where the next connections begin, in the order of trying. A line may be dead without a sign of it:
 * then the routes go on pointing at it, and only a connection bound to another line gets out.
 *
 * @param lines addresses of the lines that are up
 * @param fallen address whose line just fell, null when it is not known; undefined: none fell
 */
const sourcesToTry = (
  lines: readonly string[],
  fallen: string | null | undefined,
): readonly (string | null)[] => {
  if (fallen === undefined) return [null, ...lines];
  return [...lines.filter((line) => line !== fallen), null];
};

/** Keeps one proven connection to one of the controllers, for as long as the program runs. */
export class Link {
  readonly #deps: SessionDeps;
  readonly #events: LinkEvents;
  readonly #signal: AbortSignal;
  readonly #waiting = new Map<number, (arrived: boolean) => void>();
  #session: Session | null = null;
  #turn = 0;
  #failures = 0;
  #isVerifying = false;
  /** Where connections begin, in the order of trying; see `sourcesToTry`. What was tried goes. */
  #sources: readonly (string | null)[] = [null];
  /** Sources at the begin of this round. */
  #width = 1;
  /** Attempts from the present source. */
  #tried = 0;
  /** Addresses of the lines when they changed last; null: they did not yet. */
  #seen: readonly string[] | null = null;
  /** Where the connection began that a fallen line took with it; undefined: none did. */
  #fallen: string | null | undefined;
  /** Attempts that do not wait: each of the other lines may lead there immediately. */
  #hurried = 0;
  /** What was learnt of the ways so far no longer holds. */
  #isAnew = false;
  #pausing: AbortController | null = null;

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

  /** All ways to a controller, the one in use first: any that leads there proves that one does. */
  async ways(): Promise<readonly Way[]> {
    const lines = await this.#lines();
    const sources = [...new Set([this.#sources[0] ?? null, null, ...lines])];
    return sources.flatMap((source) => this.addresses.map((address) => ({ address, source })));
  }

  /** False when there is no proven connection. */
  send(message: FromEdge): boolean {
    return this.#session?.send(message) ?? false;
  }

  /** Ends the connection; another one is made immediately or later, as after any loss. */
  drop(reason: string): void {
    this.#session?.close(reason);
  }

  /** Bytes that wait to be sent. */
  buffered(): number {
    return this.#session?.buffered() ?? 0;
  }

  /** Whether a part of a message has come. */
  isReceiving(): boolean {
    return this.#session?.isReceiving ?? false;
  }

  /** Resolves true once all that was sent so far has reached the gateway, false if it may not have. */
  arrived(): Promise<boolean> {
    const session = this.#session;
    if (!session?.isProven) return Promise.resolve(false);
    return new Promise((resolve) => this.#waiting.set(session.ping(), resolve));
  }

  /** Ends a connection that does not answer in time: the line that carried it may have fallen. */
  async verifyConnection(limitMs: number): Promise<void> {
    const session = this.#session;
    if (!session?.isProven || this.#isVerifying) return;
    this.#isVerifying = true;
    const { clock } = this.#deps;
    const undo = clock.setTimeout(() => {
      if (this.#session !== session) return;
      this.#fallen = session.source;
      session.close("no answer after a line or link fell");
    }, limitMs);
    await this.arrived();
    undo();
    this.#isVerifying = false;
  }

  /**
   * The machine's network is another one than a moment ago: a connection that is there has to answer
   * in time, and where there is none all ways are tried again soon. A pause that a controller asked for stays.
   */
  async reconnect(limitMs: number): Promise<void> {
    if (this.isConnected) return this.verifyConnection(limitMs);
    this.#isAnew = true;
    this.#session?.close("the network changed");
    this.#pausing?.abort();
  }

  /**
   * Lines may have changed. New ones are tried immediately; a connection that begins at an
   * address which went is over, whatever TCP believes.
   *
   * @param limitMs for an answer on a connection that is there
   */
  async linesChanged(limitMs: number): Promise<void> {
    const before = this.#seen;
    const lines = await this.#lines();
    this.#seen = lines;
    const session = this.#session;
    if (session?.isProven) {
      const source = session.source;
      const isGone = source !== null && before?.includes(source) && !lines.includes(source);
      if (!isGone) return this.verifyConnection(limitMs);
      this.#fallen = source;
      session.close("the address of the line changed");
      return;
    }
    // Own tunnels and LANs come and go as well: only other addresses make a difference.
    if (before?.join(" ") !== lines.join(" ")) await this.reconnect(limitMs);
  }

  /** Connects, again and again, until the signal ends. */
  async run(): Promise<void> {
    this.#seen = await this.#lines();
    while (!this.#signal.aborted) {
      const { clock } = this.#deps;
      const way = { address: this.addresses[0] as string, source: this.#sources[0] ?? null };
      const startedAt = clock.monotonic();
      const { proven, ...end } = await this.#hold(way);
      if (this.#signal.aborted) return;
      // An installation from before a restore has the same key, and no say any more: what has not
      // proved itself with its epoch ends nothing.
      if (proven && end.refusal === "removed") return this.#events.removed();
      const isSteady = proven && clock.monotonic() - startedAt >= steadyMs;
      if (isSteady) this.#failures = 0;
      else if (end.unanswered === null) this.#failures += 1;
      await this.#turnOver(proven, end.unanswered === "unsent");
      await this.#pause(way, end);
    }
  }

  async #pause(way: Way, end: SessionEnd): Promise<void> {
    const { clock, random, enrolment, log } = this.#deps;
    const hasAnswer = end.refusal !== null || end.retryAfterMs !== null;
    const round = Math.floor(this.#failures / (enrolment.addresses.length * this.#width));
    // From a line that lost its address nobody heard of the attempt: the next way is tried at once.
    const isUnsent = end.unanswered === "unsent";
    const isSoon = this.#hurried > 0 || isUnsent || (this.#isAnew && !hasAnswer);
    const waitMs = Math.round(
      isSoon ? between(random, 0, hurryMs) : reconnectDelay(random, round, end),
    );
    log.warn({ ...way, reason: end.reason, waitMs }, "no connection to the controller");
    this.#pausing = new AbortController();
    const signals = hasAnswer ? [this.#signal] : [this.#signal, this.#pausing.signal];
    await sleep(clock, waitMs, AbortSignal.any(signals));
    this.#pausing = null;
    if (!this.#isAnew) return;
    this.#isAnew = false;
    this.#failures = 0;
    await this.#startRound(undefined);
    this.#hurried = this.#width;
  }

  /** Which way is tried next: after a fall of its line another line, else the routes' own choice first. */
  async #turnOver(proven: boolean, isUnsent: boolean): Promise<void> {
    const fallen = this.#fallen;
    this.#fallen = undefined;
    this.#hurried = Math.max(0, this.#hurried - 1);
    if (fallen !== undefined || proven) {
      await this.#startRound(fallen);
      this.#hurried = fallen === undefined ? 0 : this.#width;
      if (fallen === undefined) this.#turn += 1;
      return;
    }
    this.#turn += 1;
    this.#tried += 1;
    // Every address is tried from one line before the next line's turn; from a line without its own none can be.
    if (!isUnsent && this.#tried < this.#deps.enrolment.addresses.length) return;
    this.#tried = 0;
    this.#sources = this.#sources.slice(1);
    if (this.#sources.length === 0) await this.#startRound(undefined);
  }

  /** Reads the lines: what they were a round ago need not hold any more. */
  async #startRound(fallen: string | null | undefined): Promise<void> {
    this.#sources = sourcesToTry(await this.#lines(), fallen);
    this.#width = this.#sources.length;
    this.#tried = 0;
  }

  async #lines(): Promise<readonly string[]> {
    return this.#deps.sources().catch((error: unknown) => {
      this.#deps.log.warn({ why: reasonOf(error) }, "WAN links could not be read");
      return [];
    });
  }

  #hold(way: Way): Promise<SessionEnd & { readonly proven: boolean }> {
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
        session = new Session(this.#deps, way, {
          welcome: (message, key) => {
            proven = true;
            this.#deps.log.info(way, "connected to the controller");
            this.#events.welcome(message, key);
          },
          message: (message) => this.#events.message(message),
          pong: (number) => this.#pong(number),
          ended,
        });
        this.#session = session;
        this.#signal.addEventListener("abort", stop);
      } catch (error) {
        ended({
          reason: reasonOf(error),
          refusal: null,
          retryAfterMs: null,
          unanswered: null,
        });
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
