/**
 * A socket that is answered as long as its process lives, whatever ends it: process ids show nothing
 * across containers, where each first process is number 1, and a shared folder does.
 */
import { randomBytes } from "node:crypto";
import { readlink, rm } from "node:fs/promises";
import { createConnection, createServer } from "node:net";
import { join } from "node:path";

export interface LifeSocket {
  /** Name in the folder; empty: it cannot hold one (its path is too long, or its file system has none). */
  readonly name: string;
  close(): Promise<void>;
}

export async function openLifeSocket(folder: string): Promise<LifeSocket> {
  const name = `running-${randomBytes(4).toString("hex")}.sock`;
  const server = createServer((socket) => socket.on("error", () => {}).end());
  const isOpen = await new Promise<boolean>((resolve) => {
    server.once("error", () => resolve(false));
    server.listen(join(folder, name), () => resolve(true));
  });
  if (!isOpen) return { name: "", close: async () => {} };
  // A process without a descriptor left cannot answer for a moment, and must not end for it.
  server.on("error", () => undefined);
  // It ends with the process, and does not keep one alive.
  server.unref();
  return {
    name,
    close: async () => {
      server.close();
      await rm(join(folder, name), { force: true });
    },
  };
}

export const answers = (folder: string, name: string): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = createConnection(join(folder, name));
    socket.once("connect", () => {
      socket.destroy();
      resolve(true);
    });
    socket.once("error", () => resolve(false));
  });

/** Which processes can be seen from here, as the system names it; empty: it has no such namespaces. */
export const processNamespace = (): Promise<string> =>
  readlink("/proc/self/ns/pid").catch(() => "");
