import { execFileSync } from "node:child_process";
import type { KeyObject } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer as createHttp, type IncomingMessage, type Server } from "node:http";
import { createServer as createHttps, Server as HttpsServer } from "node:https";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { type WebSocket, WebSocketServer } from "ws";
import type { TestGateway } from "./gateway.ts";

/** A self-signed certificate that carries an Ed25519 key, made by openssl. */
const certificateOf = (key: KeyObject): { readonly key: string; readonly cert: string } => {
  const folder = mkdtempSync(path.join(tmpdir(), "weft-edge-test-"));
  try {
    const keyFile = path.join(folder, "key.pem");
    const pem = key.export({ type: "pkcs8", format: "pem" }).toString();
    writeFileSync(keyFile, pem, { mode: 0o600 });
    const out = path.join(folder, "cert.pem");
    const argv = ["req", "-x509", "-key", keyFile, "-subj", "/CN=test", "-days", "1", "-out", out];
    execFileSync("openssl", argv, { stdio: "pipe" });
    return { key: pem, cert: readFileSync(out, "utf8") };
  } finally {
    rmSync(folder, { recursive: true });
  }
};

export interface RunningServer {
  /** wss://127.0.0.1:port or ws://127.0.0.1:port . */
  readonly address: string;
  /** TCP connections so far: a confirmation must add one. */
  connections(): number;
  /** Where they came from, in their order. */
  callers(): readonly string[];
  /** New connections see this key. */
  show(key: KeyObject): void;
  /** Ends all connections silently. */
  cut(): void;
  close(): Promise<void>;
}

const bodyOf = async (request: IncomingMessage): Promise<string> => {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  return Buffer.concat(parts).toString();
};

/**
 * Serves a test gateway on loopback.
 *
 * @param shown the key in the certificate; null: without TLS
 */
export const serve = async (
  gateway: TestGateway,
  shown: KeyObject | null = gateway.privateKey,
  onSocket: (socket: WebSocket) => void = () => {},
): Promise<RunningServer> => {
  const server: Server = shown ? createHttps(certificateOf(shown)) : createHttp();
  const sockets = new WebSocketServer({ server, path: "/edge/v1" });
  const callers: string[] = [];
  server.on("connection", (socket) => callers.push(socket.remoteAddress ?? ""));
  sockets.on("connection", (socket) => {
    const session = gateway.attach({
      send: (text) => socket.send(text),
      close: () => socket.close(),
    });
    socket.on("message", (data) => session.message(data.toString()));
    socket.on("close", () => session.closed());
    onSocket(socket);
  });
  server.on("request", async (request, response) => {
    const answer = gateway.post(request.url ?? "", await bodyOf(request));
    response.writeHead(200, { "content-type": "application/json" }).end(answer);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const cut = () => {
    for (const socket of sockets.clients) socket.terminate();
    server.closeAllConnections();
  };
  return {
    show: (key) => {
      if (server instanceof HttpsServer) server.setSecureContext(certificateOf(key));
    },
    address: `${shown ? "wss" : "ws"}://127.0.0.1:${port}`,
    connections: () => callers.length,
    callers: () => callers,
    cut,
    close: async () => {
      cut();
      await new Promise((resolve) => server.close(resolve));
    },
  };
};
