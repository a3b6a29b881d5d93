/** A way to a PostgreSQL that a test can stop: connections stay open, and nothing passes. */
import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";

export interface SlowDatabase {
  /** The given URL over this way. */
  readonly url: string;
  hold(): void;
  release(): void;
  close(): void;
}

export async function slowDatabase(databaseUrl: string): Promise<SlowDatabase> {
  const target = new URL(databaseUrl);
  const sockets = new Set<Socket>();
  let isHeld = false;
  const add = (socket: Socket, other: Socket): void => {
    sockets.add(socket);
    socket.on("error", () => undefined);
    socket.on("close", () => {
      sockets.delete(socket);
      other.destroy();
    });
    socket.on("data", (data) => other.write(data));
    if (isHeld) socket.pause();
  };
  const server = createServer((near) => {
    const far = connect(Number(target.port || 5432), target.hostname);
    add(near, far);
    add(far, near);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const url = Object.assign(new URL(databaseUrl), { hostname: "127.0.0.1", port: `${port}` }).href;
  return {
    url,
    hold() {
      isHeld = true;
      for (const socket of sockets) socket.pause();
    },
    release() {
      isHeld = false;
      for (const socket of sockets) socket.resume();
    },
    close() {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}
