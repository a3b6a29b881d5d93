/**
 * The other end of the protocol for tests of the edge: small, strict, and with every fault a test
 * may want. It reads with the contract's schemas and checks every signature.
 */
import {
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  randomBytes,
  sign,
} from "node:crypto";
import { messageAdditions } from "@weft/contract/device/v1/additions.ts";
import { canonicalJson } from "@weft/contract/device/v1/canonical.ts";
import type { CommandWhat } from "@weft/contract/device/v1/commands.ts";
import { deltaOf, type SectionDelta } from "@weft/contract/device/v1/delta.ts";
import {
  confirmRequest,
  enrolRequest,
  type FromController,
  type FromEdge,
  fromEdge,
  type Refusal,
} from "@weft/contract/device/v1/messages.ts";
import * as proof from "@weft/contract/device/v1/proof.ts";
import { type SectionFormat, wholeFormat } from "@weft/contract/device/v1/sections.ts";
import { divideSpace, type SpaceSection } from "@weft/contract/device/v1/space.ts";
import {
  compareStates,
  type DesiredState,
  type StateHead,
  type StateId,
  stateIdOf,
  toSections,
} from "@weft/contract/device/v1/state.ts";
import { isSignedBy, keyHash } from "#store/keys.ts";
import { digestOf } from "#store/record.ts";

export interface GatewayChannel {
  send(text: string): void;
  close(): void;
}

/** A state with its head and contents, as the controller keeps it. */
export interface Published {
  readonly head: StateHead;
  readonly contents: ReadonlyMap<string, unknown>;
}

/** @param isDivided networks of spaces in parts @param format as an earlier controller wrote it, for example */
export const publish = (
  state: DesiredState,
  id: StateId,
  isDivided = false,
  format: SectionFormat = wholeFormat,
): Published => {
  const contents = new Map<string, unknown>();
  const sections: Record<string, string> = {};
  for (const [name, whole] of toSections(state, format)) {
    let content = whole;
    if (isDivided && name.startsWith("space.")) {
      const { index, parts } = divideSpace(whole as SpaceSection, digestOf);
      for (const [hash, part] of parts) contents.set(hash, part);
      content = index;
    }
    const hash = digestOf(content);
    contents.set(hash, content);
    sections[name] = hash;
  }
  return { head: { ...id, sections }, contents };
};

const publicOf = (key: KeyObject): string =>
  createPublicKey(key).export({ format: "jwk" }).x as string;

const nonce = () => randomBytes(24).toString("base64url");

export class TestGateway {
  privateKey: KeyObject;
  readonly node: number;
  readonly token = randomBytes(32).toString("base64url");
  /** Everything that a proven device sent. */
  readonly received: FromEdge[] = [];
  readonly confirmed: StateId[] = [];
  /** Texts of sections that were the device's at some time, by hash. */
  readonly #texts = new Map<string, string>();
  desired: Published | null = null;
  /** Whether it knows the fields that came after the protocol's first version. */
  accepts = true;
  epoch = 1;
  heartbeatSeconds = 15;
  /** Public key of the device, once it used the claim. */
  deviceKey: string | null = null;
  /** Calls of enrol that are answered with "pending" first. */
  pendingCalls = 0;
  /** Faults. */
  refuse: Refusal | null = null;
  refuseConfirm: Refusal | null = null;
  forgeWelcome = false;
  /** It refuses a removed device before it has proved itself. */
  isUnproven = false;
  /** The epoch that the welcome is signed over, where it differs from the one it states. */
  signedEpoch: number | null = null;
  forgeConfirmed = false;
  /** Keys that two devices have: no claim lets them in. */
  readonly quarantined = new Set<string>();
  /** It can be reached, and its database cannot; `forged` signs with another key. */
  isUnable: boolean | "forged" = false;
  spoilSections = false;
  /** Deltas give other sections than they are to give. */
  spoilsDeltas = false;
  /** Metrics are acknowledged: the device sends the next ones. */
  storesMetrics = false;
  /** Key that proves the announcement of the next key, where it is not the controller's own. */
  announcedBy: KeyObject | null = null;
  /** Key that proves that the next key is held, where it is not the next key itself. */
  heldBy: KeyObject | null = null;
  /** Nonces of the connection. */
  #asked = { challenge: "", nonce: "" };
  #channel: GatewayChannel | null = null;

  constructor(node = 7, key = generateKeyPairSync("ed25519").privateKey) {
    this.privateKey = key;
    this.node = node;
  }

  get publicKey(): string {
    return publicOf(this.privateKey);
  }

  get keyHash(): string {
    return keyHash(this.publicKey);
  }

  get isConnected(): boolean {
    return this.#channel !== null;
  }

  of<Type extends FromEdge["type"]>(type: Type): Extract<FromEdge, { type: Type }>[] {
    return this.received.filter(
      (message): message is Extract<FromEdge, { type: Type }> => message.type === type,
    );
  }

  /** Makes this the newest state, and notifies a connected device. */
  want(published: Published): void {
    this.desired = published;
    this.#send({ type: "head", head: published.head });
  }

  /** Makes this revision of a state the newest one, and sends a connected device its lists of networks. */
  revise(published: Published): void {
    this.desired = published;
    const { sections, ...id } = published.head;
    const { revision = 0 } = id;
    const lists = Object.entries(sections).filter(([name]) => name.startsWith("space."));
    this.#send({ type: "revision", ...id, revision, sections: Object.fromEntries(lists) });
  }

  /** Closes the connection of the device. */
  drop(): void {
    this.#channel?.close();
  }

  /** Announces the key that this controller will change to; null: it will not. */
  announce(next: KeyObject | null): void {
    const { challenge, nonce: asked } = this.#asked;
    const key = next && publicOf(next);
    const text = proof.nextKeyProof(challenge, asked, this.node, key);
    const by = (signer: KeyObject, what: string) =>
      sign(null, Buffer.from(what), signer).toString("base64url");
    const held = key && proof.heldKeyProof(challenge, asked, this.node, key);
    this.#send({
      type: "nextKey",
      next: next && key && held ? { key, signature: by(this.heldBy ?? next, held) } : null,
      signature: by(this.announcedBy ?? this.privateKey, text),
    });
  }

  #sign(text: string, forged = false): string {
    const key = forged ? generateKeyPairSync("ed25519").privateKey : this.privateKey;
    return sign(null, Buffer.from(text), key).toString("base64url");
  }

  /** Has the device do something; its answer is among `of("answer")`. */
  command(what: CommandWhat, id = 1, timeoutMs = 30_000): void {
    this.#send({ type: "command", id, timeoutMs, what });
  }

  #send(message: FromController): void {
    this.#channel?.send(JSON.stringify(message));
  }

  /** A device opened a socket: gives what to do with its messages. */
  attach(channel: GatewayChannel): { message(text: string): void; closed(): void } {
    const challenge = nonce();
    let proven = false;
    let isRefused = false;
    const say = (message: FromController) => channel.send(JSON.stringify(message));
    say({ type: "challenge", protocols: [1], nonce: challenge });
    return {
      message: (text) => {
        if (isRefused) return;
        const message = fromEdge.parse(JSON.parse(text));
        if (proven) {
          this.received.push(message);
          this.#answer(message);
          return;
        }
        if (message.type !== "hello") throw new Error(`${message.type} before hello`);
        const text2 = proof.helloProof(challenge, message.nonce, message.node);
        if (!isSignedBy(message.publicKey, text2, message.signature)) throw new Error("bad hello");
        const reason =
          this.refuse ?? (message.publicKey === this.deviceKey ? null : ("unknownNode" as const));
        const { epoch, heartbeatSeconds } = this;
        const signed = this.signedEpoch ?? epoch;
        const welcome = proof.welcomeProof(challenge, message.nonce, message.node, signed);
        const signature = this.#sign(welcome, this.forgeWelcome);
        if (!reason || (reason === "removed" && !this.isUnproven))
          say({ type: "welcome", signature, epoch, heartbeatSeconds });
        if (reason) {
          isRefused = true;
          say({ type: "refused", reason, text: "test" });
          channel.close();
          return;
        }
        proven = true;
        this.#asked = { challenge, nonce: message.nonce };
        this.#channel = channel;
      },
      closed: () => {
        if (this.#channel === channel) this.#channel = null;
      },
    };
  }

  #answer(message: FromEdge): void {
    const { desired } = this;
    if (message.type === "report" && this.accepts) {
      this.#send({ type: "accepts", names: Object.values(messageAdditions) });
    }
    if (message.type === "report" && desired) {
      const { running } = message;
      const { epoch, serial } = desired.head;
      if (running?.epoch !== epoch || running.serial !== serial)
        this.#send({ type: "head", head: desired.head });
    }
    if (message.type === "need" && desired) {
      const { bases = {} } = message;
      for (const hash of message.sections) {
        const content = this.spoilSections ? { spoiled: true } : desired.contents.get(hash);
        if (content === undefined) continue;
        const text = canonicalJson(content);
        this.#texts.set(hash, text);
        const delta = this.#deltaFrom(bases[hash], text);
        const given = delta
          ? { contents: {}, deltas: { [hash]: delta } }
          : { contents: { [hash]: content } };
        this.#send({ type: "sections", ...stateIdOf(message), ...given });
      }
    }
    if (message.type === "metrics" && this.storesMetrics) {
      const { boot, sequence } = message;
      this.#send({ type: "metricsAck", boot, sequence });
    }
    if (message.type === "confirm") {
      const { type: _, ...asked } = message;
      const answer = this.#confirm(asked);
      this.#send({ type: "confirmed", ...answer });
    }
  }

  #deltaFrom(base: string | undefined, text: string): SectionDelta | null {
    const known = base === undefined ? undefined : this.#texts.get(base);
    if (base === undefined || known === undefined) return null;
    const delta = deltaOf({ hash: base, text: known }, text);
    return this.spoilsDeltas ? { ...delta, text: `${delta.text} ` } : delta;
  }

  #confirm(body: unknown) {
    const asked = confirmRequest.parse(body);
    const text = proof.confirmProof(asked.node, asked, asked.digest, asked.nonce);
    if (this.deviceKey === null || !isSignedBy(this.deviceKey, text, asked.signature))
      throw new Error("bad confirm");
    const id = stateIdOf(asked);
    if (
      this.desired &&
      asked.digest !== digestOf(this.desired.head) &&
      compareStates(id, this.desired.head) === 0
    )
      throw new Error("confirmed another document");
    if (!this.forgeConfirmed) this.confirmed.push(id);
    const proofText = proof.confirmedProof(asked.node, asked, asked.nonce);
    const signature = this.#sign(proofText, this.forgeConfirmed);
    return { ...id, nonce: asked.nonce, signature };
  }

  #unable(body: unknown) {
    const { node, nonce: asked, ...state } = confirmRequest.parse(body);
    const text = proof.unableProof(node, state, asked);
    const signature = this.#sign(text, this.isUnable === "forged");
    return { type: "unable", ...stateIdOf(state), nonce: asked, signature };
  }

  #enrol(body: unknown) {
    const asked = enrolRequest.parse(body);
    const text = proof.enrolProof(asked.token, asked.serialNumber, asked.nonce);
    if (!isSignedBy(asked.publicKey, text, asked.signature)) throw new Error("bad enrol");
    if (asked.token !== this.token)
      return { type: "refused", reason: "claimUnknown", text: "no such claim" };
    if (this.quarantined.has(asked.publicKey))
      return { type: "refused", reason: "quarantined", text: "two devices use this key" };
    this.deviceKey = asked.publicKey;
    const isPending = this.pendingCalls > 0;
    this.pendingCalls -= 1;
    const state = isPending ? ("pending" as const) : ("approved" as const);
    const node = isPending ? null : this.node;
    const signature = this.#sign(proof.enrolledProof(asked.nonce, state, node));
    return { state, node, controllerKey: this.publicKey, signature };
  }

  /** A plain call; gives the body of the answer. */
  post(path: string, text: string): string {
    const body: unknown = JSON.parse(text);
    if (path.endsWith("/enrol")) return JSON.stringify(this.#enrol(body));
    if (this.refuseConfirm)
      return JSON.stringify({ type: "refused", reason: this.refuseConfirm, text: "test" });
    if (this.isUnable) return JSON.stringify(this.#unable(body));
    return JSON.stringify(this.#confirm(body));
  }
}
