import { type apiKey, apiKeySetters } from "@weft/contract/domains/access/api-key.ts";
import type { DraftOf } from "@weft/contract/kernel/resource.ts";
import { type Selectable, type SqlBool, sql } from "kysely";
import type { Database } from "#db/schema.ts";
import {
  callerPermissions,
  exceedingRoles,
  refuseStronger,
  requireAssignable,
} from "#domains/access/role/public.ts";
import { hashToken } from "#domains/access/session/public.ts";
import type { Context } from "#kernel/api.ts";
import { asRefusal, type Constraints } from "#kernel/database-errors.ts";
import { requireSetters } from "#kernel/field-setters.ts";
import { refuse, refuseField } from "#kernel/refuse.ts";
import type { ListedRow, ListQuery, Store, StoredRow } from "#kernel/resource-store.ts";
import { versionText } from "#kernel/row-version.ts";
import { inCallerScope, requireEnterprise } from "#kernel/scope.ts";
import { contains } from "#kernel/table-store.ts";
import { newKey, prefixOf } from "./key.ts";

type Draft = DraftOf<typeof apiKey>;
type Stored = Omit<Selectable<Database["api_key"]>, "key_hash">;

interface Listed extends Stored {
  readonly enterprise_name: string | null;
  readonly role_name: string | null;
  readonly maker: string | null;
}

const constraints: Constraints = { api_key_name: { field: "name" } };

const sortColumns = {
  id: "k.id",
  name: "k.name",
  expireTime: "k.expires_at",
  createTime: "k.created_at",
} as const;

// Every column by name: the hash stays where it is.
const columns = sql`k.id, k.enterprise_id, k.name, k.prefix, k.role_id, k.expires_at,
  k.last_used_at, k.last_address, k.remark, k.created_by, k.created_at, k.updated_at,
  k.row_version`;

const mine = (ctx: Context) => inCallerScope(ctx, "k.enterprise_id", "k.created_by");

async function list(ctx: Context, query: ListQuery<typeof apiKey>) {
  const parts = [mine(ctx)];
  if (query.name) parts.push(contains(sql.ref("k.name"), query.name));
  if (query.groupid !== null) parts.push(sql`k.enterprise_id = ${query.groupid}`);
  const where = sql<SqlBool>`${sql.join(parts, sql` and `)}`;
  const column = sortColumns[(query.orderByColumn ?? "id") as keyof typeof sortColumns];
  const [selected, total] = await Promise.all([
    sql<Listed>`
      select ${columns}, e.name as enterprise_name, r.name as role_name, u.login_name as maker
      from api_key k
      left join enterprise e on e.id = k.enterprise_id
      left join role r on r.id = k.role_id
      left join sys_user u on u.id = k.created_by
      where ${where}
      order by ${sql.ref(column)} ${sql.raw(query.isAsc === "desc" ? "desc" : "asc")}, k.id
      limit ${query.limit} offset ${(query.page - 1) * query.limit}`.execute(ctx.db),
    sql<{ n: number }>`select count(*) as n from api_key k where ${where}`.execute(ctx.db),
  ]);
  const permissions = await callerPermissions(ctx);
  const roles = selected.rows.map((row) => row.role_id);
  const stronger = await exceedingRoles(ctx, permissions, roles);
  return { rows: selected.rows.map((row) => toRow(row, stronger)), count: total.rows[0]?.n ?? 0 };
}

const toRow = (row: Listed, stronger: ReadonlySet<number>): ListedRow<typeof apiKey> => ({
  rowVersion: versionText(row.row_version),
  id: row.id,
  ...toDraft(row),
  prefix: row.prefix,
  enterpriseName: row.enterprise_name ?? "",
  roleName: row.role_name ?? "",
  lastUsed: row.last_used_at,
  lastIp: row.last_address,
  createTime: row.created_at,
  createBy: row.maker,
  manageable: !stronger.has(row.role_id),
});

const toDraft = (row: Stored): Draft => ({
  name: row.name,
  groupid: row.enterprise_id,
  roleId: row.role_id,
  expireTime: row.expires_at,
  remark: row.remark,
});

/** As the operation log shows it; the prefix is no secret. */
const recorded = (row: Stored) => ({ ...toDraft(row), prefix: row.prefix });

/** Keys of these ids, locked; refused when one is out of scope or gives more than the caller holds. */
async function locked(ctx: Context, ids: readonly number[]): Promise<Stored[]> {
  const { rows } = await sql<Stored>`
    select ${columns} from api_key k
    where k.id = any(${[...ids]}::bigint[]) and ${mine(ctx)}
    order by k.id for update of k`.execute(ctx.db);
  if (rows.length !== ids.length) refuse("notFound");
  const roles = rows.map((row) => row.role_id);
  const stronger = await exceedingRoles(ctx, await callerPermissions(ctx), roles);
  if (stronger.size > 0) refuseStronger();
  return rows;
}

/** A key gets a role of its enterprise that the caller may give, and ends some day. */
async function admit(ctx: Context, { groupid, roleId, expireTime }: Draft): Promise<void> {
  await requireEnterprise(ctx, groupid, "groupid");
  await requireAssignable(ctx, await callerPermissions(ctx), [roleId], groupid, "roleId");
  if (expireTime.getTime() <= Date.now()) refuseField("expireTime", "notAllowed");
}

const valuesOf = (draft: Draft) => ({
  name: draft.name,
  role_id: draft.roleId,
  expires_at: draft.expireTime,
  remark: draft.remark,
});

/**
 * Makes a key.
 * @returns the row as it is recorded, and the key, which is kept nowhere.
 */
export async function addKey(ctx: Context, draft: Draft): Promise<{ row: StoredRow; key: string }> {
  await admit(ctx, draft);
  const key = newKey();
  const prefix = prefixOf(key);
  const { id, row_version } = await ctx.db
    .insertInto("api_key")
    .values({
      ...valuesOf(draft),
      prefix,
      enterprise_id: draft.groupid,
      key_hash: hashToken(key),
      created_by: ctx.caller.userId,
    })
    .returning(["id", "row_version"])
    .executeTakeFirstOrThrow()
    .catch((error: unknown) => explain(error, draft));
  const versions = { old: null, new: row_version };
  const row = { id, enterpriseId: draft.groupid, old: null, new: { ...draft, prefix }, versions };
  return { row, key };
}

/** A key stays in its enterprise: its role is of there. */
async function edit(ctx: Context, id: number, draft: Draft): Promise<StoredRow> {
  const [old] = await locked(ctx, [id]);
  if (!old) return refuse("notFound");
  await requireSetters(ctx, apiKeySetters, { old: toDraft(old), now: draft });
  await admit(ctx, draft);
  if (draft.groupid !== old.enterprise_id) refuseField("groupid", "notAllowed");
  const { row_version } = await ctx.db
    .updateTable("api_key")
    .set({ ...valuesOf(draft), updated_at: sql`now()` })
    .where("id", "=", id)
    .returning("row_version")
    .executeTakeFirstOrThrow()
    .catch((error: unknown) => explain(error, draft));
  const now = { ...draft, prefix: old.prefix };
  const versions = { old: old.row_version, new: row_version };
  return { id, enterpriseId: draft.groupid, old: recorded(old), new: now, versions };
}

async function remove(ctx: Context, ids: readonly number[]): Promise<StoredRow[]> {
  const rows = await locked(ctx, ids);
  await ctx.db
    .deleteFrom("api_key")
    .where("id", "in", [...ids])
    .execute();
  return rows.map((row) => ({
    id: row.id,
    enterpriseId: row.enterprise_id,
    old: recorded(row),
    new: null,
    versions: { old: row.row_version, new: null },
  }));
}

function explain(error: unknown, draft: Draft): never {
  throw asRefusal(error, constraints, draft) ?? error;
}

/** Keys; who removes one revokes it. */
export const apiKeyStore: Store<typeof apiKey> = {
  list,
  add: async (ctx, draft) => (await addKey(ctx, draft)).row,
  edit,
  remove,
};
