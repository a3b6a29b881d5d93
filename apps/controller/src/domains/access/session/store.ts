import { type Selectable, sql, type Transaction } from "kysely";
import { holdLock, locks } from "#db/locks.ts";
import { inScope, type Pools, scopedRead } from "#db/pool.ts";
import type { Database } from "#db/schema.ts";
import type { Api, Context } from "#kernel/api.ts";
import { refuse } from "#kernel/refuse.ts";
import { knownDeviceOf } from "./device.ts";
import { type Place, placeOf } from "./place.ts";
import {
  addressDelay,
  knownFor,
  type LoginHistory,
  lockWindow,
  secondsToLogin,
  secondsToWait,
  type Tries,
} from "./rules.ts";
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
  /** What the device got at an earlier login; null: nothing. */
  readonly device: string | null;
}

/** A try before it is admitted. */
interface CheckedTry {
  readonly account: Account | null;
  readonly history: LoginHistory;
  /** Id of the device, when it has proved to have logged in to the account before. */
  readonly deviceId: string | null;
}

/** What is known of a try before it is admitted. @throws Refusal tooManyTries with the seconds to wait */
export function readLoginTry(
  api: Pick<Api, "pools" | "vault">,
  given: LoginTry,
): Promise<CheckedTry> {
  return scopedRead(api.pools.auth, beforeScope, (trx) => readTry(trx, api.vault, given));
}

async function readTry(
  trx: Transaction<Database>,
  vault: Api["vault"],
  { loginName, address, device }: LoginTry,
): Promise<CheckedTry> {
  const account =
    (await trx
      .selectFrom("sys_user as u")
      .innerJoin("enterprise as e", "e.id", "u.enterprise_id")
      .select(["u.id", "u.enterprise_id", "u.password_hash", "u.phone"])
      .select(sql<boolean>`u.enabled and e.enabled`.as("usable"))
      .where("u.login_name", "=", loginName)
      .executeTakeFirst()) ?? null;
  const deviceId = account && device ? knownDeviceOf(vault, account.id, device) : null;
  const history = await historyOf(trx, loginName, placeOf(address), deviceId);
  const seconds = secondsToLogin(history);
  if (seconds > 0) refuse("tooManyTries", { seconds });
  return { account, history, deviceId };
}

/**
 * Admits a try, or refuses it with the seconds to wait. The try is recorded as failed before its
 * password is looked at; a success corrects the record.
 */
export function admitTry(
  { pools, vault }: Pick<Api, "pools" | "vault">,
  given: LoginTry,
): Promise<{ recordId: number; account: Account | null; deviceId: string | null }> {
  const { loginName, address, userAgent } = given;
  return inScope(pools.auth, beforeScope, async (trx) => {
    // One at a time, so that tries side by side count each other.
    await holdLock(trx, locks.logins);
    const { account, history, deviceId } = await readTry(trx, vault, given);
    const record = await trx
      .insertInto("login_record")
      .values({
        enterprise_id: account?.enterprise_id ?? null,
        user_id: account?.id ?? null,
        login_name: loginName,
        address,
        ...placeOf(address),
        device: deviceId,
        stranger: !history.isKnownPlace && !history.isKnownDevice,
        agent: userAgent,
        success: false,
        reason: account ? (account.usable ? "password" : "disabled") : "unknown",
      })
      .returning("id")
      .executeTakeFirstOrThrow();
    return { recordId: record.id, account, deviceId };
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
    const seconds = secondsToWait(await failuresAt(trx, placeOf(address)), addressDelay);
    if (seconds > 0) refuse("tooManyTries", { seconds });
    const record = await trx
      .insertInto("login_record")
      .values({
        enterprise_id: enterpriseId,
        user_id: null,
        login_name: loginName,
        address,
        ...placeOf(address),
        agent: userAgent,
        success: false,
        reason: "provider",
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
export async function setTryReason(
  pools: Pools<Database>,
  recordId: number,
  reason: "pending" | "code",
): Promise<void> {
  await inScope(pools.auth, beforeScope, (trx) =>
    trx.updateTable("login_record").set({ reason }).where("id", "=", recordId).execute(),
  );
}

const recent = sql`at > now() - ${lockWindow}::interval and reason is distinct from 'pending'`;
const triesAs = sql`json_build_object('failed', count(*),
  'secondsAgo', extract(epoch from now() - max(at)))`;

async function failuresAt(trx: Transaction<Database>, { place }: Place): Promise<Tries> {
  const { rows } = await sql<{ tries: Tries }>`
    select ${triesAs} as tries from login_record
    where place = ${place} and not success and ${recent}`.execute(trx);
  return rows[0]?.tries ?? { failed: 0, secondsAgo: null };
}

/** Earlier tries that count for one more, of an account from a place or by a device. */
async function historyOf(
  trx: Transaction<Database>,
  loginName: string,
  { place, network }: Place,
  deviceId: string | null,
): Promise<LoginHistory> {
  const isOwn =
    deviceId === null ? sql<boolean>`place = ${place}` : sql<boolean>`device = ${deviceId}`;
  const { rows } = await sql<Omit<LoginHistory, "isKnownDevice">>`
    with tries as (
      select place, network, device, success, stranger, at from login_record
      where login_name = ${loginName} and ${recent}
    )
    select
      (select ${triesAs} from tries where ${isOwn} and not success and at > coalesce(
        (select max(at) from tries where ${isOwn} and success), '-infinity')) as own,
      (select ${triesAs} from login_record
        where place = ${place} and not success and ${recent}) as place,
      (select ${triesAs} from tries where stranger and not success) as strangers,
      (select count(*)::int from tries
        where stranger and not success and at > now() - interval '1 minute') as "lastMinute",
      (select count(*)::int from tries where network = ${network} and not success) as network,
      exists (select from login_record where login_name = ${loginName} and place = ${place}
        and success and at > now() - ${knownFor}::interval) as "isKnownPlace"`.execute(trx);
  const [found] = rows;
  if (!found) throw new Error("a query without a table gave no row");
  return { ...found, isKnownDevice: deviceId !== null };
}

/** A login by an identity provider. */
export interface ProviderLogin {
  readonly id: number;
  /** When the person last authenticated there, in seconds since 1970; null: the provider does not say so. */
  readonly authTime: number | null;
  /** The provider asked for MFA. */
  readonly hasMfa: boolean;
}

/** Seconds that the clock of an identity provider may be ahead. */
const clockTolerance = 60;

/**
 * A time that has not come yet says nothing; one by a clock that is little ahead is now. Compared as numbers: providers send
 * milliseconds and what else no timestamp holds, and their people log in all the same.
 */
const authenticatedAt = (authTime: number | null) =>
  sql<Date | null>`(select to_timestamp(least(at, extract(epoch from now())::double precision))
    from (values (${authTime}::double precision)) as said (at)
    where at <= extract(epoch from now()) + ${clockTolerance}::int)`;

/** Starts a session and corrects the record of the try. Returns the token, this once. @param provider null: a login with a password */
export function startSession(
  pools: Pools<Database>,
  account: Pick<Account, "id" | "enterprise_id">,
  { address, userAgent }: Pick<LoginTry, "address" | "userAgent">,
  recordId: number,
  provider: ProviderLogin | null,
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
        has_mfa: provider?.hasMfa ?? false,
        by_provider: provider !== null,
        provider_id: provider?.id ?? null,
        authenticated_at: authenticatedAt(provider?.authTime ?? null),
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
