import { dataScope } from "@weft/contract/domains/access/enums.ts";
import { sql } from "kysely";
import { missingPermission } from "#kernel/answer.ts";
import type { Context } from "#kernel/api.ts";
import { refuse, refuseField } from "#kernel/refuse.ts";
import { inCallerScope } from "#kernel/scope.ts";
import { type Excess, excessOf, firstUser, type Grant, type HeldPermissions } from "./rules.ts";

/** By transaction. */
const known = new WeakMap<object, Promise<HeldPermissions>>();

/** What the caller holds, read once in the call's transaction. */
export function callerPermissions(ctx: Context): Promise<HeldPermissions> {
  const permissions = known.get(ctx.db) ?? readPermissions(ctx);
  known.set(ctx.db, permissions);
  return permissions;
}

async function readPermissions(ctx: Context): Promise<HeldPermissions> {
  const { userId, enterpriseId, roleType, authorities, scope } = ctx.caller;
  // A subtree is in reach only by a role of the caller's with that scope: an enterprise that has no
  // subordinates today may have some tomorrow.
  const { rows } = await sql<{ roles: number[]; subtrees: number[] }>`
    select array(select role_id from user_role where user_id = ${userId}) as roles,
      array(
        with recursive below as (
          select e.id from enterprise e where e.id = ${enterpriseId} and exists (
            select 1 from user_role ur join role r on r.id = ur.role_id
            where ur.user_id = ${userId} and r.data_scope = ${dataScope.ownAndSubordinate})
          union
          select e.id from enterprise e join below b on e.parent_id = b.id
        ) select id from below) as subtrees`.execute(ctx.db);
  const whole = scope.kind === "all";
  return {
    unlimited: userId === firstUser,
    roleType,
    authorities: new Set(authorities),
    roles: new Set(rows[0]?.roles),
    reach: {
      wholeTree: whole,
      ownOnly: !whole && scope.ownOnly,
      enterprises: new Set(whole ? [] : scope.ids),
      subtrees: new Set(rows[0]?.subtrees),
    },
  };
}

/** What roles give, by id. One that the caller does not see is not among them. */
async function grantsOf(
  ctx: Context,
  roleIds: readonly number[],
): Promise<ReadonlyMap<number, Grant>> {
  const { rows } = await sql<GrantRow>`
    select r.id, ${grantColumns(ctx)} from role r
    where r.id = any(${[...roleIds]}::bigint[])
      and ${inCallerScope(ctx, "r.enterprise_id", "r.created_by")}`.execute(ctx.db);
  return new Map(rows.map((row) => [row.id, toGrant(row)]));
}

export interface GrantRow {
  readonly id: number;
  readonly enterprise_id: number;
  readonly role_type: number;
  readonly data_scope: number;
  readonly permissions: string[];
  readonly beyond: boolean;
}

/** Columns of GrantRow besides the id, for a select from `role r`. */
export const grantColumns = (ctx: Context) => sql`
  r.enterprise_id, r.role_type, r.data_scope,
  array(select p.permission from role_permission p where p.role_id = r.id) as permissions,
  ${ctx.caller.scope.kind === "all" ? sql`false` : sql`weft.reaches_beyond(r.id)`} as beyond`;

export const toGrant = (row: GrantRow): Grant => ({
  enterpriseId: row.enterprise_id,
  roleType: row.role_type,
  dataScope: row.data_scope,
  authorities: row.permissions,
  beyond: row.beyond,
});

/**
 * Those of the users who hold more than the caller: he may look at them and write nothing, or a
 * change of their password or address would make their permissions his.
 */
export async function exceedingUsers(
  ctx: Context,
  permissions: HeldPermissions,
  userIds: readonly number[],
): Promise<ReadonlySet<number>> {
  if (permissions.unlimited || userIds.length === 0) return new Set();
  const { rows } = await sql<GrantRow & { readonly user_id: number; readonly seen: boolean }>`
    select ur.user_id, r.id is not null as seen, r.id, ${grantColumns(ctx)}
    from user_role ur left join role r on r.id = ur.role_id
      and ${inCallerScope(ctx, "r.enterprise_id", "r.created_by")}
    where ur.user_id = any(${[...userIds]}::bigint[])`.execute(ctx.db);
  // A role out of the caller's sight cannot be compared, so it counts as more.
  const exceeds = (row: (typeof rows)[number]): boolean =>
    !row.seen || excessOf(toGrant(row), permissions) !== null;
  return new Set([firstUser, ...rows.filter(exceeds).map((row) => row.user_id)]);
}

/** Those of the roles that give more than the caller holds. One out of sight counts as more. */
export async function exceedingRoles(
  ctx: Context,
  permissions: HeldPermissions,
  roleIds: readonly number[],
): Promise<ReadonlySet<number>> {
  if (permissions.unlimited || roleIds.length === 0) return new Set();
  const grants = await grantsOf(ctx, roleIds);
  return new Set(
    roleIds.filter((id) => {
      const grant = grants.get(id);
      return !grant || excessOf(grant, permissions) !== null;
    }),
  );
}

/**
 * Makes sure that users of the enterprise may be given these roles by the caller. A role of another
 * enterprise, one out of sight and one that is not there are refused alike.
 */
export async function requireAssignable(
  ctx: Context,
  permissions: HeldPermissions,
  roleIds: readonly number[],
  enterpriseId: number,
  field = "roleIds",
): Promise<void> {
  const grants = await grantsOf(ctx, roleIds);
  for (const id of roleIds) {
    const grant = grants.get(id);
    if (grant?.enterpriseId !== enterpriseId) refuseField(field, "unknown");
    if (excessOf(grant, permissions)) refuseField(field, "notAllowed");
  }
}

/** Ends the call: a role to be written would give more than the caller holds. */
export function refuseExcess(excess: Excess): never {
  if ("permission" in excess) throw missingPermission(excess.permission);
  refuseField(excess.field, "notAllowed");
}

/** Ends the call: what is to be written holds more than the caller already. */
export function refuseStronger(): never {
  refuse("notAllowedNow", {
    reason: ["对方的权限超出您的权限", "it has more permissions than you have"],
  });
}
