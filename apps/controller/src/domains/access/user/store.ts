import { randomBytes } from "node:crypto";
import { type user, userSetters } from "@weft/contract/domains/access/user.ts";
import type { DraftOf } from "@weft/contract/kernel/resource.ts";
import { type RawBuilder, type Selectable, type SqlBool, sql } from "kysely";
import type { Database } from "#db/schema.ts";
import {
  callerPermissions,
  exceedingUsers,
  refuseStronger,
  requireAssignable,
} from "#domains/access/role/public.ts";
import {
  contactFields,
  hashPassword,
  notifyUser,
  recordContactChange,
  requirePassword,
  revokeKeysOf,
  voidOwnUndo,
} from "#domains/access/session/public.ts";
import type { AuditEntry, Context, Site } from "#kernel/api.ts";
import { asRefusal, type Constraints } from "#kernel/database-errors.ts";
import { requireSetters } from "#kernel/field-setters.ts";
import { refuse, refuseField } from "#kernel/refuse.ts";
import type { ListedRow, ListQuery, Store, StoredRow, WrittenRow } from "#kernel/resource-store.ts";
import { storedVersion, versionText } from "#kernel/row-version.ts";
import { inCallerScope, requireEnterprise } from "#kernel/scope.ts";
import { contains } from "#kernel/table-store.ts";

type Draft = DraftOf<typeof user>;
type Row = ListedRow<typeof user>;
type Columns = Omit<Selectable<Database["sys_user"]>, "password_hash">;
type Stored = Columns & { readonly role_ids: number[] };

interface Listed extends Stored {
  readonly enterprise_name: string | null;
  readonly creator: string | null;
  readonly role_names: string | null;
  readonly last_login: Date | null;
}

// Login names are unique in the whole installation, so "taken" may be about a foreign user: it says
// that and nothing else.
const constraints: Constraints = { sys_user_login_name_key: { field: "loginName" } };

const unknownPasswordBytes = 32;

const sortColumns = {
  userId: "u.id",
  loginName: "u.login_name",
  createTime: "u.created_at",
} as const;

// Every column by name: the hash stays where it is.
const columns = sql`
  u.id, u.enterprise_id, u.login_name, u.name, u.phone, u.email, u.remark, u.enabled,
  u.phone_confirmed_at, u.email_confirmed_at,
  u.created_by, u.created_at, u.updated_at, u.row_version,
  array(select ur.role_id from user_role ur where ur.user_id = u.id order by ur.role_id) as role_ids`;

const mine = (ctx: Context) => inCallerScope(ctx, "u.enterprise_id", "u.created_by");

const matching = (ctx: Context, query: ListQuery<typeof user>) => {
  const parts = [mine(ctx)];
  if (query.loginName) parts.push(contains(sql.ref("u.login_name"), query.loginName));
  if (query.groupid !== null) parts.push(sql`u.enterprise_id = ${query.groupid}`);
  if (query.enable !== null) parts.push(sql`u.enabled = ${query.enable}`);
  return sql<SqlBool>`${sql.join(parts, sql` and `)}`;
};

const select = (where: RawBuilder<SqlBool>, rest: RawBuilder<unknown>) => sql<Listed>`
  select ${columns}, e.name as enterprise_name, c.login_name as creator,
    (select string_agg(r.name, ', ' order by r.name)
     from user_role ur join role r on r.id = ur.role_id where ur.user_id = u.id) as role_names,
    (select max(l.at) from login_record l where l.user_id = u.id and l.success) as last_login
  from sys_user u
  left join enterprise e on e.id = u.enterprise_id
  left join sys_user c on c.id = u.created_by
  where ${where} ${rest}`;

async function list(ctx: Context, query: ListQuery<typeof user>) {
  const column = sortColumns[(query.orderByColumn ?? "userId") as keyof typeof sortColumns];
  const where = matching(ctx, query);
  const page = sql`
    order by ${sql.ref(column)} ${sql.raw(query.isAsc === "desc" ? "desc" : "asc")}, u.id
    limit ${query.limit} offset ${(query.page - 1) * query.limit}`;
  const [selected, total] = await Promise.all([
    select(where, page).execute(ctx.db),
    sql<{ n: number }>`select count(*) as n from sys_user u where ${where}`.execute(ctx.db),
  ]);
  return { rows: await toRows(ctx, selected.rows), count: total.rows[0]?.n ?? 0 };
}

/** The caller's own row; asked in a transaction over the whole tree. */
export async function ownRow(ctx: Context): Promise<Row> {
  const selected = await select(sql`u.id = ${ctx.caller.userId}`, sql``).execute(ctx.db);
  const [row] = await toRows(ctx, selected.rows);
  return row ?? refuse("tokenInvalid");
}

async function toRows(ctx: Context, rows: readonly Listed[]): Promise<Row[]> {
  const ids = rows.map((row) => row.id);
  const stronger = await exceedingUsers(ctx, await callerPermissions(ctx), ids);
  return rows.map((row) => ({
    userId: row.id,
    rowVersion: versionText(row.row_version),
    ...toDraft(row),
    enterpriseName: row.enterprise_name ?? "",
    roleNames: row.role_names ?? "",
    phoneConfirmed: row.phone_confirmed_at !== null,
    emailConfirmed: row.email_confirmed_at !== null,
    enable: row.enabled,
    lastLogin: row.last_login,
    createTime: row.created_at,
    createBy: row.creator,
    manageable: !stronger.has(row.id),
  }));
}

const toDraft = (row: Stored): Draft => ({
  loginName: row.login_name,
  name: row.name,
  groupid: row.enterprise_id,
  roleIds: row.role_ids,
  phone: row.phone,
  email: row.email,
  remark: row.remark,
});

/** Users of these ids, locked. Refuses those out of scope, and those who hold more than the caller. */
async function locked(ctx: Context, ids: readonly number[]): Promise<Stored[]> {
  // Side by side: what their roles give is read behind the lock.
  const [{ rows }, stronger] = await Promise.all([
    sql<Stored>`
      select ${columns} from sys_user u
      where u.id = any(${[...ids]}::bigint[]) and ${mine(ctx)}
      order by u.id for update of u`.execute(ctx.db),
    callerPermissions(ctx).then((permissions) => exceedingUsers(ctx, permissions, ids)),
  ]);
  if (rows.length !== ids.length) refuse("notFound");
  if (ids.some((id) => stronger.has(id))) refuseStronger();
  return rows;
}

async function lockedOne(ctx: Context, id: number): Promise<Stored> {
  const [row] = await locked(ctx, [id]);
  return row ?? refuse("notFound");
}

/** Users cannot lock themselves out, user 1 least of all: only user 1 may write user 1. */
function refuseOwnAccount(ctx: Context, ids: readonly number[]): void {
  if (!ids.includes(ctx.caller.userId)) return;
  refuse("notAllowedNow", { reason: ["这是您自己的账号", "it is your own account"] });
}

const valuesOf = (draft: Draft) => ({
  login_name: draft.loginName,
  name: draft.name,
  enterprise_id: draft.groupid,
  phone: draft.phone,
  email: draft.email,
  remark: draft.remark,
});

const tidy = (draft: Draft): Draft => ({
  ...draft,
  roleIds: [...new Set(draft.roleIds)].sort((a, b) => a - b),
});

/** Adds a user; one without a password can log in once it is set (resetPwd). */
async function add(
  ctx: Context,
  { password, ...given }: Draft & { readonly password?: string | null },
): Promise<StoredRow> {
  const draft = tidy(given);
  await requireEnterprise(ctx, draft.groupid, "groupid");
  await requireAssignable(ctx, await callerPermissions(ctx), draft.roleIds, draft.groupid);
  if (password != null) {
    const own = [draft.loginName, draft.name, draft.phone];
    await requirePassword(ctx, "password", password, { enterpriseId: draft.groupid, own });
  }
  const nobodyKnows = randomBytes(unknownPasswordBytes).toString("base64url");
  const password_hash = await hashPassword(password ?? nobodyKnows);
  const { id } = await ctx.db
    .insertInto("sys_user")
    .values({ ...valuesOf(draft), password_hash, created_by: ctx.caller.userId })
    .returning("id")
    .executeTakeFirstOrThrow()
    .catch((error: unknown) => explain(error, draft));
  await writeRoles(ctx, id, draft);
  const versions = { old: null, new: await storedVersion(ctx, "sys_user", id) };
  return { id, enterpriseId: draft.groupid, old: null, new: draft, versions };
}

/**
 * Changes a user. One's own account keeps its enterprise and its roles; login names, phone numbers and
 * addresses of others need the permission to reset a password.
 */
async function edit(ctx: Context, site: Site, id: number, given: Draft): Promise<StoredRow> {
  // Refused only after what is about the user itself.
  const place = requireEnterprise(ctx, given.groupid, "groupid");
  place.catch(() => undefined);
  const stored = await lockedOne(ctx, id);
  const old = toDraft(stored);
  const draft = tidy(given);
  const isOwn = id === ctx.caller.userId;
  const changed = await requireSetters(ctx, userSetters, { old, now: draft }, { isOwn });
  const moves = draft.groupid !== old.groupid;
  const changesRoles = moves || draft.roleIds.join() !== old.roleIds.join();
  await place;
  if (changesRoles) {
    await requireMfaDemand(ctx, old, draft);
    if (id === ctx.caller.userId) refuseField(moves ? "groupid" : "roleIds", "notAllowed");
    await requireAssignable(ctx, await callerPermissions(ctx), draft.roleIds, draft.groupid);
    // Before the user moves: a role of the old enterprise cannot come along.
    await ctx.db.deleteFrom("user_role").where("user_id", "=", id).execute();
  }
  if (moves) await endSessions(ctx, id);
  const contact = contactFields.filter((field) => changed.includes(field));
  if (contact.length > 0) await recordContactChange(ctx, site, stored, contact);
  const { row_version } = await ctx.db
    .updateTable("sys_user")
    .set({ ...valuesOf(draft), updated_at: sql`now()` })
    .where("id", "=", id)
    .returning("row_version")
    .executeTakeFirstOrThrow()
    .catch((error: unknown) => explain(error, draft));
  if (changesRoles) await writeRoles(ctx, id, draft);
  const now = changesRoles ? await storedVersion(ctx, "sys_user", id) : row_version;
  const versions = { old: stored.row_version, new: now };
  return { id, enterpriseId: draft.groupid, old, new: draft, versions };
}

/** Other roles, or another enterprise, may demand MFA no more: that is set by users who have it. */
async function requireMfaDemand(ctx: Context, old: Draft, now: Draft): Promise<void> {
  if (ctx.caller.hasMfa) return;
  const { rows } = await sql<{ was: boolean; is: boolean }>`
    select ${demandsMfa(old)} as was, ${demandsMfa(now)} as is`.execute(ctx.db);
  const field = old.groupid === now.groupid ? "roleIds" : "groupid";
  if (rows[0]?.was && !rows[0].is) refuseField(field, "mfaNeeded");
}

const demandsMfa = ({ groupid, roleIds }: Draft) => sql<boolean>`
  ('8+MFA' = any (weft.password_policies(${groupid})) or exists (
    select from role where id = any(${roleIds}::bigint[]) and demands_factor))`;

async function writeRoles(ctx: Context, userId: number, draft: Draft): Promise<void> {
  await sql`insert into user_role (user_id, enterprise_id, role_id)
    select ${userId}, ${draft.groupid}, unnest(${draft.roleIds}::bigint[])`.execute(ctx.db);
}

async function remove(ctx: Context, ids: readonly number[]): Promise<StoredRow[]> {
  const rows = await locked(ctx, ids);
  refuseOwnAccount(ctx, ids);
  // Roles and sessions go with the row.
  await ctx.db
    .deleteFrom("sys_user")
    .where("id", "in", [...ids])
    .execute();
  return rows.map((row) => ({
    id: row.id,
    enterpriseId: row.enterprise_id,
    old: { ...toDraft(row), enable: row.enabled },
    new: null,
    versions: { old: row.row_version, new: null },
  }));
}

/** Enables or disables another user. Sessions from before a disabling do not come back. */
export async function setEnabled(ctx: Context, id: number, enable: boolean): Promise<WrittenRow> {
  const old = await lockedOne(ctx, id);
  refuseOwnAccount(ctx, [id]);
  const change = { old: { enable: old.enabled }, now: { enable } };
  await requireSetters(ctx, userSetters, change);
  await ctx.db
    .updateTable("sys_user")
    .set({ enabled: enable, updated_at: sql`now()` })
    .where("id", "=", id)
    .execute();
  if (!enable) await endSessions(ctx, id);
  const { enterprise_id: enterpriseId, login_name: loginName, enabled } = old;
  return {
    id,
    enterpriseId,
    old: { loginName, enable: enabled },
    new: { loginName, enable },
  };
}

/**
 * Sets another user's password. What somebody who held the account made ends with it: its sessions, its API keys, and
 * the codes that would hand it back. The caller's own password is changed with the
 * old one only (editpassword): a stolen session must not be enough.
 * @returns the user's enterprise and login name, and what the operation log says of the keys.
 */
export async function resetPassword(
  ctx: Context,
  id: number,
  password: string,
): Promise<{ enterpriseId: number; loginName: string; revoked: AuditEntry[] }> {
  const { enterprise_id, login_name, name, phone } = await lockedOne(ctx, id);
  refuseOwnAccount(ctx, [id]);
  const owner = { enterpriseId: enterprise_id, own: [login_name, name, phone] };
  await requirePassword(ctx, "newPsw", password, owner);
  const password_hash = await hashPassword(password);
  await ctx.db
    .updateTable("sys_user")
    .set({ password_hash, codes_from: sql`now()`, updated_at: sql`now()` })
    .where("id", "=", id)
    .execute();
  await endSessions(ctx, id);
  await voidOwnUndo(ctx.db, id);
  const revoked = await revokeKeysOf(ctx.db, id);
  const person = { userId: id, enterpriseId: enterprise_id };
  await notifyUser(ctx.db, person, "password", ctx.caller.address);
  return { enterpriseId: enterprise_id, loginName: login_name, revoked };
}

/** Removes all MFA methods of another user who has lost them, and ends that user's sessions. */
export async function resetFactors(
  ctx: Context,
  id: number,
): Promise<{ enterpriseId: number; loginName: string }> {
  const { enterprise_id, login_name } = await lockedOne(ctx, id);
  refuseOwnAccount(ctx, [id]);
  for (const table of ["totp", "passkey", "recovery_code"] as const) {
    await ctx.db.deleteFrom(table).where("user_id", "=", id).execute();
  }
  await endSessions(ctx, id);
  const person = { userId: id, enterpriseId: enterprise_id };
  await notifyUser(ctx.db, person, "factorsReset", ctx.caller.address);
  return { enterpriseId: enterprise_id, loginName: login_name };
}

async function endSessions(ctx: Context, userId: number): Promise<void> {
  await ctx.db.deleteFrom("session").where("user_id", "=", userId).execute();
}

function explain(error: unknown, draft: Partial<Draft>): never {
  throw asRefusal(error, constraints, draft) ?? error;
}

/** Users with their roles; written only by those who hold all that these hold. */
export const userStore = (site: Site): Store<typeof user> => ({
  list,
  add,
  edit: (ctx, id, draft) => edit(ctx, site, id, draft),
  remove,
});
