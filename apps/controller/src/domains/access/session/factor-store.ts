import { sql, type Transaction } from "kysely";
import { inScope, type Pools, scopedRead } from "#db/pool.ts";
import type { Database } from "#db/schema.ts";
import type { Context } from "#kernel/api.ts";
import { refuse } from "#kernel/refuse.ts";
import { type Resealed, resealAll, type Vault } from "#kernel/vault.ts";
import { hashRecoveryCode, newRecoveryCodes, plainRecoveryCode } from "./recovery-codes.ts";
import { secondsToWait, type Tries } from "./rules.ts";
import { totpStep } from "./totp.ts";

const beforeScope = { kind: "all" } as const;

/** MFA methods that an account has. */
export interface Factors {
  readonly totp: boolean;
  readonly passkeys: number;
  readonly recoveryLeft: number;
}

/** Who has the password guesses codes: at some time an hour between two tries. */
const codeLaw = { free: 10, maxSeconds: 3600 };

export const totpOf = (userId: number): string => `totp:${userId}`;

async function readFactors(trx: Transaction<Database>, userId: number): Promise<Factors> {
  const { rows } = await sql<Factors>`
    select exists (select from totp where user_id = ${userId} and confirmed_at is not null) as totp,
      (select count(*) from passkey where user_id = ${userId}) as passkeys,
      (select count(*) from recovery_code where user_id = ${userId} and used_at is null)
        as "recoveryLeft"`.execute(trx);
  return rows[0] ?? { totp: false, passkeys: 0, recoveryLeft: 0 };
}

export const factorsOfCaller = (ctx: Context): Promise<Factors> =>
  readFactors(ctx.db, ctx.caller.userId);

/** MFA methods of an account that logs in. */
export const factorsOf = (pools: Pools<Database>, userId: number): Promise<Factors> =>
  scopedRead(pools.auth, beforeScope, (trx) => readFactors(trx, userId));

/** True: the account has an MFA method, so that its recovery codes have a use. */
export const hasFactor = ({ totp, passkeys }: Pick<Factors, "totp" | "passkeys">): boolean =>
  totp || passkeys > 0;

interface CodeTry {
  readonly userId: number;
  /** Of the attempt in the login log. */
  readonly recordId: number;
  readonly typed: string;
}

/**
 * Uses a code up: of the authenticator app (each time step once) or a recovery code (once).
 * @throws Refusal tooManyTries when too many were wrong since the last login.
 */
export function useFactorCode(
  pools: Pools<Database>,
  vault: Vault,
  { userId, recordId, typed }: CodeTry,
): Promise<"totp" | "recovery" | null> {
  return inScope(pools.auth, beforeScope, async (trx) => {
    await refuseGuessing(trx, userId, recordId);
    const recovery = plainRecoveryCode(typed);
    if (recovery !== null) {
      const used = await trx
        .updateTable("recovery_code")
        .set({ used_at: sql<Date>`now()` })
        .where("user_id", "=", userId)
        .where("code_hash", "=", hashRecoveryCode(recovery))
        .where("used_at", "is", null)
        .executeTakeFirst();
      return used.numUpdatedRows > 0n ? "recovery" : null;
    }
    return (await useTotp(trx, vault, userId, typed, true)) ? "totp" : null;
  });
}

/**
 * Strangers share one count, or many places would guess many codes. A device or a place that logged in before has one of
 * its own: who knows the password and guesses codes elsewhere must not keep the person out.
 */
async function refuseGuessing(
  trx: Transaction<Database>,
  userId: number,
  recordId: number,
): Promise<void> {
  const { rows } = await sql<{ tries: Tries }>`
    select json_build_object('failed', count(*),
      'secondsAgo', extract(epoch from now() - max(l.at))) as tries
    from login_record l, (select stranger, device, place from login_record where id = ${recordId}) own
    where l.user_id = ${userId} and l.reason = 'code' and l.at > now() - interval '1 day'
      and case when own.stranger then l.stranger
        when own.device is not null then l.device = own.device
        else l.place = own.place and l.device is null end
      and l.at > coalesce((select max(s.at) from login_record s
        where s.user_id = ${userId} and s.success), '-infinity')`.execute(trx);
  const seconds = rows[0] ? secondsToWait(rows[0].tries, codeLaw) : 0;
  if (seconds > 0) refuse("tooManyTries", { seconds });
}

/** Uses up the time step of a code. @param confirmed whether the secret was confirmed before */
async function useTotp(
  trx: Transaction<Database>,
  vault: Vault,
  userId: number,
  code: string,
  confirmed: boolean,
): Promise<boolean> {
  const row = await trx
    .selectFrom("totp")
    .select(["secret", "last_step"])
    .where("user_id", "=", userId)
    .where("confirmed_at", confirmed ? "is not" : "is", null)
    .forUpdate()
    .executeTakeFirst();
  const secret = row && vault.open(row.secret, totpOf(userId));
  if (!row || !secret) return false;
  const step = totpStep(secret, code.trim(), Date.now());
  if (step === null || step <= row.last_step) return false;
  await trx
    .updateTable("totp")
    .set({ last_step: step, confirmed_at: sql<Date>`coalesce(confirmed_at, now())` })
    .where("user_id", "=", userId)
    .execute();
  return true;
}

/** Keeps a new secret that is not confirmed yet, in place of an earlier such one. */
export async function keepTotp(ctx: Context, sealed: Buffer): Promise<void> {
  const { userId, enterpriseId } = ctx.caller;
  const { rows } = await sql`
    insert into totp (user_id, enterprise_id, secret) values (${userId}, ${enterpriseId}, ${sealed})
    on conflict (user_id) do update set secret = excluded.secret, created_at = now()
    where totp.confirmed_at is null returning user_id`.execute(ctx.db);
  if (rows.length === 0) {
    refuse("notAllowedNow", {
      reason: ["验证器已设置，先删除", "there is one already; delete it first"],
    });
  }
}

/** Confirms the secret by a code of it. */
export async function confirmTotp(ctx: Context, vault: Vault, code: string): Promise<void> {
  if (!(await useTotp(ctx.db, vault, ctx.caller.userId, code, false))) refuse("badCode");
}

/** Puts the secrets of all authenticator apps under another key. @param trx of the owner */
export async function resealTotp(
  trx: Transaction<Database>,
  from: Vault,
  to: Vault,
): Promise<Resealed> {
  const rows = await trx
    .selectFrom("totp")
    .select(["user_id", "secret"])
    .orderBy("user_id")
    .forUpdate()
    .execute();
  const values = rows.map(({ user_id: userId, secret: sealed }) => ({
    sealed,
    of: totpOf(userId),
    store: (resealed: Buffer) =>
      trx.updateTable("totp").set({ secret: resealed }).where("user_id", "=", userId).execute(),
  }));
  return resealAll(values, from, to);
}

export async function removeTotp(ctx: Context): Promise<void> {
  const { numDeletedRows } = await ctx.db
    .deleteFrom("totp")
    .where("user_id", "=", ctx.caller.userId)
    .where("confirmed_at", "is not", null)
    .executeTakeFirst();
  if (numDeletedRows === 0n) refuse("notFound");
}

/** New recovery codes in place of all earlier ones; shown this once. */
export async function renewRecoveryCodes(ctx: Context): Promise<string[]> {
  const { userId, enterpriseId } = ctx.caller;
  const codes = newRecoveryCodes();
  const hashes = codes.map((code) => hashRecoveryCode(plainRecoveryCode(code) ?? ""));
  await removeRecoveryCodes(ctx);
  await sql`insert into recovery_code (enterprise_id, user_id, code_hash)
    select ${enterpriseId}, ${userId}, unnest(${hashes}::bytea[])`.execute(ctx.db);
  return codes;
}

export async function removeRecoveryCodes(ctx: Context): Promise<void> {
  await ctx.db.deleteFrom("recovery_code").where("user_id", "=", ctx.caller.userId).execute();
}

/** Whether a role or the password policy requires MFA of the caller. */
export async function isDemanded({ caller, db }: Context): Promise<boolean> {
  const { rows } = await sql<{ demanded: boolean }>`
    select '8+MFA' = any (weft.password_policies(${caller.enterpriseId}))
      or exists (select from user_role ur join role r on r.id = ur.role_id
        where ur.user_id = ${caller.userId} and r.demands_factor) as demanded`.execute(db);
  return rows[0]?.demanded ?? false;
}
