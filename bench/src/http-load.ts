/**
 * Load on an HTTP server: connections that each send a request as soon as the answer to the last one
 * has come. It writes ready-made bytes and reads no more of an answer than its length, so that it
 * takes as little as can be of the machine that it shares with the server.
 */
import { connect, type Socket } from "node:net";

export interface Load {
  readonly port: number;
  readonly connections: number;
  readonly ms: number;
  /** The bytes of a connection's next request. */
  request(connection: number): Buffer;
}

const endOfHead = Buffer.from("\r\n\r\n");
const warmUpMs = 300;
/** Ms after which a server that does not answer is not going to. */
const answerMs = 60_000;

/** A request as bytes; a body goes as form-data of the urlencoded kind. */
export function requestBytes(
  path: string,
  token: string | null,
  body: URLSearchParams | null = null,
): Buffer {
  const text = body?.toString() ?? "";
  return Buffer.from(
    [
      `${body ? "POST" : "GET"} ${path} HTTP/1.1`,
      "host: 127.0.0.1",
      ...(token ? [`authorization: ${token}`] : []),
      ...(body
        ? ["content-type: application/x-www-form-urlencoded", `content-length: ${text.length}`]
        : []),
      "",
      text,
    ].join("\r\n"),
  );
}

/** Length of an answer in bytes, head included; 0 while its head is not whole. */
function answerLength(bytes: Buffer): number {
  const at = bytes.indexOf(endOfHead);
  if (at < 0) return 0;
  const head = bytes.toString("latin1", 0, at);
  const length = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1];
  if (!head.startsWith("HTTP/1.1 200") || length === undefined) {
    throw new Error(`not an answer of ours: ${head.slice(0, 200)}`);
  }
  return at + endOfHead.length + Number(length);
}

/** An answer that the API refused has HTTP 200 and a code of its own. */
function refuseFailure(answer: Buffer): void {
  const body = answer.subarray(answer.indexOf(endOfHead) + endOfHead.length);
  const code = /"code":(-?\d+)/.exec(body.toString("utf8", 0, 64))?.[1];
  if (code !== undefined && code !== "0") {
    throw new Error(`the call failed: ${body.toString().slice(0, 300)}`);
  }
}

async function keepRequesting(
  load: Load,
  connection: number,
  isOver: () => boolean,
  answered: () => void,
): Promise<void> {
  const socket = connect({ port: load.port, host: "127.0.0.1", noDelay: true });
  try {
    await request(socket, load, connection, isOver, answered);
  } finally {
    socket.destroy();
  }
}

function request(
  socket: Socket,
  load: Load,
  connection: number,
  isOver: () => boolean,
  answered: () => void,
): Promise<void> {
  let got: Buffer = Buffer.alloc(0);
  return new Promise((resolve, reject) => {
    const take = (chunk: Buffer): void => {
      got = got.length === 0 ? chunk : Buffer.concat([got, chunk]);
      const length = answerLength(got);
      if (length === 0 || got.length < length) return;
      refuseFailure(got);
      got = got.subarray(length);
      answered();
      if (isOver()) resolve();
      else socket.write(load.request(connection));
    };
    socket.on("connect", () => socket.write(load.request(connection)));
    socket.on("data", (chunk: Buffer) => {
      try {
        take(chunk);
      } catch (error) {
        reject(error);
      }
    });
    socket.setTimeout(answerMs, () =>
      reject(new Error(`no answer within ${answerMs} ms on connection ${connection}`)),
    );
    socket.on("error", reject);
    socket.on("close", () => reject(new Error("the server closed the connection")));
  });
}

/**
 * Answers per second under this load, after a moment of warming up.
 * @throws Error when an answer is none of success
 */
export async function answersPerSecond(load: Load): Promise<number> {
  const from = performance.now() + warmUpMs;
  const until = from + load.ms;
  let count = 0;
  const answered = (): void => {
    const now = performance.now();
    if (now >= from && now < until) count += 1;
  };
  const isOver = (): boolean => performance.now() >= until;
  const all = Array.from({ length: load.connections }, (_, at) =>
    keepRequesting(load, at, isOver, answered),
  );
  await Promise.all(all);
  return (count * 1_000) / load.ms;
}
