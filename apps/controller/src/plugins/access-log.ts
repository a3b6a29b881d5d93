import type { FastifyInstance } from "fastify";

/** Asked every few seconds by whatever watches over the process. */
const quiet = new Set(["/healthz", "/readyz"]);

/**
 * One line a request. The path only: queries carry tokens, bodies passwords, and neither is ever
 * logged.
 */
export function logAccess(app: FastifyInstance): void {
  app.decorateRequest("userId", null);
  app.decorateRequest("answerCode", null);
  app.addHook("onResponse", async (request, reply) => {
    const path = request.url.split("?", 1)[0] ?? "";
    request.log[quiet.has(path) ? "debug" : "info"](
      {
        method: request.method,
        path,
        status: reply.statusCode,
        code: request.answerCode,
        userId: request.userId,
        address: request.ip,
        ms: Math.round(reply.elapsedTime * 10) / 10,
      },
      "request",
    );
  });
}
