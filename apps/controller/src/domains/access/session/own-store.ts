import type { userSessions } from "@weft/contract/domains/access/factors.ts";
import type { OutputOf } from "@weft/contract/kernel/endpoint.ts";
import { sql } from "kysely";
import type { Context } from "#kernel/api.ts";
import { refuse, refuseField } from "#kernel/refuse.ts";
import { admitOwn, forgiveOwn } from "./own-tries.ts";
import { passwordFits } from "./password.ts";
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

/** The same where the form may have left it out; shown at its field. */
export const provePassword = async (ctx: Context, password: string | null): Promise<void> => {
  await requireOwnPassword(ctx, password ?? refuseField("oldPsw", "required"));
};

/**
 * Ends the call unless this is the caller's password. Wrong ones delay the next, as wrong logins
 * do: a stolen session must not be a place to guess passwords.
 */
export async function requireOwnPassword(ctx: Context, password: string): Promise<OwnAccount> {
  admitOwn(ctx.caller);
  const own = await ownAccount(ctx);
  if (!(await passwordFits(own.password_hash, password))) refuse("oldPassword");
  forgiveOwn(ctx.caller);
  return own;
}
