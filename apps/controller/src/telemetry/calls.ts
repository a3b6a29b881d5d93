import { type ErrorCode, errorNumbers } from "@weft/contract/errors.ts";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { Counter, Histogram, type Registry } from "prom-client";

type Result = "success" | "refused" | "failed";

/** Answers that are the fault of the controller, whatever HTTP status carries them. */
const failures: ReadonlySet<number> = new Set([errorNumbers.internal, errorNumbers.unavailable]);

/** A login that was refused; an answer that asks for MFA is none. */
const loginRefusals = [
  "badCredentials",
  "tooManyTries",
  "badCode",
  "badPasskey",
] as const satisfies readonly ErrorCode[];
const logins: ReadonlySet<string> = new Set(["auth.login", "auth.passkeyLogin"]);

/** What is no call of the contract: pages and files, the paths of devices, health. */
const otherCalls = "other";

const callOf = (app: FastifyInstance, { routeOptions }: FastifyRequest) =>
  routeOptions.url === undefined ? undefined : app.weft.mounted.get(routeOptions.url)?.endpoint;

/**
 * Calls by their name in the contract. A refusal is HTTP 200 with its code in the envelope, so that the status of
 * HTTP alone would show nothing.
 */
export function measureCalls(registry: Registry, app: FastifyInstance): void {
  const registers = [registry];
  const requests = new Counter({
    name: "weft_http_requests_total",
    help: "Answered requests by call of the contract, status class of HTTP, and result: success, refused (the caller's fault) or failed (the controller's).",
    labelNames: ["call", "status", "result"],
    registers,
  });
  const seconds = new Histogram({
    name: "weft_http_request_duration_seconds",
    help: "Time from a request to the end of its answer, by call of the contract.",
    labelNames: ["call"],
    buckets: [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers,
  });
  const refusedLogins = new Counter({
    name: "weft_login_failures_total",
    help: "Refused logins by reason.",
    labelNames: ["reason"],
    registers,
  });
  // So that the first failure of a process is an increase.
  requests.inc({ call: otherCalls, status: "5xx", result: "failed" }, 0);
  for (const reason of loginRefusals) refusedLogins.inc({ reason }, 0);
  app.addHook("onResponse", async (request, reply) => {
    const endpoint = callOf(app, request);
    const call = endpoint?.id ?? otherCalls;
    const status = `${Math.floor(reply.statusCode / 100)}xx`;
    requests.inc({ call, status, result: resultOf(request, reply, endpoint?.successCode) });
    seconds.observe({ call }, reply.elapsedTime / 1_000);
    const reason = loginRefusals.find(
      (loginRefusal) => errorNumbers[loginRefusal] === request.answerCode,
    );
    if (logins.has(call) && reason) refusedLogins.inc({ reason });
  });
}

function resultOf(
  { answerCode }: FastifyRequest,
  { statusCode }: FastifyReply,
  success: number | undefined,
): Result {
  if (statusCode >= 500 || (answerCode !== null && failures.has(answerCode))) return "failed";
  if (statusCode >= 400) return "refused";
  return answerCode === null || answerCode === success ? "success" : "refused";
}
