/**
 * HTTP requests to addresses that tenants enter. They lead to public addresses only, and by https; the operator
 * of the installation names the private networks that are reachable besides (WEFT_HOOK_NETWORKS), also by http.
 */
import { Agent as HttpAgent, request as httpRequest } from "node:http";
import { Agent as HttpsAgent, request as httpsRequest } from "node:https";
import { createGuard, type Unreachable } from "#domains/notifications/channel/public.ts";
import { OutboxError, oneLine } from "./outbox-way.ts";

export interface HookRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface HookAnswer {
  readonly status: number;
  /** At most 16 KiB of it. */
  readonly body: string;
  /** Seconds or a moment, as the receiver wrote it; null: it did not. */
  readonly retryAfter: string | null;
}

/** Posts, and reads the answer. @throws OutboxError: not allowed, or no whole answer in time */
export type Post = (request: HookRequest) => Promise<HookAnswer>;

const maxAnswer = 16_384;
/** Why no request is made, for those who operate it. */
const refusals: Readonly<Record<Unreachable, string>> = {
  private: "the address is private, which WEFT_HOOK_NETWORKS does not allow",
  http: "http leads to networks of WEFT_HOOK_NETWORKS only; use https",
};

/** @param timeoutMs for the whole request, answer included */
export function createPost(networks: readonly string[], timeoutMs: number): Post {
  const guard = createGuard(networks, (why) => new OutboxError(refusals[why], true));
  return async ({ url, headers, body }) => {
    const target = new URL(url);
    const isHttps = target.protocol === "https:";
    const signal = AbortSignal.timeout(timeoutMs);
    const options = {
      method: "POST",
      headers: { ...headers, "content-length": String(Buffer.byteLength(body)) },
      lookup: guard.lookupFor(target),
      signal,
    };
    try {
      guard.check(target);
      return await exchange(url, options, body, isHttps);
    } catch (error) {
      if (error instanceof OutboxError) throw error;
      const { message } = error as Error;
      const late = `no whole answer within ${timeoutMs / 1000} s`;
      const reason = signal.aborted ? late : oneLine(message);
      throw new OutboxError(reason.slice(0, 300), false);
    }
  };
}

type Options = Parameters<typeof httpRequest>[1] & object;

function exchange(
  url: string,
  options: Options,
  body: string,
  isHttps: boolean,
): Promise<HookAnswer> {
  return new Promise((done, failed) => {
    // A connection each: an attempt does not depend on one that a receiver has closed since.
    const agent = isHttps ? new HttpsAgent() : new HttpAgent();
    const send = isHttps ? httpsRequest : httpRequest;
    // Redirects are answers like others: where they lead was configured by no one.
    const outgoing = send(url, { ...options, agent }, (incoming) => {
      const parts: Buffer[] = [];
      let size = 0;
      const end = (): void => {
        const text = Buffer.concat(parts).subarray(0, maxAnswer).toString("utf8");
        const retryAfter = incoming.headers["retry-after"] ?? null;
        done({ status: incoming.statusCode ?? 0, body: text, retryAfter });
        incoming.destroy();
      };
      incoming.on("data", (part: Buffer) => {
        parts.push(part);
        size += part.length;
        if (size >= maxAnswer) end();
      });
      incoming.on("end", end);
      incoming.on("error", failed);
    });
    outgoing.on("error", failed);
    outgoing.end(body);
  });
}
