/**
 * The socket in the data folder by which `status` asks a running edge, and which prevents another
 * one from running on the same folder. It dies with its process, whatever killed it.
 */
import { rm } from "node:fs/promises";
import { createConnection, createServer, type Server } from "node:net";
import path from "node:path";

export const socketName = "edge.sock";
const maxStatusBytes = 1_048_576;

const socketOf = (folder: string): string => path.join(folder, socketName);

/** What a running edge says of itself; null: none runs on this folder. */
export const requestStatus = (folder: string): Promise<unknown> =>
  new Promise((resolve, reject) => {
    let text = "";
    const socket = createConnection(socketOf(folder));
    socket.setTimeout(5_000, () => socket.destroy(new Error("the running edge does not answer")));
    socket.on("data", (part) => {
      text += part.toString();
      if (text.length > maxStatusBytes) socket.destroy(new Error("the answer is too large"));
    });
    socket.on("end", () => resolve(JSON.parse(text)));
    socket.on("error", (error: NodeJS.ErrnoException) => {
      if (error.code === "ENOENT" || error.code === "ECONNREFUSED") resolve(null);
      else reject(error);
    });
  });

/** Throws when another edge runs on this folder. */
export const serveStatus = async (folder: string, status: () => unknown): Promise<Server> => {
  if ((await requestStatus(folder)) !== null)
    throw new Error(`another edge runs on ${folder} already`);
  // No answer: it was left by a process that was killed.
  await rm(socketOf(folder), { force: true });
  const server = createServer((socket) => {
    socket.on("error", () => socket.destroy());
    socket.end(JSON.stringify(status()));
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(socketOf(folder), resolve);
  });
  return server;
};
