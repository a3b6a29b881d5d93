import type {
  identityProviderLink,
  identityProviderLinks,
} from "@weft/contract/domains/access/identity-provider.ts";
import type { InputOf, OutputOf } from "@weft/contract/kernel/endpoint.ts";
import { holds } from "@weft/contract/permissions.ts";
import { sql } from "kysely";
import {
  callerPermissions,
  exceedingUsers,
  firstUser,
  refuseStronger,
} from "#domains/access/role/public.ts";
import { notifyUser } from "#domains/access/session/public.ts";
import { missingPermission } from "#kernel/answer.ts";
import type { Context } from "#kernel/api.ts";
import { asRefusal } from "#kernel/database-errors.ts";
import { refuseField } from "#kernel/refuse.ts";
import { inCallerScope } from "#kernel/scope.ts";
import { lockProvider, readProvider } from "./store.ts";

/** Accounts in the caller's scope that are linked to people of a provider. */
export async function linksOf(
  ctx: Context,
  id: number,
): Promise<OutputOf<typeof identityProviderLinks>> {
  await readProvider(ctx, id);
  const { rows } = await sql<OutputOf<typeof identityProviderLinks>[number]>`
    select u.id as "userId", u.login_name as "loginName", e.name as "enterpriseName",
      i.subject, i.last_login_at as "lastLogin"
    from user_identity i join sys_user u on u.id = i.user_id join enterprise e on e.id = u.enterprise_id
    where i.provider_id = ${id} and ${inCallerScope(ctx, "u.enterprise_id", "u.created_by")}
    order by u.login_name limit 1000`.execute(ctx.db);
  return rows;
}

/**
 * Links an account to a person at the provider, or removes its link (subject empty). A user who writes the
 * provider decides who logs in to the account: the caller holds all that the account holds.
 */
export async function linkUser(
  ctx: Context,
  { id, userId, subject }: InputOf<typeof identityProviderLink>,
): Promise<{ enterpriseId: number; old: object; new: object }> {
  // The first user's password is the way in when a provider is wrong.
  if (userId === firstUser) refuseField("userId", "notAllowed");
  const provider = await lockProvider(ctx, id);
  const { rows } = await sql<{ enterprise_id: number; login_name: string; inside: boolean }>`
    with recursive below as (
      select id from enterprise where id = ${provider.groupid}
      union
      select e.id from enterprise e join below b on e.parent_id = b.id
    )
    select u.enterprise_id, u.login_name, u.enterprise_id in (select id from below) as inside
    from sys_user u where u.id = ${userId}
      and ${inCallerScope(ctx, "u.enterprise_id", "u.created_by")} for update of u`.execute(ctx.db);
  const [user] = rows;
  if (!user?.inside) return refuseField("userId", "unknown");
  // Whoever is linked logs in to the account, as whoever sets its password.
  if (userId !== ctx.caller.userId && !holds(ctx.caller, "sysUserResetPwd")) {
    throw missingPermission("sysUserResetPwd");
  }
  const stronger = await exceedingUsers(ctx, await callerPermissions(ctx), [userId]);
  if (stronger.has(userId)) refuseStronger();
  const { rows: old } = await sql<{ subject: string }>`
    delete from user_identity where provider_id = ${id} and user_id = ${userId}
    returning subject`.execute(ctx.db);
  if (subject !== "") await insertLink(ctx, id, userId, subject, provider.issuer, user);
  const { login_name: loginName } = user;
  const person = { userId, enterpriseId: user.enterprise_id };
  await notifyUser(ctx.db, person, "accountLinked", ctx.caller.address);
  return {
    enterpriseId: provider.groupid,
    old: { name: provider.name, loginName, subject: old[0]?.subject ?? "" },
    new: { name: provider.name, loginName, subject },
  };
}

async function insertLink(
  ctx: Context,
  providerId: number,
  userId: number,
  subject: string,
  issuer: string,
  { enterprise_id }: { readonly enterprise_id: number },
): Promise<void> {
  await ctx.db
    .insertInto("user_identity")
    .values({
      enterprise_id,
      user_id: userId,
      provider_id: providerId,
      issuer,
      subject,
      last_login_at: null,
    })
    .execute()
    .catch((error: unknown) => {
      const constraints = { user_identity_subject: { field: "subject" } };
      throw asRefusal(error, constraints, { subject }) ?? error;
    });
}
