import { sql, type Transaction } from "kysely";
import { inScope, type Pools, scopedRead } from "#db/pool.ts";
import type { Database } from "#db/schema.ts";
import { hashToken, newToken } from "#domains/access/session/public.ts";
import { refuse } from "#kernel/refuse.ts";

/** A login comes before there is a scope. */
const beforeScope = { kind: "all" } as const;
type Trx = Transaction<Database>;

/** The enterprise whose brand a host shows, else the topmost. */
const enterpriseAt = (host: string) => sql`coalesce(
  (select enterprise_id from brand where host = ${host.replace(/:\d+$/, "").toLowerCase()}),
  (select id from enterprise where parent_id is null))`;

/** Identity providers that the login page of a host shows: those of the enterprise whose brand it has. */
export async function providersAt(trx: Trx, host: string): Promise<{ id: number; name: string }[]> {
  const { rows } = await sql<{ id: number; name: string }>`
    select p.id, p.name from identity_provider p join enterprise e on e.id = p.enterprise_id
    where p.enabled and e.enabled and p.enterprise_id = ${enterpriseAt(host)}
    order by p.name limit 20`.execute(trx);
  return rows;
}

export interface StoredProvider {
  readonly id: number;
  readonly enterprise_id: number;
  readonly name: string;
  readonly issuer: string;
  readonly client_id: string;
  readonly client_secret: Buffer | null;
  readonly scopes: string;
  readonly groups_claim: string;
  readonly email_domains: string[];
  readonly default_role_id: number | null;
  readonly makes_users: boolean;
  readonly has_mfa: boolean;
}

/** An enabled provider that may be used at a host: of the enterprise of its brand, or of one below; null: there is none. */
export function providerAt(
  pools: Pools<Database>,
  id: number,
  host: string,
): Promise<StoredProvider | null> {
  return scopedRead(pools.auth, beforeScope, async (trx) => {
    const { rows } = await sql<StoredProvider>`
      select p.* from identity_provider p join enterprise e on e.id = p.enterprise_id
      where p.id = ${id} and p.enabled and e.enabled
        and p.enterprise_id = any (weft.subtree(array[${enterpriseAt(host)}]))`.execute(trx);
    return rows[0] ?? null;
  });
}

/** Time that a person has at the provider. */
const loginLife = "10 minutes";
/** Logins that one address may begin in that time: an office shares an address. */
const maxStarts = 60;
const waitSeconds = 60;

export interface WaitingLogin {
  readonly provider_id: number;
  readonly enterprise_id: number;
  readonly issuer: string;
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
  readonly redirect_uri: string;
  readonly address: string;
  /** The person has to authenticate again. */
  readonly again: boolean;
}

/** The same, when its answer came. */
interface TakenLogin extends WaitingLogin {
  /** Whole seconds since it began. */
  readonly seconds: number;
}

/** Keeps a login that began, and gives its ticket. @throws Refusal tooManyTries */
export function keepLogin(pools: Pools<Database>, login: WaitingLogin): Promise<string> {
  const ticket = newToken();
  return inScope(pools.auth, beforeScope, async (trx) => {
    await sql`delete from identity_login where expires_at < now()`.execute(trx);
    const { rows } = await sql<{ n: number }>`
      select count(*)::int as n from identity_login where address = ${login.address}`.execute(trx);
    if ((rows[0]?.n ?? 0) >= maxStarts) refuse("tooManyTries", { seconds: waitSeconds });
    await trx
      .insertInto("identity_login")
      .values({
        ...login,
        ticket_hash: hashToken(ticket),
        expires_at: sql<Date>`now() + ${loginLife}::interval`,
      })
      .execute();
    return ticket;
  });
}

/** Takes a login that waits: it cannot be ended twice. null: there is none (any more). */
export function takeLogin(pools: Pools<Database>, ticket: string): Promise<TakenLogin | null> {
  return inScope(pools.auth, beforeScope, async (trx) => {
    const { rows } = await sql<TakenLogin>`
      delete from identity_login where ticket_hash = ${hashToken(ticket)} and expires_at > now()
      returning *, ceil(extract(epoch from now() - created_at))::int as seconds`.execute(trx);
    return rows[0] ?? null;
  });
}
