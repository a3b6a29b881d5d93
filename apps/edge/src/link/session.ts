/**
 * One connection: the controller challenges, the device says hello, the controller proves itself in
 * its welcome (design section 6). Only then does anything else count, in either direction.
 */
import {
  type FromEdge,
  fromController,
  type MessageFromController,
  protocolVersion,
  type Refusal,
  socketPath,
} from "@weft/contract/device/v1/messages.ts";
import {
  heldKeyProof,
  helloProof,
  nextKeyProof,
  welcomeProof,
} from "@weft/contract/device/v1/proof.ts";
import { checkWire } from "@weft/contract/kernel/rule.ts";
import type { Cancel, Clock, Random } from "#edge/clock.ts";
import type { Log } from "#edge/log.ts";
import type { Enrolment } from "#store/edge-store.ts";
import { type Identity, isSignedBy, keyHash } from "#store/keys.ts";
import type { Channel, Dial, Unanswered } from "./dial.ts";
import { newNonce } from "./nonce.ts";

export interface SessionDeps {
  readonly clock: Clock;
  readonly random: Random;
  readonly dial: Dial;
  readonly log: Log;
  readonly identity: Identity;
  readonly enrolment: Enrolment;
  /** Raw public keys that the controller may prove itself by: two while it changes its key. */
  controllerKeys(): readonly string[];
  /** The latest epoch that a proven controller reported: none before it counts any more. */
  knownEpoch(): number;
  /** Addresses of the lines that are up, any of which may lead to the controller. */
  sources(): Promise<readonly string[]>;
}

/** One way to a controller: where to, and from which of the own addresses (null: any). */
export interface Way {
  readonly address: string;
  readonly source: string | null;
}

/** What a proven controller says, but for the messages that the session itself handles. */
export type ControllerMessage = MessageFromController<
  | "head"
  | "revision"
  | "sections"
  | "confirmed"
  | "metricsAck"
  | "flowsAck"
  | "accepts"
  | "nextKey"
  | "command"
>;

export interface SessionEnd {
  readonly reason: string;
  readonly refusal: Refusal | null;
  readonly retryAfterMs: number | null;
  /** null: a controller was there, or its network did not answer. */
  readonly unanswered: Unanswered | null;
}

export interface SessionEvents {
  /** @param key by which the controller has proved itself */
  welcome(message: MessageFromController<"welcome">, key: string): void;
  message(message: ControllerMessage): void;
  /** Everything that was sent before the ping of this number has reached the gateway. */
  pong(number: number): void;
  /** Once; nothing follows it. */
  ended(end: SessionEnd): void;
}

const handshakeMs = 20_000;
/**
 * A connection by which nothing came for this many heartbeats is dead, whatever TCP believes. Also a part of a message is
 * something: a slow line carries one of megabytes for minutes, and everything else, pongs too, comes behind it.
 */
const silentHeartbeats = 2.5;

export class Session {
  readonly #deps: SessionDeps;
  readonly #events: SessionEvents;
  readonly #channel: Channel;
  readonly #nonce: string;
  #phase: "connecting" | "greeted" | "proven" | "ended" = "connecting";
  #challenge = "";
  /** The controller's, once it has proved itself. */
  #key = "";
  #pings = 0;
  #heardAt: number;
  /** Bytes that had come by then. */
  #received = 0;
  #timer: Cancel = () => {};

  /** Throws when the address may not be called at all. */
  constructor(deps: SessionDeps, way: Way, events: SessionEvents) {
    this.#deps = deps;
    this.#events = events;
    this.#nonce = newNonce(deps.random);
    this.#heardAt = deps.clock.monotonic();
    const target = { ...way, keyHashes: deps.controllerKeys().map(keyHash) };
    this.#channel = deps.dial.open(target, socketPath, {
      open: () => {},
      message: (text) => this.#read(text),
      pong: (payload) => this.#pong(payload),
      closed: (reason, unanswered = null) => this.#end(reason, { unanswered }),
    });
    if (this.#phase !== "ended")
      this.#timer = deps.clock.setTimeout(() => this.#end("no handshake in time"), handshakeMs);
  }

  get isProven(): boolean {
    return this.#phase === "proven";
  }

  /** Whether a part of a message has come. */
  get isReceiving(): boolean {
    return this.#channel.received() > this.#received;
  }

  /** Address of this machine that the connection begins at; null while there is none. */
  get source(): string | null {
    return this.#channel.source();
  }

  /** False when nothing can be sent; true does not say that it arrived. */
  send(message: FromEdge): boolean {
    if (this.#phase !== "proven") return false;
    this.#channel.send(JSON.stringify(message));
    return true;
  }

  /** Bytes that wait to be sent. */
  buffered(): number {
    return this.#channel.buffered();
  }

  /** The number that comes back in `pong`. */
  ping(): number {
    this.#pings += 1;
    this.#channel.ping(String(this.#pings));
    return this.#pings;
  }

  close(reason: string): void {
    this.#end(reason);
  }

  #end(
    reason: string,
    { refusal = null, retryAfterMs = null, unanswered = null }: Partial<SessionEnd> = {},
  ): void {
    if (this.#phase === "ended") return;
    this.#phase = "ended";
    this.#timer();
    this.#channel?.close();
    this.#events.ended({ reason, refusal, retryAfterMs, unanswered });
  }

  #hear(): void {
    this.#heardAt = this.#deps.clock.monotonic();
    this.#received = this.#channel.received();
  }

  #pong(payload: string): void {
    this.#hear();
    if (this.#phase === "proven" && /^\d{1,9}$/.test(payload)) this.#events.pong(Number(payload));
  }

  #read(text: string): void {
    if (this.#phase === "ended") return;
    this.#hear();
    let wire: unknown;
    try {
      wire = JSON.parse(text);
    } catch {
      this.#end("a message that is not JSON");
      return;
    }
    const checked = checkWire(fromController, wire);
    if (!checked.ok) {
      this.#deps.log.warn({ issues: checked.issues.slice(0, 5) }, "message violates the protocol");
      this.#end("a message that violates the protocol");
      return;
    }
    const message = checked.value;
    if (message.type === "refused") {
      const why = `${message.reason}: ${message.text}`;
      this.#end(why, { refusal: message.reason, retryAfterMs: message.retryAfterMs ?? null });
    } else if (message.type === "challenge") this.#greet(message);
    else if (message.type === "welcome") this.#welcome(message);
    else if (this.#phase === "proven") this.#take(message);
    else this.#end(`${message.type} before the controller proved itself`);
  }

  #greet({ protocols, nonce }: MessageFromController<"challenge">): void {
    if (this.#phase !== "connecting") {
      this.#end("a second challenge");
      return;
    }
    if (!protocols.includes(protocolVersion)) {
      this.#end(`the controller speaks none of our protocols: ${protocols}`, {
        refusal: "protocol",
      });
      return;
    }
    const { identity, enrolment } = this.#deps;
    this.#phase = "greeted";
    this.#challenge = nonce;
    const hello: FromEdge = {
      type: "hello",
      protocol: protocolVersion,
      node: enrolment.node,
      publicKey: identity.publicKey,
      nonce: this.#nonce,
      signature: identity.sign(helloProof(nonce, this.#nonce, enrolment.node)),
    };
    this.#channel.send(JSON.stringify(hello));
  }

  #welcome(message: MessageFromController<"welcome">): void {
    const { node } = this.#deps.enrolment;
    const proof = welcomeProof(this.#challenge, this.#nonce, node, message.epoch);
    const known = this.#deps.knownEpoch();
    const key = this.#shownKeys().find((text) => isSignedBy(text, proof, message.signature));
    if (this.#phase !== "greeted") this.#end("a welcome out of order");
    else if (key === undefined) this.#end("a welcome that the controller did not sign");
    // What was restored from a backup has taken over: the previous installation is over.
    else if (message.epoch < known)
      this.#end(`a controller of epoch ${message.epoch}, and ${known} has started`);
    else {
      this.#phase = "proven";
      this.#key = key;
      this.#timer();
      this.#watch(message.heartbeatSeconds * 1_000);
      this.#events.welcome(message, key);
    }
  }

  /** Of the accepted keys those that the connection itself does not rule out. */
  #shownKeys(): readonly string[] {
    const shown = this.#channel.keyHash();
    return this.#deps.controllerKeys().filter((key) => shown === null || keyHash(key) === shown);
  }

  #take(message: ControllerMessage): void {
    if (message.type === "nextKey" && !this.#isSigned(message))
      this.#end("a next key that the controller did not sign");
    else this.#events.message(message);
  }

  /** By the key of this connection, and by the next one as well. */
  #isSigned({ next, signature }: MessageFromController<"nextKey">): boolean {
    const { node } = this.#deps.enrolment;
    const text = nextKeyProof(this.#challenge, this.#nonce, node, next?.key ?? null);
    if (!isSignedBy(this.#key, text, signature)) return false;
    if (next === null) return true;
    const held = heldKeyProof(this.#challenge, this.#nonce, node, next.key);
    return isSignedBy(next.key, held, next.signature);
  }

  /** Pings once a heartbeat, and ends a connection that only one side still believes in. */
  #watch(heartbeatMs: number): void {
    this.#timer = this.#deps.clock.setTimeout(() => {
      if (this.isReceiving) this.#hear();
      const silentMs = this.#deps.clock.monotonic() - this.#heardAt;
      if (silentMs > silentHeartbeats * heartbeatMs) {
        this.#end("the connection is dead");
        return;
      }
      this.ping();
      this.#watch(heartbeatMs);
    }, heartbeatMs);
  }
}
