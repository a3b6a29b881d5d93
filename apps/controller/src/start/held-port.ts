import { createServer } from "node:http";
import {
  type AddressInfo,
  createServer as createTcpServer,
  type Server,
  type Socket,
} from "node:net";
import { portsToTry } from "#kernel/free-port.ts";
import { listenerOn } from "./port-user.ts";

/** A port that is reserved while stores start. */
export interface HeldPort {
  readonly port: number;
  /** Releases it for the server that it was reserved for. */
  release(): Promise<void>;
}

/** What a port gets in the meantime. */
export type Meanwhile =
  /** Status 503 (RFC 9110, 15.6.4). */
  | "http"
  /** An alert of TLS, of which no key is known yet: a device knows from it that its controller starts. */
  | "tls";

interface Reserved {
  readonly server: Server;
  closeAll(): void;
}

function answerHttp(): Reserved {
  const server = createServer((_, reply) => {
    reply.writeHead(503, { "retry-after": "1", connection: "close" }).end("starting\n");
  });
  return { server, closeAll: () => server.closeAllConnections() };
}

/** A fatal internal_error, as a record in plain text (RFC 8446, 5.1 and 6.2). */
const internalError = Buffer.from([21, 3, 3, 0, 2, 2, 80]);

function alertTls(): Reserved {
  const sockets = new Set<Socket>();
  const end = (socket: Socket): void => {
    if (socket.writable) socket.write(internalError);
    socket.destroySoon();
  };
  const server = createTcpServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => undefined);
    socket.on("close", () => sockets.delete(socket));
    // Not before it has sent something: what arrives at a closed socket resets the connection, and the alert may be lost.
    socket.once("data", () => end(socket));
  });
  return {
    server,
    closeAll() {
      for (const socket of sockets) end(socket);
    },
  };
}

/**
 * Reserves a port before anything is created, so that a start that cannot serve changes nothing.
 * Connections in the meantime are answered as `meanwhile` says.
 * @param host absent: all addresses
 * @param port 0 selects a free one
 * @param setting names the port, for the operator
 * @param hostSetting names the host
 * @throws Error naming the setting, and the process that uses the port where the system shows it
 */
export async function holdPort(
  { host, port }: { readonly host?: string; readonly port: number },
  setting: string,
  hostSetting = "WEFT_HOST (address)",
  meanwhile: Meanwhile = "http",
): Promise<HeldPort> {
  const { server, closeAll } = meanwhile === "tls" ? alertTls() : answerHttp();
  const listen = (address: number) =>
    new Promise<void>((resolve, reject) => {
      server.once("error", reject);
      server.listen({ port: address, ...(host !== undefined && { host }) }, () => {
        server.removeListener("error", reject);
        resolve();
      });
    });
  try {
    await listenOnOne(port === 0 ? portsToTry() : [port], listen);
  } catch (error) {
    throw await explain(error as NodeJS.ErrnoException, port, { setting, hostSetting });
  }
  return {
    port: (server.address() as AddressInfo).port,
    release: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        closeAll();
      }),
  };
}

/** @throws the error of the last port, or one that no other port would avoid */
async function listenOnOne(
  ports: readonly number[],
  listen: (port: number) => Promise<void>,
): Promise<void> {
  for (const [at, port] of ports.entries()) {
    try {
      return await listen(port);
    } catch (error) {
      const isLast = at === ports.length - 1;
      if (isLast || (error as NodeJS.ErrnoException).code !== "EADDRINUSE") throw error;
    }
  }
}

async function explain(
  error: NodeJS.ErrnoException,
  port: number,
  { setting, hostSetting }: { readonly setting: string; readonly hostSetting: string },
): Promise<Error> {
  if (error.code === "EADDRINUSE") {
    const user = await listenerOn(port);
    const who = user ? `process ${user.pid} (${user.command})` : "another process";
    return new Error(`Port ${port} is used by ${who}: end it, or set ${setting} to another one.`);
  }
  if (error.code === "EACCES") {
    return new Error(`Port ${port} is not allowed to this user: set ${setting} to one above 1023.`);
  }
  // A host that is not an address of this machine, or not a host at all.
  if (["EADDRNOTAVAIL", "ENOTFOUND", "EAI_AGAIN", "EINVAL"].includes(error.code ?? "")) {
    return new Error(`${hostSetting}: this machine has no such address.`);
  }
  return error;
}
