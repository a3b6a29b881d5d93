import { permissionOf } from "@weft/contract/access.ts";
import { fileFieldsOf } from "@weft/contract/kernel/codec.ts";
import {
  accessFor,
  type Endpoint,
  type Envelope,
  type ReadsMetrics,
  type ResultOf,
} from "@weft/contract/kernel/endpoint.ts";
import { entityTag } from "@weft/contract/kernel/row-version.ts";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Transaction } from "kysely";
import type { z } from "zod";
import { inScope, poolFor, scopedRead } from "#db/pool.ts";
import type { Database } from "#db/schema.ts";
import { requireAccess, successText, warningText } from "./answer.ts";
import type {
  Api,
  Authenticated,
  Caller,
  CallerScope,
  Context,
  HandlerContext,
  RequestFacts,
} from "./api.ts";
import { createContext, type Written } from "./audit.ts";
import { goneSignal } from "./client-gone.ts";
import { wireReader, wireWriter } from "./compiled-schema.ts";
import { isAccessChanged, isCollision } from "./database-errors.ts";
import { metricsFor, type WithMetrics } from "./metrics-access.ts";
import { refuse, refuseFields } from "./refuse.ts";
import { requestFacts, tokenOf } from "./request-facts.ts";
import { readWireInput, type WireInput } from "./wire-input.ts";

export interface MountOptions {
  /**
   * Why an acting call writes no audit row. Without it, a write that did not call ctx.audit is
   * rolled back as a bug.
   */
  readonly unaudited?: string;
  /** Why the call's transaction sees the whole tree instead of the caller's scope. */
  readonly unscopedReason?: string;
  /** Its handler only reads and locks rows until a statement of it was answered, and does nothing else (db/pool.ts, `readsFirst`). */
  readonly readsFirst?: boolean;
  /** Why it is open to a user who has still to set up required MFA. */
  readonly allowWithoutMfa?: string;
  /** Why no API key, and no visitor with a link for templates, may make the call. */
  readonly personOnly?: string;
  /** Why it is open by a link for templates although it asks for no permission of theirs. */
  readonly visitors?: string;
}

/** What a handler gives: the output's memory form, or rows and count of a paged call. */
type Result<I extends z.ZodType, O extends z.ZodType, P extends boolean> =
  | ResultOf<Endpoint<I, O, P>>
  | Promise<ResultOf<Endpoint<I, O, P>>>;

/**
 * Mounts a call of a session: checks token and permission, reads the input by the contract, runs
 * the handler inside one transaction in the caller's scope (READ ONLY unless the endpoint acts),
 * and writes the envelope once COMMIT was answered. Unknown fields of the result are stripped.
 */
export function mount<I extends z.ZodType, O extends z.ZodType, P extends boolean>(
  app: FastifyInstance,
  endpoint: Endpoint<I, O, P>,
  handler: (input: z.output<I>, ctx: HandlerContext) => Result<I, O, P>,
  options: MountOptions = {},
): void {
  mountInSteps(
    app,
    endpoint,
    async (input, ctx) => handler(input, ctx),
    async (given) => given,
    options,
  );
}

/** Mounts a call that asks the metrics store, which its endpoint has to declare. */
export function mountWithMetrics<I extends z.ZodType, O extends z.ZodType, P extends boolean>(
  app: FastifyInstance,
  endpoint: Endpoint<I, O, P> & ReadsMetrics,
  handler: (input: z.output<I>, ctx: HandlerContext & WithMetrics) => Result<I, O, P>,
  options: MountOptions = {},
): void {
  const metrics = metricsFor(app, endpoint as unknown as Endpoint & ReadsMetrics);
  mount<I, O, P>(app, endpoint, (input, ctx) => handler(input, { ...ctx, metrics }), options);
}

/**
 * Mounts a call whose answer is known only some time after its transaction: what `start` wrote is
 * committed, then `finish` waits for the rest without a transaction of its own.
 */
export function mountInSteps<I extends z.ZodType, O extends z.ZodType, P extends boolean, Started>(
  app: FastifyInstance,
  endpoint: Endpoint<I, O, P>,
  start: (input: z.output<I>, ctx: HandlerContext) => Promise<Started>,
  finish: (started: Started, caller: Caller) => Promise<ResultOf<Endpoint<I, O, P>>>,
  options: MountOptions = {},
): void {
  mountSteps(app, endpoint, { before: null, start, finish }, options);
}

/** What a call can use before its transaction. */
export interface BeforeTransaction {
  readonly caller: Caller;
  /** Aborted when the client has left: nobody waits for the answer. */
  readonly gone: AbortSignal;
  /** Reads in the caller's scope, in a short transaction of its own. */
  readonly read: <T>(fn: (ctx: HandlerContext) => Promise<T>) => Promise<T>;
  /** Has this run when the call is over, whatever became of it. */
  readonly atEnd: (end: () => void) => void;
}

interface Steps<Input, Before, Started, Answer> {
  /**
   * Without a transaction, for whatever takes long or needs connections of another pool: a call
   * holds no connection while it waits for another one (db/one-connection.ts). Null: it needs nothing. Access from memory
   * is checked by the transaction, which would be too late here.
   */
  readonly before: ((input: Input, call: BeforeTransaction) => Promise<Before>) | null;
  /** In the call's transaction. */
  start(input: Input, ctx: HandlerContext, before: Before | null): Promise<Started>;
  /** Once the transaction is committed. */
  finish(started: Started, caller: Caller): Promise<Answer>;
}

/** Mounts a call that needs `before` its transaction what the transaction cannot give. */
export function mountAfter<I extends z.ZodType, O extends z.ZodType, P extends boolean, Before>(
  app: FastifyInstance,
  endpoint: Endpoint<I, O, P>,
  before: (input: z.output<I>, call: BeforeTransaction) => Promise<Before>,
  handler: (input: z.output<I>, ctx: HandlerContext, before: Before) => Result<I, O, P>,
  options: MountOptions = {},
): void {
  const start = async (input: z.output<I>, ctx: HandlerContext, found: Before | null) =>
    handler(input, ctx, found as Before);
  mountSteps(app, endpoint, { before, start, finish: async (given) => given }, options);
}

/** Mounts a call of three steps, of which the one in the middle is its transaction. */
function mountSteps<I extends z.ZodType, O extends z.ZodType, P extends boolean, Before, Started>(
  app: FastifyInstance,
  endpoint: Endpoint<I, O, P>,
  steps: Steps<z.output<I>, Before, Started, ResultOf<Endpoint<I, O, P>>>,
  options: MountOptions = {},
): void {
  if (endpoint.auth === "none") throw new Error(`${endpoint.id} has no session: use mountOpen`);
  const readInput = inputReader(endpoint);
  register(app, endpoint, options, (request, reply) => {
    // The body can be read once, and is wanted again when the access from memory does not hold.
    let wire: Promise<WireInput> | undefined;
    const body = () => {
      wire ??= readWire(endpoint, request);
      return wire;
    };
    const gone = goneSignal(reply);
    const admission = { request, reply, gone, mayRemember: steps.before === null };
    return withAccess(app.weft, admission, async ({ caller, remembered }) => {
      if (caller.mustAddFactor && options.allowWithoutMfa === undefined) refuse("factorDemanded");
      // What another permission may stand for is known by what the caller sent.
      const needed = endpoint.mayInstead ? accessFor(endpoint, await body()) : endpoint.may;
      // What a screen or every session may do is not for every visitor with a link.
      if (permissionOf(needed) === null && options.visitors === undefined) refuseVisitor(caller);
      requireAccess(caller, needed);
      if (options.personOnly !== undefined || endpoint.ownPassword) requirePerson(caller);
      const input = readInput(await body());
      const ends: (() => void)[] = [];
      const call: BeforeTransaction = {
        caller,
        gone,
        read: (fn) =>
          readScoped(app.weft, endpoint, scopeOf(options, caller), { caller, gone }, fn),
        atEnd: (end) => void ends.push(end),
      };
      try {
        const found = steps.before && (await steps.before(input, call));
        const run = async (ctx: HandlerContext) => {
          if (endpoint.ownPassword) await ctx.verifyOwnPassword();
          return steps.start(input, ctx, found);
        };
        const verifyOwnPassword = proofOf(app.weft, input);
        const person = { caller, remembered, gone, verifyOwnPassword };
        const done = await runScoped(app.weft, endpoint, options, person, run);
        const { result, version } = done;
        request.warnings = done.warnings;
        if (version !== null) reply.header("etag", entityTag(version));
        return await steps.finish(result, caller);
      } finally {
        for (const end of ends) end();
      }
    });
  });
}

/** A caller, and the access that its transactions have to check. */
interface Admitted extends Pick<Authenticated, "remembered" | "isFromMemory"> {
  readonly caller: Caller;
}

interface Admission {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly gone: AbortSignal;
  readonly mayRemember: boolean;
}

/** Times that access is read for one call, each because it changed since the time before. */
const mostReads = 5;

/**
 * Runs a call with what the process remembers of its token. Unless its transaction has found that to hold, it is
 * run again with what the database says, whatever came of it: also a refusal may be one of before a change. What the
 * database says may be over as well by the time that the transaction begins: a body takes up to a minute to arrive, and
 * other work may be done before.
 */
async function withAccess<T>(
  api: Api,
  admission: Admission,
  run: (admitted: Admitted) => Promise<T>,
): Promise<T> {
  let mayRemember = admission.mayRemember;
  for (let reads = 0; reads < mostReads; reads += 1) {
    const admitted = await authenticate(api, { ...admission, mayRemember });
    const { remembered, isFromMemory } = admitted;
    try {
      return await run(admitted);
    } catch (error) {
      if (remembered.isCurrent || admission.gone.aborted) throw error;
      if (!isFromMemory && !isAccessChanged(error)) throw error;
    }
    mayRemember = false;
  }
  return refuse("conflict");
}

/**
 * Mounts a call that is made before there is a session. It gets no transaction: what it may touch
 * is its own concern.
 */
export function mountOpen<I extends z.ZodType, O extends z.ZodType, P extends boolean>(
  app: FastifyInstance,
  endpoint: Endpoint<I, O, P>,
  handler: (input: z.output<I>, facts: RequestFacts, warn: Context["warn"]) => Result<I, O, P>,
): void {
  if (endpoint.auth !== "none") throw new Error(`${endpoint.id} needs a session: use mount`);
  const readInput = inputReader(endpoint);
  register(app, endpoint, { unaudited: "no session yet" }, async (request) => {
    const input = readInput(await readWire(endpoint, request));
    return handler(input, requestFacts(request), (...warnings) => {
      request.warnings = [...(request.warnings ?? []), ...warnings];
    });
  });
}

function register(
  app: FastifyInstance,
  endpoint: Endpoint,
  options: MountOptions,
  run: (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>,
): void {
  const { unaudited = null, unscopedReason = null, personOnly = null } = options;
  app.weft.mounted.set(endpoint.path, { endpoint, unaudited, unscopedReason, personOnly });
  const writeOutput = wireWriter(endpoint.output);
  app.route({
    method: endpoint.method,
    url: endpoint.path,
    exposeHeadRoute: false,
    config: { isCompressed: endpoint.auth === "session" && !endpoint.acts && !endpoint.secret },
    async handler(request, reply) {
      refuseCrossSite(endpoint, request);
      const result = await run(request, reply);
      const answer = successEnvelope(endpoint, writeOutput, result, request);
      request.answerCode = answer.code;
      return reply.send(answer);
    },
  });
}

/** A link on another site could otherwise make a browser reboot a device (design section 4). */
function refuseCrossSite(endpoint: Endpoint, request: FastifyRequest): void {
  const acting = endpoint.acts && endpoint.method === "GET";
  if (acting && request.headers["sec-fetch-site"] === "cross-site") refuse("crossSite");
}

async function authenticate(
  api: Api,
  { request, reply, mayRemember }: Omit<Admission, "gone">,
): Promise<Admitted> {
  const facts = requestFacts(request);
  const token = tokenOf(request);
  const authenticated =
    token === null ? null : await api.authenticate(token, facts.address, mayRemember);
  if (!authenticated) refuse("tokenInvalid");
  request.userId = authenticated.user.userId;
  // Section 4: a token in this header replaces the stored one.
  if (authenticated.newToken !== null) {
    reply.header("authorization", authenticated.newToken);
    reply.header("access-control-expose-headers", "authorization");
  }
  const { user, remembered, isFromMemory } = authenticated;
  return { caller: { ...user, ...facts }, remembered, isFromMemory };
}

/** Ends the call of an API key or a visitor: only a person who logged in may make it. */
export function requirePerson(caller: Pick<Caller, "keyId" | "visitEndTime">): void {
  refuseVisitor(caller);
  if (caller.keyId === null) return;
  refuse("notAllowedNow", { reason: ["API 密钥不能做此操作", "an API key may not do this"] });
}

function refuseVisitor({ visitEndTime }: Pick<Caller, "visitEndTime">): void {
  if (visitEndTime === null) return;
  refuse("notAllowedNow", { reason: ["分享链接仅用于模板", "this link is for templates only"] });
}

const readWire = (endpoint: Endpoint, request: FastifyRequest): Promise<WireInput> =>
  readWireInput(request, fileFieldsOf(endpoint.input));

function inputReader<I extends z.ZodType>({
  input,
}: Endpoint<I>): (wire: WireInput) => z.output<I> {
  const read = wireReader(input);
  return (wire) => {
    const checked = read(wire);
    if (!checked.ok) refuseFields(checked.issues);
    return checked.value;
  };
}

const scopeOf = ({ unscopedReason }: MountOptions, caller: Caller): CallerScope =>
  unscopedReason === undefined ? caller.scope : { kind: "all", userId: caller.userId };

const readScoped = <T>(
  { pools, callTurns }: Api,
  { id }: Endpoint,
  scope: CallerScope,
  call: Pick<BeforeTransaction, "caller" | "gone">,
  fn: (ctx: HandlerContext) => Promise<T>,
): Promise<T> => {
  const pool = poolFor(pools, scope);
  const read = (db: Transaction<Database>) =>
    fn({ ...createContext(call.caller, db, id), db: db as never });
  return callTurns.run(pool, call, () => scopedRead(pool, scope, read, { gone: call.gone }));
};

/** How often the transaction of a call runs at most when it loses to others that write the same rows. */
const maxTries = 3;

/** The person of a call, and how the own password is proven in it. */
interface Person extends Omit<Admitted, "isFromMemory"> {
  readonly gone: AbortSignal;
  readonly verifyOwnPassword: (ctx: Context) => Promise<void>;
}

/** One check for a call: rows of one import, or a second try, are no further guesses. */
function proofOf({ verifyOwnPassword }: Api, input: unknown): Person["verifyOwnPassword"] {
  const { oldPsw = null } = input as { readonly oldPsw?: string | null };
  let pending: Promise<void> | undefined;
  return (ctx) => {
    pending ??= verifyOwnPassword(ctx, oldPsw);
    return pending;
  };
}

async function runScoped<T>(
  api: Api,
  endpoint: Endpoint,
  options: MountOptions,
  person: Person,
  handler: (ctx: HandlerContext) => Promise<T>,
): Promise<{ result: T } & Pick<Written, "version" | "warnings">> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await runOnce(api, endpoint, options, person, handler);
    } catch (error) {
      // Nothing of it stayed: started again it finds the rows as the other transaction left them.
      if (!isCollision(error) || tries === maxTries) throw error;
    }
  }
}

async function runOnce<T>(
  api: Api,
  endpoint: Endpoint,
  options: MountOptions,
  { caller, remembered, gone, verifyOwnPassword }: Person,
  handler: (ctx: HandlerContext) => Promise<T>,
): Promise<{ result: T } & Pick<Written, "version" | "warnings">> {
  const scope = scopeOf(options, caller);
  const transact = endpoint.acts ? inScope : scopedRead;
  let changed = false;
  let version: string | null = null;
  let warnings: Written["warnings"] = [];
  let afterRefusal = (): Written["afterRefusal"] => [];
  let last = (): Written["last"] => [];
  const work = async (db: Transaction<Database>): Promise<T> => {
    const ctx = createContext(caller, db, endpoint.id, verifyOwnPassword, true);
    afterRefusal = () => ctx.written.afterRefusal;
    last = () => ctx.written.last;
    const given = await handler({ ...ctx, db: db as never });
    if (endpoint.acts && !ctx.written.audited && options.unaudited === undefined) {
      throw new Error(`${endpoint.id} wrote no audit row: it must, or say why not`);
    }
    ({ changed, version, warnings } = ctx.written);
    return given;
  };
  const pool = poolFor(api.pools, scope);
  const { readsFirst } = options;
  const limits = { remembered, gone, readsFirst, atCommit: () => last() };
  const run = () => transact(pool, scope, work, limits);
  const call = { caller, gone, isLong: endpoint.readsMetrics === true };
  const result = await api.callTurns.run(pool, call, run).catch(async (error) => {
    // Of a call that was not let in after all nothing stays.
    for (const one of remembered.isCurrent ? afterRefusal() : []) await one(api);
    throw error;
  });
  if (changed) api.changeHint.send();
  return { result, version, warnings };
}

function successEnvelope(
  endpoint: Endpoint,
  writeOutput: (value: unknown) => unknown,
  result: unknown,
  request: FastifyRequest,
): Envelope {
  const { language } = requestFacts(request);
  const warnings = (request.warnings ?? []).map((warning) => ({
    ...warning,
    text: warningText(warning, language),
  }));
  const page = endpoint.paged ? (result as { rows: unknown; count: number }) : undefined;
  return {
    code: endpoint.successCode,
    msg: successText(language),
    data: writeOutput(page ? page.rows : result),
    ...(page && { count: page.count }),
    ...(warnings.length > 0 && { warnings }),
  };
}
