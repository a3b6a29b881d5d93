import { randomInt, randomUUID } from "node:crypto";
import { heartbeatSeconds, type MessageFromEdge } from "@weft/contract/device/v1/messages.ts";
import { sql } from "kysely";
import type { Logger } from "pino";
import type { WebSocket } from "ws";
import type { Pools } from "#db/pool.ts";
import type { Database } from "#db/schema.ts";
import { noteReplacement } from "./clones.ts";
import type { ControllerIdentity } from "./identity.ts";
import { quarantined, Refused } from "./refusal.ts";
import { writeSeen } from "./reports.ts";
import { Session, type SessionHost, type SessionTimes } from "./session.ts";

export interface Times extends SessionTimes {
  /** Ms from the upgrade to the proof. */
  readonly handshakeMs: number;
  /** Ms between looks at the database for what sockets have to be told. */
  readonly pollMs: number;
}

export const usualTimes: Times = {
  heartbeatSeconds,
  handshakeMs: 10_000,
  pollMs: 2_000,
  // An edge fetches, applies and waits up to two minutes for its echo.
  silentMs: 300_000,
  retryAfterMs: 600_000,
  retryAfterStopMs: 61_000,
  settleMs: 2_000,
};

export interface HubDeps {
  readonly pools: Pools<Database>;
  readonly identity: ControllerIdentity;
  readonly logger: Logger;
  readonly times: Times;
  /** Tells workers that a change row was written. */
  changed(): void;
  /** Resolves true once the figures are durable; false: the box keeps them. */
  keepBatch(node: number, batch: MessageFromEdge<"batch">): Promise<boolean>;
}

/** Proofs under way; the rest of a fleet that comes back at once is told to come a little later. */
const admitted = { most: 512, leastPauseMs: 1_000, mostPauseMs: 10_000 } as const;
const missedBeats = 3;
const seenMs = 60_000;

/** All sockets of this process. */
export class Hub implements SessionHost {
  readonly id: string = randomUUID();
  readonly pools: Pools<Database>;
  readonly identity: ControllerIdentity;
  readonly logger: Logger;
  readonly times: Times;
  readonly #changed: () => void;
  readonly keepBatch: HubDeps["keepBatch"];
  readonly #all = new Set<Session>();
  readonly #byNode = new Map<number, Session>();
  readonly #whenProven = new WeakMap<Session, () => void>();
  readonly #leaving = new Set<Promise<void>>();
  readonly #timers: NodeJS.Timeout[];
  #proofs = 0;
  #isClosed = false;

  constructor(deps: HubDeps) {
    this.pools = deps.pools;
    this.identity = deps.identity;
    this.logger = deps.logger;
    this.times = deps.times;
    this.#changed = deps.changed;
    this.keepBatch = deps.keepBatch;
    const beatMs = deps.times.heartbeatSeconds * 1_000;
    this.#timers = [
      setInterval(() => this.#checkBeats(), beatMs / missedBeats),
      setInterval(() => void this.#tellSeen(), seenMs),
    ];
    for (const timer of this.#timers) timer.unref();
  }

  readonly now = (): number => performance.now();

  changed(): void {
    this.#changed();
  }

  pauseMs(): number {
    return randomInt(admitted.leastPauseMs, admitted.mostPauseMs);
  }

  async installationEpoch(): Promise<number> {
    const row = await this.pools.gateway.db
      .selectFrom("installation")
      .select("epoch")
      .executeTakeFirstOrThrow();
    return row.epoch;
  }

  /** Sockets that have not proven themselves yet. */
  get unproven(): number {
    return this.#all.size - this.#byNode.size;
  }

  /** @param proven called once when the socket counts no longer as unproven */
  open(socket: WebSocket, address: string, proven: () => void): void {
    if (this.#isClosed) {
      socket.terminate();
      return;
    }
    const session = new Session(this, socket, address);
    this.#all.add(session);
    this.#whenProven.set(session, proven);
    setTimeout(() => {
      if (!session.isProven) session.terminate();
    }, this.times.handshakeMs).unref();
  }

  async admit(proof: () => Promise<void>): Promise<void> {
    if (this.#proofs >= admitted.most) {
      throw new Refused("busy", "too many boxes connect now", this.pauseMs());
    }
    this.#proofs += 1;
    try {
      await proof();
    } finally {
      this.#proofs -= 1;
    }
  }

  /** A box has proven itself: an older socket of it ends. */
  proven(session: Session, node: number): void {
    const older = this.#byNode.get(node);
    if (older && older.epoch > session.epoch) {
      session.refuse(new Refused("replaced", "a newer socket is open"));
      return;
    }
    this.#byNode.set(node, session);
    this.#whenProven.get(session)?.();
    older?.replace("a newer socket is open");
    this.logger.info({ node, address: session.address }, "box online");
  }

  replacedAlive({ box, address }: Session): void {
    if (!box) return;
    const noted = noteReplacement(this.pools, box, address)
      .then((isClone) => {
        if (!isClone) return;
        this.logger.error({ node: box.node, address }, "two boxes have one key: quarantined");
        this.#changed();
      })
      .catch((error: unknown) => this.logger.warn({ err: error }, "replacement not written"))
      .finally(() => this.#leaving.delete(noted));
    this.#leaving.add(noted);
  }

  ended(session: Session): void {
    this.#all.delete(session);
    const { box, epoch } = session;
    if (!box) return;
    if (this.#byNode.get(box.node) === session) this.#byNode.delete(box.node);
    const left = writeSeen(this.pools, [{ node: box.node, epoch }], false)
      .catch((error: unknown) => this.logger.warn({ err: error }, "presence not written"))
      .finally(() => this.#leaving.delete(left));
    this.#leaving.add(left);
  }

  /** A node may have something to be sent. */
  deliver(node: number): void {
    this.#byNode.get(node)?.deliver();
  }

  /** Asks the database about all proven sockets: who is cut off, replaced, or has a state waiting. */
  async watch(): Promise<void> {
    const open = [...this.#byNode.values()].flatMap(({ box, epoch }) =>
      box ? [{ ...box, epoch }] : [],
    );
    if (open.length === 0) return;
    const { rows } = await sql<{ node_id: number; verdict: string }>`
      select node_id, verdict from weft.watch_edges(
        ${open.map(({ node }) => node)}::bigint[], ${open.map(({ publicKey }) => publicKey)}::text[],
        ${open.map(({ epoch }) => epoch)}::bigint[],
        ${this.times.retryAfterMs} * interval '1 ms',
        ${this.times.retryAfterStopMs} * interval '1 ms')`.execute(this.pools.gateway.db);
    for (const { node_id, verdict } of rows) {
      const asked = open.find(({ node }) => node === node_id);
      const session = this.#byNode.get(node_id);
      // Another socket may have come since the question was asked.
      if (!session || session.epoch !== asked?.epoch) continue;
      if (verdict === "rejected") session.refuse(new Refused("rejected", "this box was rejected"));
      else if (verdict === "quarantined") session.refuse(quarantined());
      else if (verdict === "replaced") session.replace("a newer socket is open elsewhere");
      else session.deliver();
    }
  }

  /** Ends all sockets; resolves when every row says so. */
  async close(): Promise<void> {
    this.#isClosed = true;
    for (const timer of this.#timers) clearInterval(timer);
    const all = [...this.#all];
    for (const session of all) session.terminate();
    await Promise.all(all.map((session) => session.settled()));
    await Promise.all(this.#leaving);
  }

  #checkBeats(): void {
    const beatMs = this.times.heartbeatSeconds * 1_000;
    for (const session of this.#byNode.values()) {
      const silentMs = this.now() - session.heardAt;
      if (silentMs > missedBeats * beatMs) {
        this.logger.info({ node: session.box?.node }, "box silent");
        session.terminate();
      } else if (silentMs > beatMs * 1.2 && !session.isPinged) session.ping();
    }
  }

  async #tellSeen(): Promise<void> {
    const beatMs = this.times.heartbeatSeconds * 1_000;
    const open = [...this.#byNode.values()].flatMap(({ box, epoch, heardAt }) =>
      box && this.now() - heardAt < 2 * beatMs ? [{ node: box.node, epoch }] : [],
    );
    await writeSeen(this.pools, open, true).catch((error: unknown) =>
      this.logger.warn({ err: error }, "presence not written"),
    );
  }
}
