import type { Multipart } from "@fastify/multipart";
import type { UploadedFile } from "@weft/contract/kernel/uploaded-file.ts";
import type { FastifyRequest } from "fastify";
import { refuse, refuseField } from "./refuse.ts";
import { unstorablePath } from "./storable.ts";

/** What came over the wire, before the contract has read it. */
export type WireInput = Record<string, unknown>;

/** Names that mean something to JavaScript objects and nothing to any call of ours. */
const forbiddenKeys = new Set(["__proto__", "constructor", "prototype"]);

/**
 * The fields of a request: the query of a GET; form-data, urlencoded or JSON of a POST.
 * Refuses what has no single meaning (a field given twice) or could not be stored.
 * @param files fields that may be files
 */
export async function readWireInput(
  request: FastifyRequest,
  files: readonly string[] = [],
): Promise<WireInput> {
  const input =
    request.method === "GET"
      ? fromQuery(request.url)
      : await fromBody(request as PostRequest, files);
  const unstorable = unstorablePath(input);
  if (unstorable !== null) refuseField(unstorable, "notAllowed");
  return input;
}

type PostRequest = FastifyRequest<{ Body: unknown }>;

function fromQuery(url: string): WireInput {
  const mark = url.indexOf("?");
  return fromPairs(new URLSearchParams(mark < 0 ? "" : url.slice(mark + 1)));
}

async function fromBody(request: PostRequest, files: readonly string[]): Promise<WireInput> {
  if (request.isMultipart()) return fromPairs(await multipartFields(request, files));
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
    if (forbiddenKeys.has(name) || name in input) refuseField(name, "notAllowed");
    input[name] = value;
  }
  return input;
}

async function multipartFields(
  request: FastifyRequest,
  files: readonly string[],
): Promise<[string, unknown][]> {
  const parts = await multipartParts(request, files).catch((error: { statusCode?: number }) => {
    // Its limits have a status; the parser's own complaints are about a form that is none.
    if (error.statusCode !== undefined) throw error;
    return refuseField("", "notAllowed");
  });
  return parts.map(({ part, file }) => {
    if (part.type === "file") return [part.fieldname, file ?? refuseFile(part)];
    if (part.valueTruncated || part.fieldnameTruncated) refuse("tooLarge");
    return [part.fieldname, part.value];
  });
}

const refuseFile = (part: Multipart & { type: "file" }): never =>
  part.file.truncated ? refuse("tooLarge") : refuseField(part.fieldname, "notAllowed");

interface ReadPart {
  readonly part: Multipart;
  /** null: no file, one that the call does not take, or one that was cut short. */
  readonly file: UploadedFile | null;
}

/** All parts, before anything is refused: an unread part would stall the connection. */
async function multipartParts(
  request: FastifyRequest,
  files: readonly string[],
): Promise<ReadPart[]> {
  const read: ReadPart[] = [];
  for await (const part of request.parts() as AsyncIterable<Multipart>) {
    read.push({ part, file: part.type === "file" ? await readFile(part, files) : null });
  }
  return read;
}

async function readFile(
  part: Multipart & { type: "file" },
  files: readonly string[],
): Promise<UploadedFile | null> {
  if (!files.includes(part.fieldname)) {
    part.file.resume();
    return null;
  }
  const chunks: Buffer[] = [];
  for await (const chunk of part.file) chunks.push(chunk as Buffer);
  if (part.file.truncated) return null;
  return { name: part.filename ?? "", bytes: new Uint8Array(Buffer.concat(chunks)) };
}
