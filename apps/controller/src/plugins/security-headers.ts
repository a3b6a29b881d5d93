import type { FastifyInstance } from "fastify";

/**
 * What a page of the console may load: its own files. antd writes its styles into the page at run
 * time, hence unsafe-inline for styles.
 * @param called origins besides its own that the page may call.
 * @param scripts hashes of the scripts that are written into the page; no other text runs as one.
 */
export const pagePolicy = (called: readonly string[], scripts: readonly string[]): string =>
  policy(called, scripts).join("; ");

const policy = (called: readonly string[], scripts: readonly string[]): readonly string[] => [
  "default-src 'self'",
  ["connect-src 'self'", ...called].join(" "),
  ["script-src 'self'", ...scripts].join(" "),
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data: blob:",
  "font-src 'self' data:",
  "worker-src 'self' blob:",
  "object-src 'none'",
  "base-uri 'self'",
  "form-action 'self'",
  "frame-ancestors 'none'",
];

/**
 * What a script of the console may load where it is a worker: it has the policy of its own answer (CSP Level 3, "policy container" of workers),
 * and the shared one has the stream of events.
 */
export const scriptPolicy =
  "default-src 'none'; connect-src 'self'; script-src 'self'; frame-ancestors 'none'";

/** An answer of the API is no page, wherever a browser is led to show it. */
const answerPolicy = "default-src 'none'; frame-ancestors 'none'";

/** What no page of ours ever asks a browser for, nor any that it might show. */
const unused = ["camera", "geolocation", "microphone", "midi", "payment", "serial", "usb"];
const permissions = [
  ...unused.map((text) => `${text}=()`),
  // Passkeys belong to the console itself.
  "publickey-credentials-create=(self)",
  "publickey-credentials-get=(self)",
].join(", ");

/** A year. Not for other hosts of the domain, which are not ours to decide. */
const onlyHttps = "max-age=31536000";

/** Headers of every answer (design section 4); pages and files relax some of them. */
export function secureHeaders(app: FastifyInstance): void {
  app.addHook("onRequest", async (request, reply) => {
    reply.headers({
      "cache-control": "no-store",
      "content-security-policy": answerPolicy,
      "cross-origin-opener-policy": "same-origin",
      "cross-origin-resource-policy": "same-origin",
      "permissions-policy": permissions,
      "referrer-policy": "no-referrer",
      // Known of a proxy that is trusted; over plain HTTP browsers ignore it.
      ...(request.protocol === "https" && { "strict-transport-security": onlyHttps }),
      "x-content-type-options": "nosniff",
      "x-frame-options": "DENY",
      "x-request-id": request.id,
    });
  });
}
