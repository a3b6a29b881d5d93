import { type Selectable, sql, type Transaction } from "kysely";
import { inScope, type Pools, scopedRead } from "#db/pool.ts";
import type { Database } from "#db/schema.ts";
import type { Context } from "#kernel/api.ts";
import { refuse } from "#kernel/refuse.ts";
import { hashToken, newToken } from "./token.ts";

const beforeScope = { kind: "all" } as const;

export type StoredPasskey = Selectable<Database["passkey"]>;
export type Challenge = Selectable<Database["passkey_challenge"]>;
type NewChallenge = Omit<Challenge, "ticket_hash" | "expires_at">;

/** Time that a user has to find the key. */
const challengeLife = "5 minutes";
/** Of one account. */
const maxPasskeys = 10;

/** Keeps a challenge and gives the ticket that it is answered with. */
export async function keepChallenge(
  trx: Transaction<Database>,
  challenge: NewChallenge,
): Promise<string> {
  const ticket = newToken();
  await sql`delete from passkey_challenge where expires_at < now()`.execute(trx);
  await trx
    .insertInto("passkey_challenge")
    .values({
      ...challenge,
      ticket_hash: hashToken(ticket),
      expires_at: sql<Date>`now() + ${challengeLife}::interval`,
    })
    .execute();
  return ticket;
}

/** The same before there is a session. */
export const keepChallengeApart = (
  pools: Pools<Database>,
  challenge: NewChallenge,
): Promise<string> => inScope(pools.auth, beforeScope, (trx) => keepChallenge(trx, challenge));

/** Takes a challenge: it cannot be answered twice. Null: there is none (any more). */
export async function takeChallenge(
  trx: Transaction<Database>,
  ticket: string,
  purpose: Challenge["purpose"],
): Promise<Challenge | null> {
  const { rows } = await sql<Challenge>`
    delete from passkey_challenge
    where ticket_hash = ${hashToken(ticket)} and purpose = ${purpose} and expires_at > now()
    returning *`.execute(trx);
  return rows[0] ?? null;
}

/** The same of a login: taken even when what follows fails. */
export const takeLoginChallenge = (
  pools: Pools<Database>,
  ticket: string,
): Promise<Challenge | null> =>
  inScope(pools.auth, beforeScope, (trx) => takeChallenge(trx, ticket, "login"));

/** Passkeys of an account that work under a host name. */
export const passkeysOf = (
  pools: Pools<Database>,
  userId: number,
  rpId: string,
): Promise<StoredPasskey[]> =>
  scopedRead(pools.auth, beforeScope, (trx) =>
    trx
      .selectFrom("passkey")
      .selectAll()
      .where("user_id", "=", userId)
      .where("rp_id", "=", rpId)
      .orderBy("id")
      .execute(),
  );

export const passkeysOfCaller = (ctx: Context): Promise<StoredPasskey[]> =>
  ctx.db
    .selectFrom("passkey")
    .selectAll()
    .where("user_id", "=", ctx.caller.userId)
    .orderBy("id")
    .execute();

type NewPasskey = Pick<
  StoredPasskey,
  "credential_id" | "public_key" | "counter" | "transports" | "rp_id" | "name"
>;

export async function addPasskey(ctx: Context, passkey: NewPasskey): Promise<void> {
  const { userId, enterpriseId } = ctx.caller;
  const mine = await passkeysOfCaller(ctx);
  if (mine.length >= maxPasskeys) {
    refuse("notAllowedNow", { reason: ["通行密钥最多 10 个", "at most ten passkeys"] });
  }
  const { rows } = await sql`
    insert into passkey (enterprise_id, user_id, credential_id, public_key, counter, transports, rp_id, name)
    values (${enterpriseId}, ${userId}, ${passkey.credential_id}, ${passkey.public_key},
      ${passkey.counter}, ${passkey.transports}::text[], ${passkey.rp_id}, ${passkey.name})
    on conflict (credential_id) do nothing returning id`.execute(ctx.db);
  if (rows.length === 0) refuse("badPasskey");
}

export async function removePasskey(ctx: Context, credential: string): Promise<void> {
  const { numDeletedRows } = await ctx.db
    .deleteFrom("passkey")
    .where("user_id", "=", ctx.caller.userId)
    .where("credential_id", "=", credential)
    .executeTakeFirst();
  if (numDeletedRows === 0n) refuse("notFound");
}

/** Records a use. False: the counter went down, as it does when a key was copied. */
export function notePasskeyUse(
  pools: Pools<Database>,
  { id }: StoredPasskey,
  counter: number,
): Promise<boolean> {
  return inScope(pools.auth, beforeScope, async (trx) => {
    const { rows } = await sql`
      update passkey set counter = ${counter}, last_used_at = now()
      where id = ${id} and (counter < ${counter} or (counter = 0 and ${counter} = 0))
      returning id`.execute(trx);
    return rows.length > 0;
  });
}
