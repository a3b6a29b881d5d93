/** A device as the device protocol has it, over real sockets, that does only what a test asks of it. */
import {
  createHash,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  randomBytes,
  sign,
  verify,
} from "node:crypto";
import { once } from "node:events";
import { request as httpRequest } from "node:http";
import { request as httpsRequest } from "node:https";
import { canonicalJson } from "@weft/contract/device/v1/canonical.ts";
import { decodeClaim } from "@weft/contract/device/v1/claim.ts";
import {
  confirmPath,
  enrolPath,
  type FromController,
  type FromEdge,
  fromController,
  type MessageFromController,
  socketPath,
} from "@weft/contract/device/v1/messages.ts";
import * as proof from "@weft/contract/device/v1/proof.ts";
import { type StateHead, stateIdOf } from "@weft/contract/device/v1/state.ts";
import { WebSocket } from "ws";

export type Hello = Extract<FromEdge, { type: "hello" }>;
export type Report = Extract<FromEdge, { type: "report" }>;

export const nonce = (): string => randomBytes(18).toString("base64url");
/** Ends what hangs. */
const waitMs = 60_000;
const excerpt = (message: FromController): string => JSON.stringify(message).slice(0, 200);
const digestOf = (value: unknown): string =>
  createHash("sha256").update(canonicalJson(value)).digest("hex");

export interface HttpAnswer {
  readonly status: number;
  readonly body: Record<string, unknown>;
}

/** One POST on a connection of its own. */
export function post(url: string, body: string, headers: Record<string, string> = {}) {
  return new Promise<HttpAnswer>((resolve, reject) => {
    const send = url.startsWith("https:") ? httpsRequest : httpRequest;
    const options = {
      method: "POST",
      rejectUnauthorized: false,
      agent: false,
      headers: { "content-type": "application/json", ...headers },
    };
    const call = send(url, options, (answer) => {
      let text = "";
      answer.on("data", (part) => {
        text += part;
      });
      answer.on("end", () =>
        resolve({ status: answer.statusCode ?? 0, body: text === "" ? {} : JSON.parse(text) }),
      );
    });
    call.on("error", reject);
    call.end(body);
  });
}

/** A message that a test waits for. */
interface Wait {
  isWanted(message: FromController): boolean;
  receive(message: FromController): void;
  fail(why: string): void;
}

/** One open socket. */
export class Line {
  readonly socket: WebSocket;
  readonly #waits = new Set<Wait>();
  readonly #unread: FromController[] = [];
  readonly closed: Promise<number>;
  /** Why no further message comes; null: the connection is open, or about to be. */
  #end: string | null = null;

  constructor(url: string, headers: Record<string, string> = {}, localAddress?: string) {
    const from = localAddress === undefined ? {} : { localAddress };
    this.socket = new WebSocket(url, { rejectUnauthorized: false, headers, ...from });
    let error = "";
    this.socket.on("error", ({ message }) => {
      error = `: ${message}`;
    });
    this.closed = new Promise((resolve) => {
      this.socket.on("close", (code) => {
        this.#end = `the connection ended with code ${code}${error}`;
        for (const wait of this.#waits) wait.fail(this.#end);
        resolve(code);
      });
    });
    this.socket.on("message", (data) => {
      const message = fromController.parse(JSON.parse(String(data)));
      const wait = [...this.#waits].find((one) => one.isWanted(message));
      if (wait) wait.receive(message);
      else this.#unread.push(message);
    });
  }

  send(message: FromEdge | object): void {
    this.socket.send(JSON.stringify(message));
  }

  /** The next message, which must have this type. */
  next<Type extends FromController["type"]>(
    type: Type,
    timeoutMs?: number,
  ): Promise<MessageFromController<Type>> {
    return this.#message(type, () => true, timeoutMs);
  }

  /** The next message of this type. Those of other types that come before it can be read afterwards. */
  seek<Type extends FromController["type"]>(
    type: Type,
    timeoutMs?: number,
  ): Promise<MessageFromController<Type>> {
    return this.#message(type, (message) => message.type === type, timeoutMs);
  }

  /**
   * Handles each message of this type, one after the other, until the connection ends; rejects with what went wrong
   * before that.
   */
  async follow<Type extends FromController["type"]>(
    type: Type,
    handle: (message: MessageFromController<Type>) => Promise<void>,
  ): Promise<void> {
    try {
      for (;;) await handle(await this.#message(type, (message) => message.type === type, null));
    } catch (error) {
      // Calls of a device fail when its controller ends, a moment before or after its connection does.
      if (await this.#isOpen()) throw error;
    }
  }

  /**
   * Resolves when the gateway has processed all that was sent here; fails when it sent a message meanwhile that
   * was not read.
   */
  async nothingCame(): Promise<void> {
    this.socket.ping();
    await once(this.socket, "pong", { signal: AbortSignal.timeout(waitMs) });
    if (this.#unread.length > 0) throw new Error(`wanted nothing, ${this.#unreadText()}`);
  }

  async #isOpen(): Promise<boolean> {
    if (this.socket.readyState !== WebSocket.OPEN) return false;
    const answered = new Promise<boolean>((resolve) => {
      this.socket.once("pong", () => resolve(true));
    });
    this.socket.ping();
    return Promise.race([answered, this.closed.then(() => false)]);
  }

  /**
   * Ends with the connection at the latest: a test that has ended leaves no wait behind.
   * @param timeoutMs null: waits until the connection ends
   */
  #message<Type extends FromController["type"]>(
    type: Type,
    isWanted: (message: FromController) => boolean,
    timeoutMs: number | null = waitMs,
  ): Promise<MessageFromController<Type>> {
    const { promise, resolve, reject } = Promise.withResolvers<MessageFromController<Type>>();
    // A test that failed elsewhere awaits it no more: its own error is the one to report.
    promise.catch(() => undefined);
    const wait: Wait = {
      isWanted,
      receive: (message) => {
        end();
        if (message.type === type) resolve(message as MessageFromController<Type>);
        else reject(new Error(`wanted ${type}, got ${excerpt(message)}`));
      },
      fail: (why) => {
        end();
        reject(new Error(`wanted ${type}, ${why}; ${this.#unreadText()}`));
      },
    };
    const late = (): void => wait.fail(`none within ${timeoutMs} ms`);
    const timer = timeoutMs === null ? undefined : setTimeout(late, timeoutMs);
    const end = (): void => {
      clearTimeout(timer);
      this.#waits.delete(wait);
    };
    this.#waits.add(wait);
    const at = this.#unread.findIndex(isWanted);
    const [unread] = at < 0 ? [] : this.#unread.splice(at, 1);
    if (unread) wait.receive(unread);
    else if (this.#end !== null) wait.fail(this.#end);
    return promise;
  }

  #unreadText(): string {
    const messages = this.#unread.map((message) => excerpt(message));
    return `not read: ${messages.join(", ") || "nothing"}`;
  }
}

const rawKey = (key: KeyObject): string => key.export({ format: "jwk" }).x ?? "";

interface KeyPair {
  readonly publicKey: KeyObject;
  readonly privateKey: KeyObject;
}

export class FakeEdge {
  readonly #key: KeyPair;
  readonly #from: string | undefined;
  readonly publicKey: string;
  readonly tunnelKey = randomBytes(32).toString("base64");
  readonly serialNumber: string;
  /** https://127.0.0.1:8443 */
  readonly url: string;
  controllerKey = "";
  node = 0;
  /** Nonces of the last connection. */
  asked = { challenge: "", nonce: "" };

  /** @param from its own address; the system's choice if absent */
  constructor(
    url: string,
    serialNumber: string,
    key: KeyPair = generateKeyPairSync("ed25519"),
    from?: string,
  ) {
    this.#key = key;
    this.#from = from;
    this.publicKey = rawKey(key.publicKey);
    this.url = url;
    this.serialNumber = serialNumber;
  }

  /** The same device, as it calls another gateway. */
  at(url: string): FakeEdge {
    return this.#twin(url, this.#from);
  }

  /** A device with a copy of this one's disk, at another address. */
  copy(from: string): FakeEdge {
    return this.#twin(this.url, from);
  }

  #twin(url: string, from?: string): FakeEdge {
    const twin = new FakeEdge(url, this.serialNumber, this.#key, from);
    twin.controllerKey = this.controllerKey;
    twin.node = this.node;
    return twin;
  }

  sign(text: string): string {
    return sign(null, Buffer.from(text), this.#key.privateKey).toString("base64url");
  }

  isController(text: string, signature: string, by = this.controllerKey): boolean {
    const jwk = { kty: "OKP", crv: "Ed25519", x: by };
    const key = createPublicKey({ key: jwk, format: "jwk" });
    return verify(null, Buffer.from(text), key, Buffer.from(signature, "base64url"));
  }

  /** Uses a claim once, with these fields replaced. */
  async enrol(claim: string, replaced: object = {}): Promise<HttpAnswer> {
    const { token = "", controllerKeyHash } = decodeClaim(claim) ?? {};
    const asked = nonce();
    const { serialNumber, publicKey } = this;
    const signature = this.sign(proof.enrolProof(token, serialNumber, asked));
    const body = { token, serialNumber, publicKey, nonce: asked, signature, ...replaced };
    const answer = await post(`${this.url}${enrolPath}`, JSON.stringify(body));
    const { controllerKey, state, node, signature: signed } = answer.body;
    if (typeof controllerKey !== "string") return answer;
    const hash = createHash("sha256").update(Buffer.from(controllerKey, "base64url")).digest("hex");
    if (hash !== controllerKeyHash) throw new Error("another controller than the claim's");
    this.controllerKey = controllerKey;
    const text = proof.enrolledProof(asked, state as string, node as number | null);
    if (!this.isController(text, signed as string)) throw new Error("not signed by the controller");
    if (typeof node === "number") this.node = node;
    return answer;
  }

  open(headers: Record<string, string> = {}): Line {
    return new Line(`${this.url.replace("http", "ws")}${socketPath}`, headers, this.#from);
  }

  hello(challenge: string, own: string, replaced: Partial<Hello> = {}): Hello {
    const { publicKey, node } = this;
    const signature = this.sign(proof.helloProof(challenge, own, node));
    return { type: "hello", protocol: 1, node, publicKey, nonce: own, signature, ...replaced };
  }

  /** A socket on which both have proven themselves. */
  async connect(replaced: Partial<Hello> = {}): Promise<Line> {
    const line = this.open();
    const challenge = await line.next("challenge");
    const own = nonce();
    line.send(this.hello(challenge.nonce, own, replaced));
    const welcome = await line.next("welcome");
    const text = proof.welcomeProof(challenge.nonce, own, this.node, welcome.epoch);
    if (!this.isController(text, welcome.signature)) throw new Error("a welcome not signed");
    this.asked = { challenge: challenge.nonce, nonce: own };
    return line;
  }

  report(replaced: Partial<Report> = {}): Report {
    return {
      type: "report",
      version: "fake 1",
      serialNumber: this.serialNumber,
      capabilities: [{ name: "wireguard.kernel", can: true, reason: null }],
      tunnelKeys: [{ id: "k1", publicKey: this.tunnelKey }],
      running: null,
      lines: [],
      ...replaced,
    };
  }

  confirmation(head: StateHead, replaced: object = {}) {
    const { node } = this;
    const digest = digestOf(head);
    const own = nonce();
    const signature = this.sign(proof.confirmProof(node, head, digest, own));
    return { node, ...stateIdOf(head), digest, nonce: own, signature, ...replaced };
  }

  /** Confirms on a new connection. */
  async confirm(head: StateHead, replaced: object = {}): Promise<HttpAnswer> {
    const asked = this.confirmation(head, replaced);
    const answer = await post(`${this.url}${confirmPath}`, JSON.stringify(asked));
    if (answer.status === 200) {
      const text = proof.confirmedProof(asked.node, asked, asked.nonce);
      if (!this.isController(text, answer.body.signature as string)) throw new Error("not signed");
    }
    return answer;
  }
}

/** What a device that runs this head says of it. */
export const runningOf = (head: StateHead) => ({
  epoch: head.epoch,
  serial: head.serial,
  digest: digestOf(head),
});
