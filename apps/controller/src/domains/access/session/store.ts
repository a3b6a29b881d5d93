import { type Selectable, sql, type Transaction } from "kysely";
import { holdLock, locks } from "#db/locks.ts";
import { inScope, type Pools, scopedRead } from "#db/pool.ts";
import type { Database } from "#db/schema.ts";
import type { Context } from "#kernel/api.ts";
import { refuse } from "#kernel/refuse.ts";
import { accountLaw, addressLaw, lockWindow, secondsToWait, type Tries } from "./rules.ts";
import { hashToken, lifetimes, newToken } from "./token.ts";

/** Login comes before there is a scope: it may ask about any account. */
const beforeScope = { kind: "all" } as const;

export interface Account {
  readonly id: number;
  readonly enterprise_id: number;
  readonly password_hash: string;
  /** Where a code reaches the person; null: nowhere. */
  readonly phone: string | null;
  /** False when it or its enterprise is disabled. */
  readonly usable: boolean;
}

export interface LoginTry {
  readonly loginName: string;
  readonly address: string;
  readonly userAgent: string;
}

/**
 * Admits a try, or refuses it with the seconds to wait. The try is recorded as failed before its
 * password is looked at; a success corrects the record.
 */
export function admitTry(
  pools: Pools<Database>,
  { loginName, address, userAgent }: LoginTry,
): Promise<{ recordId: number; account: Account | null }> {
  return inScope(pools.auth, beforeScope, async (trx) => {
    // One at a time, so that tries side by side count each other.
    await holdLock(trx, locks.logins);
    const seconds = await secondsOf(trx, loginName, address);
    if (seconds > 0) refuse("tooManyTries", { seconds });
    const account = await trx
      .selectFrom("sys_user as u")
      .innerJoin("enterprise as e", "e.id", "u.enterprise_id")
      .select(["u.id", "u.enterprise_id", "u.password_hash", "u.phone"])
      .select(sql<boolean>`u.enabled and e.enabled`.as("usable"))
      .where("u.login_name", "=", loginName)
      .executeTakeFirst();
    const record = await trx
      .insertInto("login_record")
      .values({
        enterprise_id: account?.enterprise_id ?? null,
        user_id: account?.id ?? null,
        login_name: loginName,
        address,
        agent: userAgent,
        success: false,
        reason: account ? (account.usable ? "password" : "disabled") : "unknown",
      })
      .returning("id")
      .executeTakeFirstOrThrow();
    return { recordId: record.id, account: account ?? null };
  });
}

/**
 * Admits a login by an identity provider, whose account is not known yet: only its address may have
 * to wait. It is recorded as failed until it is settled.
 */
export function admitProviderTry(
  pools: Pools<Database>,
  enterpriseId: number,
  loginName: string,
  { address, userAgent }: Pick<LoginTry, "address" | "userAgent">,
): Promise<number> {
  return inScope(pools.auth, beforeScope, async (trx) => {
    await holdLock(trx, locks.logins);
    const seconds = await secondsOf(trx, null, address);
    if (seconds > 0) refuse("tooManyTries", { seconds });
    const record = await trx
      .insertInto("login_record")
      .values({
        ...{ enterprise_id: enterpriseId, user_id: null, login_name: loginName, address },
        ...{ agent: userAgent, success: false, reason: "provider" },
      })
      .returning("id")
      .executeTakeFirstOrThrow();
    return record.id;
  });
}

/**
 * Says what became of a try whose password was right: it waits for a code (and counts as no
 * failure), or the code was wrong.
 */
export async function settleTry(
  pools: Pools<Database>,
  recordId: number,
  reason: "pending" | "code",
): Promise<void> {
  await inScope(pools.auth, beforeScope, (trx) =>
    trx.updateTable("login_record").set({ reason }).where("id", "=", recordId).execute(),
  );
}

/** Seconds until this account (null: any) may be tried from this address; 0: now. */
async function secondsOf(
  trx: Transaction<Database>,
  loginName: string | null,
  address: string,
): Promise<number> {
  const { rows } = await sql<{ account: Tries; address: Tries }>`
    with recent as (
      select login_name, address, success, at from login_record
      where at > now() - ${lockWindow}::interval and reason is distinct from 'pending'
        and (login_name = ${loginName}::text or address = ${address})
    ), mine as (
      select at from recent where login_name = ${loginName}::text and not success and at > coalesce(
        (select max(at) from recent where login_name = ${loginName}::text and success), '-infinity')
    ), here as (
      select at from recent where address = ${address} and not success
    )
    select
      (select json_build_object('failed', count(*),
         'secondsAgo', extract(epoch from now() - max(at))) from mine) as account,
      (select json_build_object('failed', count(*),
         'secondsAgo', extract(epoch from now() - max(at))) from here) as address`.execute(trx);
  const [tries] = rows;
  return tries
    ? Math.max(secondsToWait(tries.account, accountLaw), secondsToWait(tries.address, addressLaw))
    : 0;
}

/** Starts a session and corrects the record of the try. Returns the token, this once. @param hasMfa an identity provider asked for MFA */
export function startSession(
  pools: Pools<Database>,
  account: Pick<Account, "id" | "enterprise_id">,
  { address, userAgent }: Pick<LoginTry, "address" | "userAgent">,
  recordId: number,
  hasMfa = false,
): Promise<string> {
  const token = newToken();
  return inScope(pools.auth, { ...beforeScope, userId: account.id }, async (trx) => {
    await trx
      .updateTable("login_record")
      .set({ success: true, reason: null })
      .where("id", "=", recordId)
      .execute();
    await trx.deleteFrom("session").where("expires_at", "<", sql<Date>`now()`).execute();
    await trx
      .insertInto("session")
      .values({
        token_hash: hashToken(token),
        user_id: account.id,
        enterprise_id: account.enterprise_id,
        family: sql`gen_random_uuid()`,
        address,
        agent: userAgent,
        has_mfa: hasMfa,
        rotate_after: sql`now() + ${lifetimes.rotateAfter}::interval`,
        expires_at: sql`now() + ${lifetimes.idle}::interval`,
      })
      .execute();
    return token;
  });
}

/** Ends every token of the session's login. */
export async function endFamily(ctx: Context): Promise<void> {
  await ctx.db.deleteFrom("session").where("family", "=", ctx.caller.family).execute();
}

export type OwnAccount = Pick<
  Selectable<Database["sys_user"]>,
  "password_hash" | "login_name" | "name" | "phone"
>;

/** The caller's own account, locked against a second change of its password. */
export async function ownAccount(ctx: Context): Promise<OwnAccount> {
  const row = await ctx.db
    .selectFrom("sys_user")
    .select(["password_hash", "login_name", "name", "phone"])
    .where("id", "=", ctx.caller.userId)
    .forUpdate()
    .executeTakeFirst();
  return row ?? refuse("tokenInvalid");
}

/** The account of a login whose password was right; null: gone or disabled since. */
export function usableAccount(
  pools: Pools<Database>,
  userId: number,
): Promise<Pick<Account, "id" | "enterprise_id"> | null> {
  return scopedRead(pools.auth, beforeScope, async (trx) => {
    const row = await trx
      .selectFrom("sys_user as u")
      .innerJoin("enterprise as e", "e.id", "u.enterprise_id")
      .select(["u.id", "u.enterprise_id"])
      .where("u.id", "=", userId)
      .where("u.enabled", "=", true)
      .where("e.enabled", "=", true)
      .executeTakeFirst();
    return row ?? null;
  });
}

/** Sets the caller's password and ends all other sessions of the account. */
export async function setPassword(ctx: Context, passwordHash: string): Promise<void> {
  const { userId, family } = ctx.caller;
  await ctx.db
    .updateTable("sys_user")
    .set({ password_hash: passwordHash, updated_at: sql`now()` })
    .where("id", "=", userId)
    .execute();
  await ctx.db
    .deleteFrom("session")
    .where("user_id", "=", userId)
    .where("family", "!=", family)
    .execute();
}

/**
 * Keeps the same password under another hash, unless it was changed meanwhile: what was hashed at
 * lower cost is hashed again when its password is at hand.
 */
export function renewHash(
  pools: Pools<Database>,
  account: Pick<Account, "id" | "password_hash">,
  passwordHash: string,
): Promise<unknown> {
  return inScope(pools.auth, beforeScope, (trx) =>
    trx
      .updateTable("sys_user")
      .set({ password_hash: passwordHash })
      .where("id", "=", account.id)
      .where("password_hash", "=", account.password_hash)
      .execute(),
  );
}
