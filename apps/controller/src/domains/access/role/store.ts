import type { Grant } from "@weft/contract/access.ts";
import { dataScope as scopes } from "@weft/contract/domains/access/enums.ts";
import { type role, type roleCombo, roleSetters } from "@weft/contract/domains/access/role.ts";
import { grantCodes } from "@weft/contract/grants.ts";
import type { InputOf } from "@weft/contract/kernel/endpoint.ts";
import type { DraftOf } from "@weft/contract/kernel/resource.ts";
import { type Selectable, type SqlBool, sql } from "kysely";
import type { Database } from "#db/schema.ts";
import type { Context } from "#kernel/api.ts";
import { asRefusal, type Constraints } from "#kernel/database-errors.ts";
import { requireSetters } from "#kernel/field-setters.ts";
import { refuse, refuseField } from "#kernel/refuse.ts";
import type { ListedRow, ListQuery, Store, StoredRow } from "#kernel/resource-store.ts";
import { storedVersion, versionText } from "#kernel/row-version.ts";
import { inCallerScope, isAncestor, requireEnterprise } from "#kernel/scope.ts";
import { contains } from "#kernel/table-store.ts";
import {
  callerPermissions,
  type GrantRow,
  grantColumns,
  refuseExcess,
  refuseStronger,
  toGrant,
} from "./caller-permissions.ts";
import { excessOf, type HeldPermissions } from "./rules.ts";

type Draft = DraftOf<typeof role>;
type Stored = Selectable<Database["role"]> & GrantRow & { readonly groupids: number[] };

interface Listed extends Stored {
  readonly enterprise_name: string | null;
  readonly creator: string | null;
  readonly users: number;
}

const constraints: Constraints = {
  role_enterprise_id_code_key: { field: "roleCode" },
  user_role_role: { by: ["用户", "users"] },
  api_key_role: { by: ["API 密钥", "API keys"] },
};

const sortColumns = { roleId: "r.id", name: "r.name", createTime: "r.created_at" } as const;

// A code that another release of Weft wrote means nothing here.
const known = (codes: readonly string[]): Grant[] =>
  grantCodes.filter((code) => codes.includes(code));

const columnsOf = (ctx: Context) => sql`
  r.id, r.code, r.name, r.remark, r.demands_factor, r.created_by, r.created_at, r.row_version, ${grantColumns(ctx)},
  array(select c.enterprise_id from role_enterprise c where c.role_id = r.id
        order by c.enterprise_id) as groupids`;

const matching = (ctx: Context, query: ListQuery<typeof role>) => {
  const parts = [inCallerScope(ctx, "r.enterprise_id", "r.created_by")];
  if (query.name) parts.push(contains(sql.ref("r.name"), query.name));
  if (query.roleType !== null) parts.push(sql`r.role_type = ${query.roleType}`);
  if (query.groupid !== null) parts.push(sql`r.enterprise_id = ${query.groupid}`);
  return sql<SqlBool>`${sql.join(parts, sql` and `)}`;
};

async function list(ctx: Context, query: ListQuery<typeof role>) {
  const column = sortColumns[(query.orderByColumn ?? "roleId") as keyof typeof sortColumns];
  const where = matching(ctx, query);
  const [selected, total, permissions] = await Promise.all([
    sql<Listed>`
      select ${columnsOf(ctx)}, e.name as enterprise_name, u.login_name as creator,
        (select count(*) from user_role ur where ur.role_id = r.id) as users
      from role r
      left join enterprise e on e.id = r.enterprise_id
      left join sys_user u on u.id = r.created_by
      where ${where}
      order by ${sql.ref(column)} ${sql.raw(query.isAsc === "desc" ? "desc" : "asc")}, r.id
      limit ${query.limit} offset ${(query.page - 1) * query.limit}`.execute(ctx.db),
    sql<{ n: number }>`select count(*) as n from role r where ${where}`.execute(ctx.db),
    callerPermissions(ctx),
  ]);
  return {
    rows: selected.rows.map((row) => toRow(row, permissions)),
    count: total.rows[0]?.n ?? 0,
  };
}

const toRow = (row: Listed, permissions: HeldPermissions): ListedRow<typeof role> => ({
  rowVersion: versionText(row.row_version),
  roleId: row.id,
  ...toDraft(row),
  demandFactor: row.demands_factor,
  enterpriseName: row.enterprise_name ?? "",
  users: row.users,
  createTime: row.created_at,
  createBy: row.creator,
  manageable: excessOf(toGrant(row), permissions) === null,
});

const toDraft = (row: Stored): Draft => ({
  roleCode: row.code,
  name: row.name,
  groupid: row.enterprise_id,
  roleType: row.role_type as Draft["roleType"],
  dataScope: row.data_scope as Draft["dataScope"],
  groupids: row.groupids,
  authorities: known(row.permissions),
  demandFactor: row.demands_factor,
  remark: row.remark,
});

/** Roles of these ids, locked; refused when one is not the caller's. */
async function locked(ctx: Context, ids: readonly number[]): Promise<Stored[]> {
  const { rows } = await sql<Stored>`
    select ${columnsOf(ctx)} from role r
    where r.id = any(${[...ids]}::bigint[])
      and ${inCallerScope(ctx, "r.enterprise_id", "r.created_by")}
    order by r.id for update of r`.execute(ctx.db);
  return rows.length === ids.length ? rows : refuse("notFound");
}

/** A role as the caller sees it; refused when it is not his. */
export async function getRole(ctx: Context, id: number): Promise<Draft> {
  const { rows } = await sql<Stored>`
    select ${columnsOf(ctx)} from role r
    where r.id = ${id} and ${inCallerScope(ctx, "r.enterprise_id", "r.created_by")}`.execute(
    ctx.db,
  );
  return rows[0] ? toDraft(rows[0]) : refuse("notFound");
}

/** Roles that the caller may give to a user, by name. */
export async function assignableRoles(
  ctx: Context,
  { groupid }: InputOf<typeof roleCombo>,
): Promise<{ id: number; name: string }[]> {
  const inEnterprise = groupid === null ? sql`true` : sql`r.enterprise_id = ${groupid}`;
  const [selected, permissions] = await Promise.all([
    sql<GrantRow & { name: string }>`
      select r.id, r.name, ${grantColumns(ctx)} from role r
      where ${inCallerScope(ctx, "r.enterprise_id", "r.created_by")} and ${inEnterprise}
      order by r.name, r.id`.execute(ctx.db),
    callerPermissions(ctx),
  ]);
  return selected.rows
    .filter((row) => excessOf(toGrant(row), permissions) === null)
    .map(({ id, name }) => ({ id, name }));
}

/** Refuses a draft that names enterprises out of scope or gives more than the caller holds. */
async function admit(ctx: Context, permissions: HeldPermissions, draft: Draft): Promise<void> {
  if (draft.groupids.length > 0) {
    const { rows } = await sql<{ n: number }>`
      select count(*) as n from enterprise e
      where e.id = any(${draft.groupids}::bigint[]) and ${inCallerScope(ctx, "e.id")}`.execute(
      ctx.db,
    );
    if (rows[0]?.n !== draft.groupids.length) refuseField("groupids", "unknown");
  }
  const excess = excessOf({ enterpriseId: draft.groupid, ...draft, beyond: false }, permissions);
  if (excess) refuseExcess(excess);
}

/** Stored form: selected enterprises belong to scope 4 only; every list once and in order. */
const tidy = (draft: Draft): Draft => ({
  ...draft,
  groupids:
    draft.dataScope === scopes.custom ? [...new Set(draft.groupids)].sort((a, b) => a - b) : [],
  authorities: known(draft.authorities),
});

const givesSame = (one: Draft, other: Draft): boolean =>
  one.roleType === other.roleType &&
  one.dataScope === other.dataScope &&
  one.groupids.join() === other.groupids.join() &&
  one.authorities.join() === other.authorities.join();

const valuesOf = (draft: Draft) => ({
  code: draft.roleCode,
  name: draft.name,
  role_type: draft.roleType,
  data_scope: draft.dataScope,
  ...(draft.demandFactor !== null && { demands_factor: draft.demandFactor }),
  remark: draft.remark,
});

async function add(ctx: Context, given: Draft): Promise<StoredRow> {
  const draft = tidy(given);
  const { groupid } = draft;
  await requireEnterprise(ctx, groupid, "groupid");
  await admit(ctx, await callerPermissions(ctx), draft);
  const { id } = await ctx.db
    .insertInto("role")
    .values({ ...valuesOf(draft), enterprise_id: groupid, created_by: ctx.caller.userId })
    .returning("id")
    .executeTakeFirstOrThrow()
    .catch((error: unknown) => explain(error, draft));
  await writeGrant(ctx, id, draft);
  const versions = { old: null, new: await storedVersion(ctx, "role", id) };
  return { id, enterpriseId: groupid, old: null, new: draft, versions };
}

/** Changes a role. Its enterprise stays: users of that enterprise have it. */
export async function changeRole(
  ctx: Context,
  id: number,
  change: (old: Draft) => Draft,
): Promise<StoredRow> {
  const [stored] = await locked(ctx, [id]);
  if (!stored) refuse("notFound");
  const old = toDraft(stored);
  const given = tidy(change(old));
  const draft = { ...given, demandFactor: given.demandFactor ?? old.demandFactor };
  const permissions = await callerPermissions(ctx);
  if (excessOf(toGrant(stored), permissions)) refuseStronger();
  if (draft.groupid !== old.groupid) refuseField("groupid", "notAllowed");
  const isAbove = async () =>
    (permissions.unlimited || !permissions.roles.has(id)) && isAncestor(ctx, old.groupid);
  await requireSetters(ctx, roleSetters, { old, now: draft }, { isAbove });
  if (!givesSame(old, draft)) {
    // Users cannot remove what they hold themselves: only another user can.
    if (permissions.roles.has(id) && !permissions.unlimited) {
      refuse("notAllowedNow", { reason: ["这是您自己的角色", "it is one of your own roles"] });
    }
    await admit(ctx, permissions, draft);
    await writeGrant(ctx, id, draft);
  }
  const { row_version } = await ctx.db
    .updateTable("role")
    .set(valuesOf(draft))
    .where("id", "=", id)
    .returning("row_version")
    .executeTakeFirstOrThrow()
    .catch((error: unknown) => explain(error, draft));
  const versions = { old: stored.row_version, new: row_version };
  return { id, enterpriseId: old.groupid, old, new: draft, versions };
}

/** Replaces what the role gives: permission codes, entries of the menu and selected enterprises. */
async function writeGrant(ctx: Context, roleId: number, draft: Draft): Promise<void> {
  const { groupid, authorities, groupids } = draft;
  await ctx.db.deleteFrom("role_permission").where("role_id", "=", roleId).execute();
  await sql`insert into role_permission (role_id, enterprise_id, permission)
    select ${roleId}, ${groupid}, unnest(${authorities}::text[])`.execute(ctx.db);
  await ctx.db.deleteFrom("role_enterprise").where("role_id", "=", roleId).execute();
  await sql`insert into role_enterprise (role_id, enterprise_id)
    select ${roleId}, unnest(${groupids}::bigint[])`.execute(ctx.db);
}

async function remove(ctx: Context, ids: readonly number[]): Promise<StoredRow[]> {
  const rows = await locked(ctx, ids);
  const permissions = await callerPermissions(ctx);
  if (rows.some((row) => excessOf(toGrant(row), permissions))) refuseStronger();
  await ctx.db
    .deleteFrom("role")
    .where("id", "in", [...ids])
    .execute()
    .catch((error: unknown) => explain(error, {}));
  return rows.map((row) => ({
    id: row.id,
    enterpriseId: row.enterprise_id,
    old: toDraft(row),
    new: null,
    versions: { old: row.row_version, new: null },
  }));
}

function explain(error: unknown, draft: Partial<Draft>): never {
  throw asRefusal(error, constraints, draft) ?? error;
}

/** Roles with what they give; written only by those who hold all of it themselves. */
export const roleStore: Store<typeof role> = {
  list,
  add,
  edit: (ctx, id, draft) => changeRole(ctx, id, () => draft),
  remove,
};
