import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { failureEnvelope } from "#kernel/answer.ts";
import { ClientGone } from "#kernel/client-gone.ts";
import { generalRefusal } from "#kernel/database-errors.ts";
import { Refusal } from "#kernel/refuse.ts";
import { languageOf } from "#kernel/request-facts.ts";

/** Media types that a POST may have, as a refusal names them. */
const bodyTypes = "multipart/form-data, application/x-www-form-urlencoded, application/json";

/**
 * Every failure becomes an envelope, in one place. Expected ones are answered with HTTP 200 and
 * their code; the rest is logged under the request id and answered plainly.
 */
export function answerFailures(app: FastifyInstance): void {
  app.setErrorHandler((error: FastifyError, request, reply) => {
    // Nobody reads it: the status that proxies log for it, so that it counts as no failure of the controller.
    if (error instanceof ClientGone) return reply.code(499).send();
    const refusal = toRefusal(error, request);
    const status = request.routeOptions.config.failureStatus ?? 200;
    if (refusal) return send(refusal, request, reply, status);
    request.log.error({ err: error }, "call failed");
    return send(new Refusal("internal", {}, []), request, reply, status === 200 ? 200 : 500);
  });
}

function toRefusal(error: FastifyError, request: FastifyRequest): Refusal | null {
  if (error instanceof Refusal) return error;
  const ofDatabase = generalRefusal(error);
  if (ofDatabase) {
    request.log.warn({ err: error }, "the database refused a statement");
    return ofDatabase;
  }
  if (error.statusCode === 413) return new Refusal("tooLarge", {}, []);
  if (error.statusCode === 415) {
    const params = { values: bodyTypes };
    return new Refusal("badInput", {}, [{ path: "Content-Type", rule: "oneOf", params }]);
  }
  // Fastify's other complaints are about the form of the request: no JSON, a length that lies.
  const ofRequest = error.statusCode !== undefined && error.statusCode < 500;
  return ofRequest ? malformed() : null;
}

export const malformed = (): Refusal =>
  new Refusal("badInput", {}, [{ path: "", rule: "notAllowed", params: {} }]);

/** Sends a refusal as an envelope. */
export function send(
  refusal: Refusal,
  request: FastifyRequest,
  reply: FastifyReply,
  status: number,
): FastifyReply {
  const language = languageOf(request.headers["accept-language"]);
  const envelope = failureEnvelope(refusal, language, request.id);
  request.answerCode = envelope.code;
  return reply.code(status).type("application/json; charset=utf-8").send(envelope);
}
