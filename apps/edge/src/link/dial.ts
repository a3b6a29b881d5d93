/** How the edge reaches a controller: message sockets, and single calls on a connection of their own. */
import { request as httpRequest, type RequestOptions } from "node:http";
import { request as httpsRequest } from "node:https";
import { isIP, connect as tcpConnect } from "node:net";
import type { Duplex } from "node:stream";
import { TLSSocket, connect as tlsConnect } from "node:tls";
import { maxBytes } from "@weft/contract/device/v1/messages.ts";
import { WebSocket } from "ws";
import { keyHash } from "#store/keys.ts";

export interface DialTarget {
  /** wss://host:port, or ws://host:port on loopback. */
  readonly address: string;
  /** SHA-256 (hex) of the only keys whose certificates are accepted. */
  readonly keyHashes: readonly string[];
  /** Address of a line that the connection begins at; null: as the routes say. */
  readonly source: string | null;
}

/** How an attempt failed that costs a controller nothing. */
export type Unanswered =
  /**
   * Nothing listens there: the other end refused the connection (RFC 9293, 3.10.7.1), or is a controller that starts and
   * has no key yet (an alert internal_error; RFC 8446, 6.2).
   */
  | "unserved"
  /**
   * Nothing was sent: this machine does not have the address of the line any more, or it is of another family than the
   * controller's (bind(2): EADDRNOTAVAIL, EINVAL).
   */
  | "unsent";

export interface ChannelEvents {
  open(): void;
  message(text: string): void;
  pong(payload: string): void;
  /** Once, also when the opening failed; nothing follows it. */
  closed(reason: string, unanswered?: Unanswered | null): void;
}

export interface Channel {
  send(text: string): void;
  ping(payload: string): void;
  /** Bytes that wait to be sent. */
  buffered(): number;
  /** Bytes that came so far, also of a message that is not whole yet. */
  received(): number;
  /** Address of this machine that the connection begins at; null while there is none. */
  source(): string | null;
  /** SHA-256 (hex) of the key that the server has proven; null: plain text, or not connected yet. */
  keyHash(): string | null;
  /** Ends immediately; `closed` follows. */
  close(): void;
}

export interface Answer {
  readonly status: number;
  readonly text: string;
}

/** Throws, or calls `closed`, when the address may not be called or shows another key. */
export interface Dial {
  open(target: DialTarget, path: string, events: ChannelEvents): Channel;
  /** One POST of JSON on a new connection, which is closed after the answer. */
  post(target: DialTarget, path: string, body: string, timeoutMs: number): Promise<Answer>;
}

const connectTimeoutMs = 10_000;
/** On a selected line: other lines follow, and then the choice of the routes. */
const lineTimeoutMs = 4_000;
const maxAnswerBytes = 65_536;
/** Of a connection that cannot begin at the address of a line. */
const unboundCodes: ReadonlySet<string> = new Set(["EADDRNOTAVAIL", "EINVAL"]);

/** Plain text is for simulated devices beside their controller, never for a network. */
const isLoopback = (host: string): boolean =>
  host === "localhost" || host === "[::1]" || /^127(\.\d{1,3}){3}$/.test(host);

/** Checks scheme and host; throws when this address may not be called. */
export const toUrl = (address: string): URL => {
  const url = new URL(address);
  if (url.protocol !== "wss:" && url.protocol !== "ws:")
    throw new Error(`not a controller address: ${address}`);
  if (url.protocol === "ws:" && !isLoopback(url.hostname))
    throw new Error(`${address}: plain connections are for loopback only`);
  return url;
};

/** A device that was away while the controller changed its key gets nothing else to read. */
const strangeKey =
  "the server shows another key than the controller's: it is another server, or the controller " +
  "changed its key while this device was away and a new activation code is needed";

type Connected = (error: Error | null, socket: Duplex) => void;

/** Hash of the Ed25519 key in the server's certificate; null for any other certificate. */
const shownHash = (socket: TLSSocket): string | null => {
  try {
    const key = socket.getPeerX509Certificate()?.publicKey;
    const raw = key?.asymmetricKeyType === "ed25519" ? key.export({ format: "jwk" }).x : undefined;
    return raw === undefined ? null : keyHash(raw);
  } catch {
    // A key of a kind that cannot be read is not the controller's.
    return null;
  }
};

/**
 * A connection on which the server has proven that it holds the pinned key: its certificate is
 * self-signed and carries the controller's identity key, and TLS 1.3 makes the server sign the
 * handshake with it. Not one byte of ours goes out before that.
 */
const connectPinned = (
  url: URL,
  { keyHashes, source }: DialTarget,
  limitMs: number,
  done: Connected,
): void => {
  const host = url.hostname.replace(/^\[|\]$/g, "");
  const secure = url.protocol === "wss:";
  const port = Number(url.port) || (secure ? 443 : 80);
  const place = { host, port, ...(source && { localAddress: source, family: isIP(source) }) };
  const socket = secure
    ? // Chains and names say nothing here: the pin below is the whole check, and a stricter one.
      tlsConnect({ ...place, minVersion: "TLSv1.3", rejectUnauthorized: false })
    : tcpConnect(place);
  const fail = (error: Error) => {
    clearTimeout(timer);
    socket.destroy();
    done(error, socket);
  };
  // A request that is aborted says so only once it has its connection: the limit must be here too.
  const timer = setTimeout(() => fail(new Error("no connection in time")), limitMs);
  socket.once("error", fail);
  // The receiver of the socket listens a moment later; an error in between must not end the program.
  socket.on("error", () => {});
  socket.once(secure ? "secureConnect" : "connect", () => {
    clearTimeout(timer);
    socket.off("error", fail);
    if (socket instanceof TLSSocket && !keyHashes.includes(shownHash(socket) ?? ""))
      fail(new Error(strangeKey));
    else done(null, socket);
  });
};

const pinned = (url: URL, target: DialTarget, limitMs: number) => ({
  // Without an agent Node asks this function for one connection per request, and keeps none alive.
  createConnection: (_options: unknown, done: Connected) => {
    connectPinned(url, target, limitMs, done);
    return undefined;
  },
});

const openChannel = (target: DialTarget, path: string, events: ChannelEvents): Channel => {
  const url = toUrl(target.address);
  const socket = new WebSocket(new URL(path, url), {
    ...pinned(url, target, target.source ? lineTimeoutMs : connectTimeoutMs),
    maxPayload: maxBytes.fromController,
    perMessageDeflate: false,
    handshakeTimeout: 2 * connectTimeoutMs,
  });
  let reason = "";
  let unanswered: Unanswered | null = null;
  let source: string | null = null;
  let shown: string | null = null;
  let received = (): number => 0;
  socket.on("upgrade", ({ socket: carrier }) => {
    received = () => carrier.bytesRead;
    source = carrier.localAddress ?? null;
    shown = carrier instanceof TLSSocket ? shownHash(carrier) : null;
  });
  socket.on("open", () => events.open());
  socket.on("message", (data, isBinary) => {
    if (isBinary) socket.close(1003);
    else events.message(data.toString());
  });
  socket.on("pong", (data) => events.pong(data.toString()));
  socket.on("error", (error: NodeJS.ErrnoException) => {
    const isStarting = /alert internal error/i.test(error.message);
    reason = isStarting ? "the controller is starting" : error.message;
    if (isStarting || error.code === "ECONNREFUSED") unanswered = "unserved";
    if (unboundCodes.has(error.code ?? "") && target.source !== null) unanswered = "unsent";
  });
  socket.on("close", (code, text) =>
    events.closed(reason || `closed with ${code} ${text.toString()}`.trim(), unanswered),
  );
  return {
    send: (text) => socket.send(text),
    ping: (payload) => socket.ping(payload),
    buffered: () => socket.bufferedAmount,
    received: () => received(),
    source: () => source,
    keyHash: () => shown,
    close: () => socket.terminate(),
  };
};

const post = (
  target: DialTarget,
  path: string,
  body: string,
  timeoutMs: number,
): Promise<Answer> => {
  const url = toUrl(target.address);
  const options: RequestOptions = {
    method: "POST",
    path,
    host: url.hostname,
    port: url.port,
    headers: {
      host: url.host,
      connection: "close",
      "content-type": "application/json",
      "content-length": Buffer.byteLength(body),
    },
    // It refuses fractions, and what is left of a deadline is seldom a whole number.
    signal: AbortSignal.timeout(Math.ceil(timeoutMs)),
    ...pinned(url, target, Math.min(timeoutMs, connectTimeoutMs)),
  };
  return new Promise((resolve, reject) => {
    const send = url.protocol === "wss:" ? httpsRequest : httpRequest;
    const call = send(options, (response) => {
      const parts: Buffer[] = [];
      let size = 0;
      response.on("data", (part: Buffer) => {
        size += part.length;
        if (size > maxAnswerBytes) call.destroy(new Error("the answer is too large"));
        parts.push(part);
      });
      response.on("error", reject);
      response.on("end", () =>
        resolve({ status: response.statusCode ?? 0, text: Buffer.concat(parts).toString() }),
      );
    });
    call.on("error", (error) =>
      reject(error.name === "AbortError" ? new Error("no answer in time") : error),
    );
    call.end(body);
  });
};

/** The real network. */
export const networkDial: Dial = {
  open: openChannel,
  post: async (target, path, body, timeoutMs) => post(target, path, body, timeoutMs),
};
