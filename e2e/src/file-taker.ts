/** A third-party service that takes files: it keeps what it got, and answers as instructed. */
import { once } from "node:events";
import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";

export interface Taken {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export interface FileTaker {
  readonly origin: string;
  readonly taken: readonly Taken[];
  /** What it answers from now on; `allows`: with the header that lets other sites read it. */
  answers(status: number, body: string, allows?: boolean): void;
  close(): Promise<void>;
}

/** Starts it on loopback. */
export async function openFileTaker(): Promise<FileTaker> {
  const taken: Taken[] = [];
  let reply = { status: 200, body: '{"code":0,"msg":""}', allows: true };
  const server = createServer(async (request, response) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    const { method = "", url: path = "", headers } = request;
    taken.push({ method, path, headers, body: Buffer.concat(parts).toString() });
    response.writeHead(reply.status, {
      "content-type": "application/json",
      ...(reply.allows && { "access-control-allow-origin": "*" }),
    });
    response.end(reply.body);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    taken,
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    answers(status, body, allows = true) {
      reply = { status, body, allows };
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
