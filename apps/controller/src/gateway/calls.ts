import type { IncomingMessage, RequestListener } from "node:http";
import { confirmPath, confirmRequest, enrolPath } from "@weft/contract/device/v1/messages.ts";
import { unableProof } from "@weft/contract/device/v1/proof.ts";
import { stateIdOf } from "@weft/contract/device/v1/state.ts";
import type { FastifyInstance } from "fastify";
import { isLoopback, plainAddress } from "#kernel/source.ts";
import { type Clock, type Log, systemClock } from "./clock.ts";
import { confirmFrom, isFromDevice } from "./confirm.ts";
import { parseJson } from "./hello.ts";
import type { ControllerIdentity } from "./identity.ts";
import { createBucket, createBuckets } from "./limits.ts";
import { Refused, refusedMessage } from "./refusal.ts";
import type { GatewayStore } from "./store.ts";

export interface Reply {
  readonly status: number;
  /** JSON; empty when something went wrong on our side, which is no refusal. */
  readonly body: string;
}

/** Answers one of the two calls. */
export type Answer = (path: string, body: string, address: string) => Promise<Reply>;

export interface CallDeps {
  readonly store: GatewayStore;
  readonly identity: Pick<ControllerIdentity, "sign">;
  readonly logger: Log;
  /** That of the system unless given. */
  readonly clock?: Clock;
  /** Answers a claim; throws Refused. */
  enrol(body: unknown, address: string): Promise<unknown>;
  /** A node confirmed a state: the next may be sent. */
  confirmed(nodeId: number): void;
  /** The key that a device of the node proved last; it may have been revoked. Null: none known. */
  keyOf(nodeId: number): string | null;
}

/**
 * Confirmations: a device asks every second or two. Those that a known key signed are limited by
 * node alone, so that no one else can use up its share. The others have proven nothing yet: they are
 * limited by address, of all nodes together and of each, before the database is asked for a key.
 */
const confirms = {
  ofAddress: { burst: 200, perSecond: 50 },
  ofNode: { burst: 10, perSecond: 2 },
  /** Signatures held against known keys, of all senders: a fifth of a core at most. */
  checks: { burst: 2_000, perSecond: 2_000 },
} as const;

/** An enrolment request has some 400 bytes. */
const maxBody = 8_192;

const parse = (body: string): unknown => {
  const value = parseJson(body);
  if (value === null)
    throw new Refused("badMessage", "not JSON, or text with NUL or incomplete characters");
  return value;
};

/**
 * What a device receives whose state cannot be confirmed for a reason of ours: it waits longer before it
 * rolls back (design section 3.6). Sent to any caller within the limits, as it reveals nothing about
 * any device.
 */
function unableToConfirm(identity: CallDeps["identity"], body: string): string | null {
  const request = confirmRequest.safeParse(parse(body));
  if (!request.success) return null;
  const { node, nonce } = request.data;
  const signature = identity.sign(unableProof(node, request.data, nonce));
  return JSON.stringify({ type: "unable", ...stateIdOf(request.data), nonce, signature });
}

/** @returns throws Refused to who asks too often; the database was not asked and nothing signed by then */
function confirmLimit(
  now: () => number,
  keyOf: CallDeps["keyOf"],
): (address: string, request: unknown) => void {
  const { ofAddress, ofNode, checks } = confirms;
  const addressMay = createBuckets(ofAddress.burst, ofAddress.perSecond, now);
  const nodeMay = createBuckets(ofNode.burst, ofNode.perSecond, now);
  const provenMay = createBuckets(ofNode.burst, ofNode.perSecond, now);
  const mayCheck = createBucket(checks.burst, checks.perSecond, now);
  const isProven = (request: unknown): boolean => {
    const { success, data } = confirmRequest.safeParse(request);
    const key = success ? keyOf(data.node) : null;
    return success && key !== null && mayCheck() && isFromDevice(key, data);
  };
  return (address, request) => {
    if (isProven(request)) {
      if (provenMay(String((request as { node: number }).node))) return;
      throw new Refused("tooMany", "too many confirmations of this node", 1_000);
    }
    const { node } = request as { node?: unknown };
    const named = Number.isSafeInteger(node) ? node : "none";
    // Simulated fleets share the loopback address.
    const mayCome = isLoopback(address) || addressMay(address);
    if (mayCome && nodeMay(`${address} ${named}`)) return;
    throw new Refused("tooMany", "too many confirmations", 1_000);
  };
}

/** The two calls that a device makes on connections of their own. */
export function createCalls(deps: CallDeps): Answer {
  const { logger, clock = systemClock } = deps;
  const mayConfirm = confirmLimit(() => clock.monotonic(), deps.keyOf);
  const run = async (path: string, body: string, address: string): Promise<unknown> => {
    if (path === enrolPath) return deps.enrol(parse(body), address);
    const request = parse(body);
    mayConfirm(address, request);
    const answer = await confirmFrom(deps, request);
    deps.confirmed((request as { node: number }).node);
    return answer;
  };
  return async (path, body, address) => {
    try {
      return { status: 200, body: JSON.stringify(await run(path, body, address)) };
    } catch (error) {
      if (error instanceof Refused) {
        logger.info({ address, path, reason: error.reason, text: error.message }, "device refused");
        return { status: 403, body: JSON.stringify(refusedMessage(error)) };
      }
      logger.error({ err: error, path }, "call of a device failed");
      const unable = path === confirmPath ? unableToConfirm(deps.identity, body) : null;
      return unable === null ? { status: 500, body: "" } : { status: 503, body: unable };
    }
  };
}

/** Reads a small body; null when it is too large or breaks off. */
function readBody(request: IncomingMessage): Promise<string | null> {
  return new Promise((resolve) => {
    const parts: Buffer[] = [];
    let size = 0;
    request.on("data", (part: Buffer) => {
      size += part.length;
      if (size > maxBody) resolve(null);
      else parts.push(part);
    });
    request.on("end", () => resolve(Buffer.concat(parts).toString()));
    request.on("error", () => resolve(null));
    request.on("close", () => resolve(null));
  });
}

/** The request listener of the edge port: the two calls, and 404 for everything else. */
export function edgePortCalls(answer: Answer): RequestListener {
  return (request, response) => {
    const path = request.url ?? "";
    const end = (status: number, body = ""): void => {
      response.writeHead(status, {
        "content-type": "application/json",
        "content-length": Buffer.byteLength(body),
        connection: "close",
      });
      response.end(body);
    };
    if (request.method !== "POST" || (path !== enrolPath && path !== confirmPath)) {
      end(404);
      request.resume();
      return;
    }
    const reply = async (): Promise<void> => {
      const body = await readBody(request);
      if (body === null) return end(413);
      const { status, body: text } = await answer(
        path,
        body,
        plainAddress(request.socket.remoteAddress),
      );
      end(status, text);
    };
    // The answer itself never fails: what is left is a connection that ended meanwhile.
    reply().catch(() => response.destroy());
  };
}

/** True for a device on this very machine that came without a proxy. */
export const isLocal = ({ socket, headers }: IncomingMessage): boolean =>
  isLoopback(socket.remoteAddress) &&
  headers["x-forwarded-for"] === undefined &&
  headers.forwarded === undefined;

/** The same calls on the console's plain port, for simulated devices beside their controller. */
export async function plainPortCalls(app: FastifyInstance, answer: Answer): Promise<void> {
  await app.register((scope, _options, done) => {
    scope.removeAllContentTypeParsers();
    const options = { parseAs: "string", bodyLimit: maxBody } as const;
    scope.addContentTypeParser("*", options, (_request, body, done) => done(null, body));
    for (const path of [enrolPath, confirmPath]) {
      scope.post(path, async (request, reply) => {
        if (!isLocal(request.raw)) return reply.code(404).send("");
        const address = plainAddress(request.raw.socket.remoteAddress);
        const { status, body } = await answer(path, String(request.body ?? ""), address);
        return reply.code(status).type("application/json").send(body);
      });
    }
    done();
  });
}
