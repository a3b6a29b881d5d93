import type { FastifyInstance } from "fastify";

/**
 * Lets the server close as soon as the calls under way are answered. Fastify asks only calls that
 * come after the close to give up their connection; one that was under way would keep its own open
 * until the keep-alive time-out, and the process with it.
 */
export function drainOnClose(app: FastifyInstance): void {
  let closing = false;
  app.addHook("preClose", async () => {
    closing = true;
  });
  app.addHook("onSend", async (_request, reply) => {
    if (closing) reply.header("connection", "close");
  });
}
