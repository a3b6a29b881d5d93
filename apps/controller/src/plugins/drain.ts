import type { Socket } from "node:net";
import type { FastifyInstance } from "fastify";

/** Less than a process has for its ending (start/signals.ts): the stores are to end in order as well. */
const callsMs = 15_000;

/**
 * Lets the server close as soon as the calls under way are answered. Fastify asks only calls that
 * come after the close to give up their connection; one that was under way would keep its own open
 * until the keep-alive time-out, and the process with it. Node takes a connection on which nothing
 * was sent, as browsers open them in advance, for one with a call: it would stay for as long as the
 * other end likes, and so would a call whose rest never comes.
 * @param limitMs after which connections are cut that still have a call
 */
export function drainOnClose(app: FastifyInstance, limitMs = callsMs): void {
  let closing = false;
  let late: NodeJS.Timeout | undefined;
  const open = new Set<Socket>();
  app.server.on("connection", (socket: Socket) => {
    if (closing) endSilent(socket);
    open.add(socket);
    socket.once("close", () => open.delete(socket));
  });
  app.addHook("preClose", async () => {
    closing = true;
    for (const socket of open) endSilent(socket);
    late = setTimeout(() => app.server.closeAllConnections(), limitMs);
  });
  app.addHook("onClose", async () => clearTimeout(late));
  app.addHook("onSend", async (_request, reply) => {
    if (closing) reply.header("connection", "close");
  });
}

/** What was sent and not read yet is read first: a turn of the loop lies between the two. */
function endSilent(socket: Socket): void {
  setImmediate(() => setImmediate(() => socket.bytesRead === 0 && socket.destroy()));
}
