import { createHash, randomBytes } from "node:crypto";
import type { Access } from "@weft/contract/access.ts";
import { isLanguage, type Language } from "@weft/contract/kernel/message.ts";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { sql } from "kysely";
import { inScope, type RememberedAccess } from "#db/pool.ts";
import { requireAccess } from "#kernel/answer.ts";
import type { Api, AuditEntry, Caller } from "#kernel/api.ts";
import { createContext } from "#kernel/audit.ts";
import { refuse } from "#kernel/refuse.ts";
import { requestFacts } from "#kernel/request-facts.ts";

/** Seconds between the call that gives a ticket and the request that uses it (design section 4). */
const lifetime = "30 seconds";

interface NewTicket {
  /** What it opens: "download", "events". */
  readonly purpose: string;
  /** What its use needs to know. */
  readonly content: object;
  /** Written with it, in one transaction. */
  readonly audit?: AuditEntry;
  /** Id of the call that gives it, under which the audit row is written. */
  readonly action: string;
}

const hashOf = (ticket: string): Buffer => createHash("sha256").update(ticket).digest();

/**
 * Gives out a ticket for one use within 30 s: what a browser can only fetch by its address (a
 * file, a stream) must not have the session's token in that address. Kept only as its hash.
 */
export async function giveTicket(api: Api, caller: Caller, given: NewTicket): Promise<string> {
  const ticket = randomBytes(32).toString("base64url");
  // In the whole scope: a person whose role names other enterprises may not write in the own one.
  await inScope(api.pools.apiAll, { kind: "all", userId: caller.userId }, async (trx) => {
    await sql`delete from ticket where expires_at < now()`.execute(trx);
    await trx
      .insertInto("ticket")
      .values({
        hash: hashOf(ticket),
        enterprise_id: caller.enterpriseId,
        user_id: caller.userId,
        family: caller.family,
        key_id: caller.keyId,
        purpose: given.purpose,
        content: JSON.stringify(given.content),
        language: caller.language,
        expires_at: sql`now() + ${lifetime}::interval`,
      })
      .execute();
    if (given.audit) await createContext(caller, trx, given.action).audit(given.audit);
  });
  return ticket;
}

/** The user of a ticket, as the session or key is at that moment. */
export interface Admitted {
  readonly caller: Caller;
  /** Transactions in the caller's name begin with its check. */
  readonly remembered: RememberedAccess;
}

export interface UsedTicket extends Admitted {
  readonly content: unknown;
  /** Reads again what the user may do. @throws Refusal tokenInvalid: nothing any more */
  readmit(): Promise<Admitted>;
}

interface TicketRow {
  readonly user_id: number;
  readonly family: string;
  readonly key_id: number | null;
  readonly content: unknown;
  readonly language: string;
  readonly live: boolean;
}

/**
 * Takes the ticket of the request's address; a second use finds none.
 * @throws Refusal tokenInvalid: used up, too old, of another purpose, or its user logged out
 */
async function useTicket(api: Api, request: FastifyRequest, purpose: string): Promise<UsedTicket> {
  const ticket = new URLSearchParams(request.url.split("?", 2)[1] ?? "").get("ticket") ?? "";
  const row = /^[\w-]{43}$/.test(ticket) ? await take(api, hashOf(ticket), purpose) : undefined;
  if (!row?.live) refuse("tokenInvalid");
  const owner = { userId: row.user_id, family: row.family, keyId: row.key_id };
  const facts = requestFacts(request);
  const language: Language = isLanguage(row.language) ? row.language : facts.language;
  const readmit = async (): Promise<Admitted> => {
    const { user, remembered } = (await api.revive(owner)) ?? refuse("tokenInvalid");
    return { caller: { ...user, ...facts, language }, remembered };
  };
  const admitted = await readmit();
  request.userId = admitted.caller.userId;
  return { ...admitted, content: row.content, readmit };
}

async function take(api: Api, hash: Buffer, purpose: string): Promise<TicketRow | undefined> {
  const { rows } = await sql<TicketRow>`
    delete from ticket where hash = ${hash} and purpose = ${purpose}
    returning user_id, family, key_id, content, language, expires_at > now() as live`.execute(
    api.pools.auth.db,
  );
  return rows[0];
}

interface TicketRoute {
  readonly path: string;
  readonly purpose: string;
  /** Answers by itself: a file, a stream. */
  run(used: UsedTicket, request: FastifyRequest, reply: FastifyReply): Promise<unknown>;
}

/** Mounts what a ticket opens, at `path?ticket=`. Failures have a status: no script reads them. */
export function mountTicket(app: FastifyInstance, route: TicketRoute): void {
  app.route({
    method: "GET",
    url: route.path,
    exposeHeadRoute: false,
    config: { failureStatus: 403 },
    handler: async (request, reply) =>
      route.run(await useTicket(app.weft, request, route.purpose), request, reply),
  });
}

/** Ends the call when the user of a ticket lost the permission since. */
export function requireStill(caller: Caller, may: Access | null): void {
  if (caller.mustAddFactor) refuse("factorDemanded");
  requireAccess(caller, may);
}

declare module "fastify" {
  interface FastifyContextConfig {
    /** Status of a refusal, where it is not read as an envelope. */
    readonly failureStatus?: number;
  }
}
