import type { Writable } from "node:stream";
import { liveHeartbeat, liveReset } from "@weft/contract/domains/monitoring/live-stream.ts";
import type { SessionUser } from "#kernel/api.ts";
import type { Outbox } from "./outbox.ts";
import { eventText, maySee } from "./rules.ts";

/** Ms between events that keep proxies from ending a quiet stream, and by which its reader knows that it is still there. */
const heartbeatMs = 15_000;
/** Ms between checks of the outbox without a hint. */
const pollMs = 2_000;
/** Minimum ms between two checks. */
const spacingMs = 50;
/** A client with this many unread bytes is disconnected; it reconnects and requests the events since. */
const maxWaiting = 262_144;
/**
 * Maximum streams: of one login (its tabs), of a user with all logins, of the users of an enterprise, and of a process, so
 * that nobody who logs in again and again takes the streams of all others.
 */
const maxStreams = { session: 8, user: 24, enterprise: 1_250, process: 5_000 } as const;

/** Whose streams are too many. */
export type FullOf = keyof typeof maxStreams;

interface Stream {
  readonly out: Writable;
  user: SessionUser;
}

export interface HubDeps {
  readonly outbox: Outbox;
  /** What the user may do now; null: the login ended. */
  revive(user: SessionUser): Promise<SessionUser | null>;
  report(error: unknown): void;
}

/** Who a stream counts for. */
const keyOf = ({ family, keyId }: SessionUser): string =>
  keyId === null ? family : `key ${keyId}`;

/** All open streams of a process, fed from the outbox. Rests while there are none. */
export class LiveHub {
  readonly #deps: HubDeps;
  readonly #streams = new Set<Stream>();
  /** Those that still read what they missed: they count, and get no events yet. */
  readonly #opening = new Set<Stream>();
  readonly #timers: NodeJS.Timeout[] = [];
  #looking: Promise<void> = Promise.resolve();
  /** Rights that are being read again because they changed: no event is sent before. */
  #rechecking: Promise<void> = Promise.resolve();
  #isLooking = false;
  #isDue = false;
  #isClosed = false;

  constructor(deps: HubDeps) {
    this.#deps = deps;
  }

  /** Whose streams are too many for one more of this login; null: there is room. */
  fullOf(user: SessionUser): FullOf | null {
    const counts: Record<FullOf, number> = { session: 0, user: 0, enterprise: 0, process: 0 };
    for (const { user: sessionUser } of [...this.#streams, ...this.#opening]) {
      counts.process += 1;
      if (sessionUser.enterpriseId === user.enterpriseId) counts.enterprise += 1;
      if (sessionUser.userId !== user.userId) continue;
      counts.user += 1;
      if (keyOf(sessionUser) === keyOf(user)) counts.session += 1;
    }
    if (this.#isClosed) return "process";
    const kinds = Object.keys(maxStreams) as FullOf[];
    return kinds.find((kind) => counts[kind] >= maxStreams[kind]) ?? null;
  }

  /**
   * Feeds a stream until either end closes it.
   * @param after sequence of the last event that the reader has; null: it begins
   */
  async open(out: Writable, user: SessionUser, after: number | null): Promise<void> {
    const stream: Stream = { out, user };
    out.once("close", () => this.#leave(stream));
    out.on("error", () => this.#leave(stream));
    this.#opening.add(stream);
    // Before the stream counts, so that what it missed comes before what comes next.
    await this.#readEvents().catch((error: unknown) => {
      this.#opening.delete(stream);
      // Its reader asks again; of a stream that stayed open it would wait for what never comes.
      out.end();
      throw error;
    });
    await this.#rechecking;
    if (this.#isClosed || out.destroyed || out.writableEnded) {
      this.#opening.delete(stream);
      out.end();
      return;
    }
    // From here on nothing is waited for: what comes next is sent to the stream, or is in what it missed.
    const missed = after === null ? [] : this.#deps.outbox.after(after);
    out.write("retry: 1000\n\n");
    if (missed === null) out.write(`event: ${liveReset}\ndata: {}\n\n`);
    for (const transition of missed ?? []) {
      if (maySee(stream.user, transition)) this.#write(stream, eventText(transition));
    }
    this.#opening.delete(stream);
    if (out.destroyed) return;
    this.#streams.add(stream);
    if (this.#timers.length === 0) this.#startTimers();
  }

  /** Rows may have been written. */
  hint(): void {
    if (this.#streams.size === 0 || this.#isClosed) return;
    this.#isDue = true;
    if (this.#isLooking) return;
    this.#isLooking = true;
    this.#looking = this.#rounds()
      .catch(this.#deps.report)
      .finally(() => {
        this.#isLooking = false;
      });
  }

  /**
   * Sessions of this user ended, and streams that were theirs do as well; or the user may see other things than before, and no event
   * is sent by what was: streams whose rights cannot be read end, and their readers ask for the events since.
   * @param userId null: of any user
   */
  recheck(userId: number | null): void {
    const streams = [...this.#streams, ...this.#opening].filter(
      ({ user }) => userId === null || user.userId === userId,
    );
    if (streams.length === 0) return;
    const before = this.#rechecking;
    this.#rechecking = Promise.all([before, this.#revive(streams, () => null)])
      .then(() => undefined)
      .catch(this.#deps.report);
  }

  /** Ends all streams. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#rest();
    for (const { out } of this.#streams) out.end();
    this.#streams.clear();
    await this.#looking;
  }

  #startTimers(): void {
    const heartbeat = setInterval(() => {
      this.#heartbeat().catch(this.#deps.report);
    }, heartbeatMs);
    const poll = setInterval(() => this.hint(), pollMs);
    for (const timer of [heartbeat, poll]) timer.unref();
    this.#timers.push(heartbeat, poll);
  }

  #rest(): void {
    for (const timer of this.#timers.splice(0)) clearInterval(timer);
  }

  #leave(stream: Stream): void {
    this.#streams.delete(stream);
    this.#opening.delete(stream);
    if (this.#streams.size === 0) this.#rest();
  }

  async #rounds(): Promise<void> {
    while (this.#isDue && !this.#isClosed) {
      this.#isDue = false;
      await this.#readEvents().catch(this.#deps.report);
      await new Promise((resolve) => setTimeout(resolve, spacingMs));
    }
  }

  async #readEvents(): Promise<void> {
    const transitions = await this.#deps.outbox.take();
    // A stream that opens from here on has them among what it missed.
    const streams = [...this.#streams];
    await this.#rechecking;
    for (const transition of transitions) {
      const text = eventText(transition);
      for (const stream of streams) {
        if (this.#streams.has(stream) && maySee(stream.user, transition)) this.#write(stream, text);
      }
    }
  }

  #write(stream: Stream, text: string): void {
    if (stream.out.writableLength > maxWaiting) stream.out.destroy();
    else stream.out.write(text);
  }

  /**
   * Rights and scopes are read again: a user who logged out, or may see less, must not go on reading. Nothing says that they
   * changed, so that streams outlive a database that does not answer.
   */
  async #heartbeat(): Promise<void> {
    await this.#revive([...this.#streams], (user) => user);
    for (const stream of this.#streams)
      this.#write(stream, `event: ${liveHeartbeat}\ndata: {}\n\n`);
  }

  /** @param unread what a user may see whose rights could not be read; null: the streams end */
  async #revive(
    streams: readonly Stream[],
    unread: (user: SessionUser) => SessionUser | null,
  ): Promise<void> {
    const byKey = Map.groupBy(streams, ({ user }) => keyOf(user));
    for (const streams of byKey.values()) {
      const [first] = streams;
      if (!first) continue;
      const user = await this.#deps.revive(first.user).catch((error: unknown) => {
        this.#deps.report(error);
        return unread(first.user);
      });
      for (const stream of streams) {
        if (user === null) {
          this.#leave(stream);
          stream.out.end();
        } else stream.user = user;
      }
    }
  }
}
