import {
  type Answer,
  CallFailure,
  fromEnvelope,
  isSuccess,
  toRequest,
} from "@weft/contract/kernel/client.ts";
import type { Endpoint, Envelope, InputOf } from "@weft/contract/kernel/endpoint.ts";
import type { RuleIssue } from "@weft/contract/kernel/rule.ts";
import {
  forgetAhead,
  isAnyAhead,
  keepAhead,
  type Received,
  takeAhead,
  takeArrived,
} from "./ahead.ts";
import { languageTag } from "./kept-language.ts";
import { currentLanguage } from "./language.ts";
import { markSessionOver } from "./session-over.ts";
import { openTabChannel } from "./tab-channel.ts";
import { commonTexts } from "./texts.ts";
import { browserStores, createTokenStore, type TokenStore } from "./token.ts";

/** "late": no answer came in time; the controller may still be at it. */
export type CallErrorKind = "refused" | "network" | "late";

/** A call that did not succeed: the controller refused it, or it could not be reached. */
export class CallError extends Error {
  readonly kind: CallErrorKind;
  /** `code` of the envelope; 0 where there was none. */
  readonly code: number;
  readonly issues: readonly RuleIssue[];
  readonly requestId: string | null;
  /** `data` of the envelope; null where there was none. */
  readonly data: unknown;

  constructor(kind: CallErrorKind, message: string, envelope: Partial<Envelope> = {}) {
    super(message);
    this.name = "CallError";
    this.kind = kind;
    this.code = envelope.code ?? 0;
    this.issues = (envelope.issues ?? []) as readonly RuleIssue[];
    this.requestId = envelope.requestId ?? null;
    this.data = envelope.data ?? null;
  }
}

/** The one pair of code and text that ends a session (specification section 8). */
const endsSession = (envelope: Pick<Envelope, "code" | "msg">): boolean =>
  envelope.code === 500 && envelope.msg === "token无效";

/** Whether a call was refused because its token is no longer valid. */
export const isSessionOver = (error: unknown): boolean =>
  error instanceof CallError && endsSession({ code: error.code, msg: error.message });

interface Settings {
  readonly baseUrl: string;
  readonly onSessionEnd: () => void;
}

let settings: Settings = { baseUrl: "", onSessionEnd: () => undefined };
let tokens: TokenStore | null = null;

/** Set once at the start. `baseUrl` without a slash at its end. */
export const setUpCalls = (given: Settings): void => {
  settings = given;
};

/** Notifies the other tabs of this browser of a new token; they would use the old one. */
const otherTabs = openTabChannel("weft_token");
otherTabs?.addEventListener("message", ({ data }: MessageEvent<readonly [string, string]>) =>
  tokenStore().follow(...data),
);

/** The session token of this browser. */
export const tokenStore = (): TokenStore => {
  tokens ??= createTokenStore(browserStores());
  return tokens;
};

const withToken = (path: string, token: string | null): string => {
  if (token === null) return path;
  return `${path}${path.includes("?") ? "&" : "?"}${new URLSearchParams({ token })}`;
};

const headersOf = (token: string | null): Record<string, string> => ({
  accept: "application/json",
  "accept-language": languageTag(currentLanguage()),
  ...(token !== null && { authorization: token }),
});

const isEnvelope = (value: unknown): value is Envelope =>
  typeof value === "object" && value !== null && "code" in value;

const readEnvelope = async (response: Response): Promise<Envelope> => {
  const body: unknown = await response.json().catch((cause: unknown) => {
    // What was aborted says nothing of the answer.
    if (cause instanceof DOMException) throw cause;
    return null;
  });
  if (isEnvelope(body)) return body;
  throw new CallError("network", commonTexts()("call.unreadable"));
};

interface CallOptions {
  readonly signal?: AbortSignal;
  /** The answer to the request of this call where it was sent already (`sendAhead`). */
  readonly sent?: Promise<Received>;
  /** ms that an answer may take; undefined: as long as the connection holds. */
  readonly withinMs?: number;
}

/**
 * ms after which a reading call is given up. A controller that needs half a minute is slow, and one that is asked again
 * each time is slower.
 */
export const readingMs = 120_000;

const send = async (
  endpoint: Pick<Endpoint, "auth" | "method">,
  request: { path: string; body: FormData | null },
  { signal, withinMs }: Omit<CallOptions, "sent">,
): Promise<Received> => {
  const token = endpoint.auth === "session" ? tokenStore().read() : null;
  const late = withinMs === undefined ? undefined : AbortSignal.timeout(withinMs);
  const ends = [signal, late].filter((abortSignal) => abortSignal !== undefined);
  const failure = (cause: unknown): unknown => {
    if (signal?.aborted || cause instanceof CallError) return cause;
    if (!late?.aborted) return new CallError("network", commonTexts()("call.offline"));
    const seconds = (withinMs ?? 0) / 1_000;
    return new CallError("late", commonTexts()("call.late", { seconds }));
  };
  const response = await fetch(`${settings.baseUrl}${withToken(request.path, token)}`, {
    method: endpoint.method,
    headers: headersOf(token),
    ...(request.body && { body: request.body }),
    ...(ends.length > 0 && { signal: AbortSignal.any(ends) }),
  }).catch((cause: unknown) => {
    throw failure(cause);
  });
  const next = response.headers.get("authorization");
  // The last one counts, also of calls that were under way when another brought one. Not after a
  // logout meanwhile: then the old token is gone on purpose.
  if (next && token !== null && tokenStore().isOfSession(token)) {
    const old = tokenStore().read() ?? token;
    tokenStore().replace(next);
    otherTabs?.postMessage([old, next]);
  }
  const envelope = await readEnvelope(response).catch((cause: unknown) => {
    throw failure(cause);
  });
  return { token, envelope };
};

const refused = (envelope: Envelope): CallError =>
  new CallError("refused", envelope.msg || commonTexts()("call.refused"), envelope);

/** How the login reads answers before schemas are loaded. */
const open = { auth: "none", method: "GET", successCode: 0 } as const;

/**
 * Data of a reading call without a session as the wire has it, unchecked: for the login, which is
 * rendered before it has the schemas that `call` reads answers by.
 * @throws CallError for every answer but success.
 */
export const readOpen = async (
  path: string,
  query: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Promise<unknown> => {
  const params = new URLSearchParams(query);
  const request = { path: params.size > 0 ? `${path}?${params}` : path, body: null };
  const { envelope } = await send(open, request, { signal });
  if (!isSuccess(open, envelope)) throw refused(envelope);
  return envelope.data;
};

/** Sends the request of a reading call of a session that takes no input, before the code that reads its answer is there. */
export const sendAhead = (path: string): Promise<Received> => {
  const request = { path, body: null };
  const sent = send({ auth: "session", method: "GET" }, request, { withinMs: readingMs });
  // Who takes it up gets the error; without the code that does, that code is what failed.
  sent.catch(() => undefined);
  return sent;
};

/** Sends reading calls of a session; the first calls that make the same requests get their answers. */
export const sendCallsAhead = (paths: readonly string[]): void => {
  for (const path of paths) keepAhead(path, sendAhead(path));
};

/** The answer to a call that was sent ahead, and when it came; null: it was not, is not there yet, or is none. */
export const answerAhead = <E extends Endpoint>(
  endpoint: E,
  input: InputOf<E>,
): { readonly answer: Answer<E>; readonly at: number } | null => {
  if (!isAnyAhead() || endpoint.method !== "GET") return null;
  try {
    const arrived = takeArrived(toRequest(endpoint, input).path);
    return arrived && { answer: fromEnvelope(endpoint, arrived.received.envelope), at: arrived.at };
  } catch {
    // The call is made, and says what is wrong.
    return null;
  }
};

/**
 * Why a request cannot be made, as the controller would refuse it: an error of the schema is no text for people. The
 * rules are loaded when one is broken: the login is rendered before it has the schemas.
 */
async function refusalBefore<E extends Endpoint>(
  endpoint: E,
  input: InputOf<E>,
  error: unknown,
): Promise<unknown> {
  const { checkMemory } = await import("@weft/contract/kernel/rule.ts");
  const checked = checkMemory(endpoint.input, input);
  if (checked.ok) return error;
  const t = commonTexts();
  const texts = checked.issues.map((issue) => {
    const field = t.field(issue.path.split(".")[0] ?? "");
    return `${field}${t.language === "zh_cn" ? "：" : ": "}${t.issue(issue)}`;
  });
  const issues = checked.issues.map((issue) => ({ ...issue }));
  return new CallError("refused", t.list(texts), { issues });
}

/**
 * Makes one call of the contract. Input and answer have their memory form (Date, boolean, lists).
 * @throws CallError for every answer but success.
 */
export const call = async <E extends Endpoint>(
  endpoint: E,
  input: InputOf<E>,
  { sent, ...options }: CallOptions = {},
): Promise<Answer<E>> => {
  let request: ReturnType<typeof toRequest>;
  try {
    request = toRequest(endpoint, input);
  } catch (error) {
    throw await refusalBefore(endpoint, input, error);
  }
  if (endpoint.method !== "GET") forgetAhead();
  const ahead = sent ?? (request.body === null ? takeAhead(request.path) : undefined);
  // Sent in the same turn: the token is the one of now.
  const { token, envelope } = await (ahead ?? send(endpoint, request, options));
  // A late answer to a token that is no more says nothing of the session that began since.
  if (endsSession(envelope) && tokenStore().read() === token) {
    tokenStore().clear();
    markSessionOver();
    settings.onSessionEnd();
  }
  try {
    return fromEnvelope(endpoint, envelope);
  } catch (error) {
    if (error instanceof CallFailure) throw refused(envelope);
    // An answer that the contract does not allow: a bug of one side, named with its call.
    throw new CallError("network", `${commonTexts()("call.unreadable")}: ${endpoint.id}`, {
      ...(envelope.requestId !== undefined && { requestId: envelope.requestId }),
    });
  }
};

/** Address of a file that an answer names by its path, such as a logo. */
export const urlOf = (path: string): string => `${settings.baseUrl}${path}`;

/** Address of what a ticket opens: it holds the ticket, never the token. */
export const addressOf = (path: string, query: Readonly<Record<string, string>>): string =>
  `${settings.baseUrl}${path}?${new URLSearchParams(query)}`;
