/**
 * The local API of a device, on a Unix socket of its own: what may be relayed to it is in the
 * contract, and nothing else answers. Only root and the edge may open the socket.
 */
import { chmod, rm } from "node:fs/promises";
import { createServer, request, type Server } from "node:http";
import { commandBytes, type RelayPath, relayCalls } from "@weft/contract/device/v1/commands.ts";
import { parseAddress } from "@weft/contract/rules/address.ts";
import { isDomain } from "@weft/contract/rules/host.ts";

export interface LocalAnswer {
  readonly status: number;
  readonly body: unknown;
}

/** What answers each path; `body` is what a POST brought. */
export type LocalCalls = Readonly<Record<RelayPath, (body: LocalBody) => Promise<LocalAnswer>>>;

export interface LocalBody {
  readonly fields: Readonly<Record<string, string>>;
  readonly file: { readonly name: string; readonly base64: string } | null;
}

/** Looks at hosts(5) lines without keeping them: which could be used, and which not. Pure. */
export function checkHosts(text: string): LocalAnswer {
  const bad: number[] = [];
  let good = 0;
  for (const [at, raw] of text.split(/\r?\n/).entries()) {
    const line = raw.replace(/#.*$/, "").trim();
    if (line === "") continue;
    const [address = "", ...names] = line.split(/\s+/);
    if (parseAddress(address) && names.length > 0 && names.every(isDomain)) good += 1;
    else bad.push(at + 1);
  }
  return { status: bad.length > 0 ? 422 : 200, body: { lines: good, bad: bad.slice(0, 20) } };
}

export const importOf = async ({ file }: LocalBody): Promise<LocalAnswer> =>
  file === null
    ? { status: 400, body: { error: "no file" } }
    : checkHosts(Buffer.from(file.base64, "base64").toString("utf8"));

/** The answer to a call, whichever side made it. */
export async function answerLocal(
  calls: LocalCalls,
  method: string,
  path: string,
  body: LocalBody,
): Promise<LocalAnswer> {
  if (!Object.hasOwn(relayCalls, path)) return { status: 404, body: { error: "no such path" } };
  const known = path as RelayPath;
  if (relayCalls[known] !== method) return { status: 405, body: { error: "another method" } };
  return calls[known](body);
}

/** Serves the calls at the socket; a file that a killed edge left there is replaced. */
export async function serveLocal(socketPath: string, calls: LocalCalls): Promise<Server> {
  await rm(socketPath, { force: true });
  const server = createServer((request, reply) => {
    const chunks: Buffer[] = [];
    let size = 0;
    request.on("data", (chunk: Buffer) => {
      size += chunk.length;
      if (size > 2 * commandBytes.file) request.destroy();
      else chunks.push(chunk);
    });
    request.on("end", async () => {
      const text = Buffer.concat(chunks).toString("utf8");
      const body = (text === "" ? { fields: {}, file: null } : JSON.parse(text)) as LocalBody;
      const answer = await answerLocal(calls, request.method ?? "", request.url ?? "", body).catch(
        (error: unknown): LocalAnswer => ({ status: 500, body: { error: String(error) } }),
      );
      reply.writeHead(answer.status, { "content-type": "application/json" });
      reply.end(JSON.stringify(answer.body));
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(socketPath, resolve);
  });
  await chmod(socketPath, 0o600);
  return server;
}

/** One call of the API at the socket: there is no host that it could name. */
export const callLocal = (
  socketPath: string,
  method: string,
  path: RelayPath,
  body: LocalBody,
  timeoutMs: number,
): Promise<LocalAnswer> =>
  new Promise((resolve, reject) => {
    const options = { socketPath, method, path, timeout: timeoutMs, agent: false } as const;
    const call = request(options, (answer) => {
      let text = "";
      answer.setEncoding("utf8").on("data", (part: string) => {
        text += part;
        if (text.length > commandBytes.result) call.destroy(new Error("the answer is too large"));
      });
      answer.on("end", () => resolve({ status: answer.statusCode ?? 500, body: JSON.parse(text) }));
    });
    call.on("timeout", () => call.destroy(new Error("the local API does not answer")));
    call.on("error", reject);
    call.end(method === "POST" ? JSON.stringify(body) : undefined);
  });
