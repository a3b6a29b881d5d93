import type { userSessions } from "@weft/contract/domains/access/factors.ts";
import type { OutputOf } from "@weft/contract/kernel/endpoint.ts";
import { sql } from "kysely";
import { inScope, type Pools } from "#db/pool.ts";
import type { Database } from "#db/schema.ts";
import type { Caller, Context, VerifyOwnPassword } from "#kernel/api.ts";
import { requirePerson } from "#kernel/mount.ts";
import { Refusal, refuse, refuseField } from "#kernel/refuse.ts";
import { admitPasswordTry, clearPasswordTries } from "./own-tries.ts";
import { passwordFits } from "./password.ts";
import { placeOf } from "./place.ts";
import { type OwnAccount, ownAccount } from "./store.ts";
import { lifetimes } from "./token.ts";

/** Logins of the caller that are still open, this one first. A token is valid for ten minutes. */
export async function sessionsOf({ caller, db }: Context): Promise<OutputOf<typeof userSessions>> {
  const { rows } = await sql<OutputOf<typeof userSessions>[number]>`
    select family::text as session, min(created_at) as "createTime",
      (array_agg(address order by expires_at desc))[1] as ip,
      (array_agg(agent order by expires_at desc))[1] as agent,
      max(expires_at) - ${lifetimes.idle}::interval as "lastUsed",
      family = ${caller.family}::uuid as current
    from session
    where user_id = ${caller.userId} and expires_at > now() and isfinite(rotate_after)
      and created_at > now() - ${lifetimes.longest}::interval
    group by family order by current desc, "lastUsed" desc limit 100`.execute(db);
  return rows;
}

/** Ends one of the caller's logins. */
export async function endSessionOf(ctx: Context, session: string): Promise<void> {
  const { numDeletedRows } = await ctx.db
    .deleteFrom("session")
    .where("user_id", "=", ctx.caller.userId)
    .where("family", "=", session)
    .executeTakeFirst();
  if (numDeletedRows === 0n) refuse("notFound");
}

/**
 * Ends the call unless the caller proves to be the person of the session (`Context.verifyOwnPassword`): by the password, else by
 * having authenticated at an identity provider just before, since its people have no password here. Refusals are shown at the field.
 */
export const verifyOwnPassword: VerifyOwnPassword = async (ctx, password) => {
  const { providerLogin } = ctx.caller;
  requirePerson(ctx.caller);
  if (password === null) {
    if (providerLogin?.isFresh) return;
    refuseField("oldPsw", providerLogin === null ? "required" : "loginAgain");
  }
  admitPasswordTry(ctx.caller);
  const issues = [{ path: "oldPsw", rule: "wrongPassword", params: {} }] as const;
  const wrong = new Refusal("oldPassword", {}, issues);
  await requireFit(ctx, await ownHash(ctx), password, wrong);
};

/**
 * Ends the call unless this is the caller's password. Wrong ones delay the next and are in the login log, as wrong logins
 * are: a stolen session must not be a place to guess passwords.
 */
export async function requireOwnPassword(ctx: Context, password: string): Promise<OwnAccount> {
  admitPasswordTry(ctx.caller);
  const own = await ownAccount(ctx);
  await requireFit(ctx, own.password_hash, password, new Refusal("oldPassword", {}, []));
  return own;
}

/** The same before something that stops a site: the caller's account may be out of the data scope. */
export async function confirmByPassword(ctx: Context, password: string): Promise<void> {
  admitPasswordTry(ctx.caller);
  await requireFit(ctx, await ownHash(ctx), password, new Refusal("wrongPassword", {}, []));
}

/** Whatever the scope of the call. */
async function ownHash({ db }: Context): Promise<string | null> {
  const { rows } = await sql<{ hash: string | null }>`
    select weft.own_password_hash() as hash`.execute(db);
  return rows[0]?.hash ?? null;
}

async function requireFit(
  ctx: Context,
  hash: string | null,
  password: string,
  wrong: Refusal,
): Promise<void> {
  if (await passwordFits(hash, password)) {
    clearPasswordTries(ctx.caller);
    return;
  }
  const { caller } = ctx;
  ctx.afterRefusal(({ pools }) => recordWrongPassword(pools, caller));
  throw wrong;
}

/** In the login log; it counts for the next login to the account from there as well. */
async function recordWrongPassword(pools: Pools<Database>, caller: Caller): Promise<void> {
  await inScope(pools.apiAll, { kind: "all" }, (trx) =>
    trx
      .insertInto("login_record")
      .values({
        enterprise_id: caller.enterpriseId,
        user_id: caller.userId,
        login_name: caller.loginName,
        address: caller.address,
        ...placeOf(caller.address),
        agent: caller.userAgent,
        success: false,
        reason: "session",
      })
      .execute(),
  );
}
