import type { FastifyInstance } from "fastify";

/**
 * What a page of the console may load: its own files. antd writes its styles into the page at run
 * time, hence unsafe-inline for styles.
 * @param called origins besides its own that the page may call.
 */
export const pagePolicy = (called: readonly string[]): string => policy(called).join("; ");

const policy = (called: readonly string[]): readonly string[] => [
  "default-src 'self'",
  ["connect-src 'self'", ...called].join(" "),
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data: blob:",
  "font-src 'self' data:",
  "worker-src 'self' blob:",
  "object-src 'none'",
  "base-uri 'self'",
  "form-action 'self'",
  "frame-ancestors 'none'",
];

/** An answer of the API is no page, wherever a browser is led to show it. */
const answerPolicy = "default-src 'none'; frame-ancestors 'none'";

/** Headers of every answer (design section 4); pages and files relax some of them. */
export function secureHeaders(app: FastifyInstance): void {
  app.addHook("onRequest", async (request, reply) => {
    reply.headers({
      "cache-control": "no-store",
      "content-security-policy": answerPolicy,
      "cross-origin-opener-policy": "same-origin",
      "cross-origin-resource-policy": "same-origin",
      "referrer-policy": "no-referrer",
      "x-content-type-options": "nosniff",
      "x-frame-options": "DENY",
      "x-request-id": request.id,
    });
  });
}
