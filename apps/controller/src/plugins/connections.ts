/**
 * Bounds the connections of a listener: strangers must use up neither the descriptors of the process nor
 * the places of users and devices. Whoever has shown nothing yet gives way first.
 */
import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { sourceOf } from "#kernel/source.ts";

export interface ConnectionBounds {
  /** Of all sources together. */
  readonly inAll: number;
  /** Of those, connections on which nothing was asked or proven yet. */
  readonly silent: number;
  /** Silent ones, idle ones and those with a call, of one address, or of one /64 of IPv6. */
  readonly ofSource: number;
  /** Ms in which a connection has to ask or prove something. */
  readonly silentMs: number;
}

/** How a connection ended that was over a bound. */
type Bound = "inAll" | "silent" | "ofSource" | "silentMs";

/** Oldest first in each: what gives way, in this order, when there is no room. */
const ranks = ["silent", "idle", "reading", "working"] as const;
type Rank = (typeof ranks)[number];

interface Entry {
  readonly key: string;
  socket: Socket;
  readonly source: string;
  readonly since: number;
  /** null: proven, and never ended for another one. */
  rank: Rank | null;
  calls: number;
}

const sweepMs = 1_000;
/** Sources that proved themselves lately, of which a forgotten one loses nothing but its precedence. */
const maxKnown = 50_000;
const knownMs = 24 * 3_600_000;
/** Sources whose log-in was refused lately give way to all others for so long. */
const maxFailed = 50_000;
const failedMs = 600_000;
/** A known source may have so many times as many connections that have not proven themselves. */
const knownFactor = 4;

interface ConnectionsInput {
  readonly bounds: ConnectionBounds;
  /** Addresses behind which there are many users, such as a proxy: only the bounds of all count. */
  readonly isExempt?: (address: string | undefined) => boolean;
  readonly now?: () => number;
  /** Once a second at most, with how many connections were ended since the last report. */
  report(ended: Readonly<Partial<Record<Bound, number>>>): void;
}

/** The connections of one listener. */
export class Connections {
  readonly #input: ConnectionsInput;
  readonly #bounds: ConnectionBounds;
  readonly #now: () => number;
  readonly #open = new Map<string, Entry>();
  readonly #ranks: Readonly<Record<Rank, Set<Entry>>> = {
    silent: new Set(),
    idle: new Set(),
    reading: new Set(),
    working: new Set(),
  };
  /** Connections by source, without those that are proven. */
  readonly #ofSource = new Map<string, number>();
  readonly #known = new Map<string, number>();
  readonly #failed = new Map<string, number>();
  #ended: Partial<Record<Bound, number>> = {};

  constructor(input: ConnectionsInput) {
    this.#input = input;
    this.#bounds = input.bounds;
    this.#now = input.now ?? (() => performance.now());
  }

  /** Open connections, and those without a request or proof so far. */
  get counts(): { readonly open: number; readonly silent: number } {
    return { open: this.#open.size, silent: this.#ranks.silent.size };
  }

  /** Watches a server, from before it listens. */
  watch(server: Server): void {
    // Node would refuse without giving way; this is for what comes in one turn of the event loop.
    server.maxConnections = this.#bounds.inAll + 64;
    server.on("connection", (socket: Socket) => this.#take(socket));
    // Of TLS: from now on this one is ended, and tells its peer.
    server.on("secureConnection", (socket: Socket) => {
      const entry = this.#open.get(keyOf(socket));
      if (!entry) return;
      entry.socket = socket;
      socket.once("close", () => this.#drop(entry));
    });
    server.on("request", (request: IncomingMessage, response: ServerResponse) =>
      this.#ask(request, response),
    );
    // A process that has no descriptor left for a connection goes on with those that it has.
    server.on("error", () => undefined);
    const sweep = setInterval(() => this.sweep(), sweepMs);
    sweep.unref();
    server.once("close", () => clearInterval(sweep));
  }

  /** The other end has proven itself: by a device's key, or by a valid token. */
  proven(socket: Socket | null, isForGood: boolean): void {
    const entry = socket ? this.#open.get(keyOf(socket)) : undefined;
    if (!entry) return;
    keepLatest(this.#known, entry.source, this.#now(), maxKnown);
    if (isForGood) this.#move(entry, null);
  }

  /** The other end failed to prove itself: its calls are no longer worth those of others. */
  failed(socket: Socket | null): void {
    const entry = socket ? this.#open.get(keyOf(socket)) : undefined;
    if (!entry || this.#input.isExempt?.(entry.socket.remoteAddress)) return;
    keepLatest(this.#failed, entry.source, this.#now(), maxFailed);
  }

  /** Ends what has been silent for too long, and reports what was ended. */
  sweep(): void {
    const before = this.#now() - this.#bounds.silentMs;
    for (const entry of this.#ranks.silent) {
      if (entry.since > before) break;
      this.#end(entry, "silentMs");
    }
    if (Object.keys(this.#ended).length === 0) return;
    this.#input.report(this.#ended);
    this.#ended = {};
  }

  #take(socket: Socket): void {
    const address = socket.remoteAddress;
    // Ended before it was looked at.
    if (address === undefined) {
      socket.destroy();
      return;
    }
    const source = sourceOf(address);
    const isExempt = this.#input.isExempt?.(address) ?? false;
    const over = this.#makeRoom(source, isExempt);
    if (over) {
      this.#count(over);
      socket.destroy();
      return;
    }
    const since = this.#now();
    const entry: Entry = { key: keyOf(socket), socket, source, since, rank: "silent", calls: 0 };
    this.#open.set(entry.key, entry);
    this.#ofSource.set(source, (this.#ofSource.get(source) ?? 0) + 1);
    this.#ranks.silent.add(entry);
    socket.once("close", () => this.#drop(entry));
  }

  /** Ends whoever gives way for a new connection. @returns why there is no room for it, or nothing */
  #makeRoom(source: string, isExempt: boolean): Bound | undefined {
    const { inAll, silent, ofSource } = this.#bounds;
    const isKnown = this.#isKnown(source);
    if (!isExempt) {
      const max = isKnown ? ofSource * knownFactor : ofSource;
      const open = this.#ofSource.get(source) ?? 0;
      if (
        open >= max &&
        !this.#endOldest(["idle"], (entry) => entry.source === source, "ofSource")
      ) {
        return "ofSource";
      }
    }
    const hasFailed = this.#hasFailed(source);
    const failing = (entry: Entry): boolean => this.#hasFailed(entry.source);
    // Whoever failed ends no work of those who did not.
    const stranger = (entry: Entry): boolean =>
      !this.#isKnown(entry.source) &&
      !(hasFailed && (entry.rank === "reading" || entry.rank === "working"));
    if (this.#ranks.silent.size >= silent) {
      const isEnded =
        this.#endOldest(["silent"], failing, "silent") ||
        this.#endOldest(["silent"], stranger, "silent") ||
        (isKnown && this.#endOldest(["silent"], () => true, "silent"));
      if (!isEnded) return "silent";
    }
    if (this.#open.size >= inAll) {
      const isEnded =
        this.#endOldest(ranks, failing, "inAll") ||
        this.#endOldest(ranks, stranger, "inAll") ||
        (isKnown && this.#endOldest(["silent", "idle"], () => true, "inAll"));
      if (!isEnded) return "inAll";
    }
    return undefined;
  }

  #endOldest(among: readonly Rank[], isMeant: (entry: Entry) => boolean, bound: Bound): boolean {
    for (const rank of among) {
      for (const entry of this.#ranks[rank]) {
        if (!isMeant(entry)) continue;
        this.#end(entry, bound);
        return true;
      }
    }
    return false;
  }

  #ask(request: IncomingMessage, response: ServerResponse): void {
    const { socket, headers } = request;
    const entry = this.#open.get(keyOf(socket));
    if (!entry) return;
    const { "content-length": length = "0", "transfer-encoding": encoding } = headers;
    const hasBody = length !== "0" || encoding !== undefined;
    entry.calls += 1;
    this.#move(entry, hasBody ? "reading" : "working");
    if (hasBody)
      request.once("end", () => entry.rank === "reading" && this.#move(entry, "working"));
    response.once("close", () => {
      entry.calls -= 1;
      if (entry.calls === 0 && this.#open.get(entry.key) === entry) this.#move(entry, "idle");
    });
  }

  #isKnown(source: string): boolean {
    const since = this.#known.get(source);
    return since !== undefined && this.#now() - since < knownMs;
  }

  #hasFailed(source: string): boolean {
    const since = this.#failed.get(source);
    return since !== undefined && this.#now() - since < failedMs && !this.#isKnown(source);
  }

  #move(entry: Entry, rank: Rank | null): void {
    // What is proven stays so.
    if (entry.rank === null) return;
    this.#ranks[entry.rank].delete(entry);
    entry.rank = rank;
    if (rank === null) this.#uncount(entry.source);
    else this.#ranks[rank].add(entry);
  }

  #end(entry: Entry, bound: Bound): void {
    this.#count(bound);
    this.#drop(entry);
    entry.socket.destroy();
  }

  #drop(entry: Entry): void {
    if (this.#open.get(entry.key) !== entry) return;
    this.#open.delete(entry.key);
    if (entry.rank === null) return;
    this.#ranks[entry.rank].delete(entry);
    this.#uncount(entry.source);
  }

  #uncount(source: string): void {
    const left = (this.#ofSource.get(source) ?? 1) - 1;
    if (left > 0) this.#ofSource.set(source, left);
    else this.#ofSource.delete(source);
  }

  #count(bound: Bound): void {
    this.#ended[bound] = (this.#ended[bound] ?? 0) + 1;
  }
}

/** Notes when something was last so of a source; the one that was noted longest ago is forgotten for the next. */
function keepLatest(at: Map<string, number>, source: string, now: number, max: number): void {
  at.delete(source);
  at.set(source, now);
  const [oldest] = at.keys();
  if (at.size > max && oldest !== undefined) at.delete(oldest);
}

/** No two open connections of a listener have one, and of TLS both layers have the same. */
const keyOf = ({ remoteAddress, remotePort }: Socket): string => `${remoteAddress} ${remotePort}`;
