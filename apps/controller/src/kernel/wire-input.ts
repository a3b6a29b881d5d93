import type { Multipart } from "@fastify/multipart";
import type { FastifyRequest } from "fastify";
import { refuse, refuseField } from "./refuse.ts";
import { unstorablePath } from "./storable.ts";

/** What came over the wire, before the contract has read it. */
export type WireInput = Record<string, unknown>;

/** Names that mean something to JavaScript objects and nothing to any call of ours. */
const poisoned = new Set(["__proto__", "constructor", "prototype"]);

/**
 * The fields of a request: the query of a GET; form-data, urlencoded or JSON of a POST.
 * Refuses what has no single meaning (a field given twice) or could not be stored.
 */
export async function readWireInput(request: FastifyRequest): Promise<WireInput> {
  const input =
    request.method === "GET" ? fromQuery(request.url) : await fromBody(request as PostRequest);
  const unstorable = unstorablePath(input);
  if (unstorable !== null) refuseField(unstorable, "notAllowed");
  return input;
}

type PostRequest = FastifyRequest<{ Body: unknown }>;

function fromQuery(url: string): WireInput {
  const mark = url.indexOf("?");
  return fromPairs(new URLSearchParams(mark < 0 ? "" : url.slice(mark + 1)));
}

async function fromBody(request: PostRequest): Promise<WireInput> {
  if (request.isMultipart()) return fromPairs(await multipartFields(request));
  const { body } = request;
  if (body instanceof URLSearchParams) return fromPairs(body);
  // A POST without a body: every field is missing, which the contract says better.
  if (body === undefined || body === null) return {};
  if (typeof body !== "object" || Array.isArray(body)) refuseField("", "notAllowed");
  return fromPairs(Object.entries(body));
}

function fromPairs(pairs: Iterable<readonly [string, unknown]>): WireInput {
  const input: WireInput = Object.create(null);
  for (const [name, value] of pairs) {
    if (poisoned.has(name) || name in input) refuseField(name, "notAllowed");
    input[name] = value;
  }
  return input;
}

async function multipartFields(request: FastifyRequest): Promise<[string, unknown][]> {
  const parts = await multipartParts(request).catch((error: { statusCode?: number }) => {
    // Its limits have a status; the parser's own complaints are about a form that is none.
    if (error.statusCode !== undefined) throw error;
    return refuseField("", "notAllowed");
  });
  return parts.map((part) => {
    if (part.type === "file") return refuseField(part.fieldname, "notAllowed");
    if (part.valueTruncated || part.fieldnameTruncated) refuse("tooLarge");
    return [part.fieldname, part.value];
  });
}

/** All parts, before anything is refused: an unread part would stall the connection. */
async function multipartParts(request: FastifyRequest): Promise<Multipart[]> {
  const parts: Multipart[] = [];
  for await (const part of request.parts() as AsyncIterable<Multipart>) {
    if (part.type === "file") part.file.resume();
    parts.push(part);
  }
  return parts;
}
