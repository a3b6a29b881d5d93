import type { Endpoint, Envelope, InputOf, OutputOf } from "#kernel/endpoint.ts";
import { isUploadedFile } from "#kernel/uploaded-file.ts";

/** The response of a call that did not succeed, as received. */
export class CallFailure extends Error {
  readonly endpoint: string;
  readonly envelope: Envelope;

  constructor(endpoint: string, envelope: Envelope) {
    super(`${endpoint}: ${envelope.code} ${envelope.msg}`);
    this.name = "CallFailure";
    this.endpoint = endpoint;
    this.envelope = envelope;
  }
}

/** The request of a call: query of a GET, form-data of a POST. */
export const toRequest = <E extends Endpoint>(
  endpoint: E,
  input: InputOf<E>,
): { path: string; body: FormData | null } => {
  const wire = Object.entries(endpoint.input.encode(input) as Record<string, unknown>);
  // undefined and null must not become the texts "undefined" and "null" (section 5).
  const fields = wire.filter(([, value]) => value !== undefined && value !== null);
  if (endpoint.method === "GET") {
    const query = new URLSearchParams(
      fields.map(([name, value]): [string, string] => [name, String(value)]),
    );
    return { path: query.size > 0 ? `${endpoint.path}?${query}` : endpoint.path, body: null };
  }
  const body = new FormData();
  for (const [name, value] of fields) {
    if (isUploadedFile(value)) body.append(name, new Blob([value.bytes]), value.name);
    else body.append(name, String(value));
  }
  return { path: endpoint.path, body };
};

export type Answer<E extends Endpoint> = {
  readonly data: OutputOf<E>;
  readonly count: number | null;
  /** Consequences of the action, in the language of the call; absent: none. */
  readonly warnings?: readonly string[];
};

/** Some servers send the code as text (B-7-10); an empty text is not zero. */
export const isSuccess = (
  { successCode }: Pick<Endpoint, "successCode">,
  { code }: Pick<Envelope, "code">,
): boolean => String(code) === String(successCode);

/** Decodes an envelope; throws CallFailure unless it reports success. */
export const fromEnvelope = <E extends Endpoint>(endpoint: E, envelope: Envelope): Answer<E> => {
  if (!isSuccess(endpoint, envelope)) throw new CallFailure(endpoint.id, envelope);
  const data = endpoint.output.decode(envelope.data as never) as OutputOf<E>;
  const { count = null, warnings = [] } = envelope;
  return {
    data,
    count,
    ...(warnings.length > 0 && { warnings: warnings.map(({ text }) => text) }),
  };
};

/**
 * A client for programs: seeds, journeys, tools. `token` is read again for each call.
 * @param baseUrl of the controller, without a trailing slash
 */
export const callerOf =
  (baseUrl: string, token: () => string | null) =>
  async <E extends Endpoint>(endpoint: E, input: InputOf<E>): Promise<Answer<E>> => {
    const { path, body } = toRequest(endpoint, input);
    const bearer = token();
    const response = await fetch(`${baseUrl}${path}`, {
      method: endpoint.method,
      ...(body && { body }),
      headers: { "accept-language": "en", ...(bearer && { authorization: bearer }) },
    });
    return fromEnvelope(endpoint, (await response.json()) as Envelope);
  };
export type Caller = ReturnType<typeof callerOf>;
