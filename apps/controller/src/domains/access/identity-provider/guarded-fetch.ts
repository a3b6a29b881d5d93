import { Agent as HttpAgent, request as httpRequest } from "node:http";
import { Agent as HttpsAgent, request as httpsRequest } from "node:https";
import { createGuard, type Unreachable } from "#domains/notifications/channel/public.ts";

/** Metadata, keys and tokens are far smaller. */
const maxBytes = 1_048_576;

/** Why no request was made to a provider. */
const refusals: Readonly<Record<Unreachable, string>> = {
  private: "the address is private, which WEFT_IDENTITY_NETWORKS does not allow",
  http: "http leads to networks of WEFT_IDENTITY_NETWORKS only; use https",
};

interface FetchOptions {
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly signal?: AbortSignal | undefined;
}
export type Fetch = (url: string, options: FetchOptions) => Promise<Response>;

/**
 * `fetch` that leads to public addresses by https only, and to the networks that the operator allows.
 * Redirects are answers like others.
 */
export function createFetch(networks: readonly string[]): Fetch {
  const guard = createGuard(networks, (why) => new Error(refusals[why]));
  return async (text, { method, headers, body, signal }) => {
    const url = new URL(text);
    guard.check(url);
    const payload = body === undefined || body === null ? "" : String(body);
    const options = {
      method,
      headers: { ...headers, "content-length": String(Buffer.byteLength(payload)) },
      lookup: guard.lookupFor(url),
      ...(signal && { signal }),
    };
    return exchange(url, options, payload);
  };
}

function exchange(
  url: URL,
  options: Parameters<typeof httpRequest>[1] & object,
  body: string,
): Promise<Response> {
  return new Promise((done, failed) => {
    const isHttps = url.protocol === "https:";
    const agent = isHttps ? new HttpsAgent() : new HttpAgent();
    const send = isHttps ? httpsRequest : httpRequest;
    const outgoing = send(url, { ...options, agent }, (incoming) => {
      const parts: Buffer[] = [];
      let size = 0;
      incoming.on("data", (part: Buffer) => {
        parts.push(part);
        size += part.length;
        if (size > maxBytes) incoming.destroy(new Error(`the answer exceeds ${maxBytes} bytes`));
      });
      incoming.on("error", failed);
      incoming.on("end", () => {
        const { statusCode: status = 500, headers } = incoming;
        const given = Object.entries(headers).flatMap(([name, value]) =>
          [value ?? []].flat().map((text): [string, string] => [name, text]),
        );
        const isEmpty = status === 204 || status === 304;
        done(new Response(isEmpty ? null : Buffer.concat(parts), { status, headers: given }));
      });
    });
    outgoing.on("error", failed);
    outgoing.end(body);
  });
}
