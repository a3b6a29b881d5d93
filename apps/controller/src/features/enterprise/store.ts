import type { InputOf, OutputOf } from "@weft/contract/kernel/endpoint.ts";
import type { DraftOf, RowOf } from "@weft/contract/kernel/resource.ts";
import type { enterprise, enterpriseTreeList } from "@weft/contract/resources/enterprise.ts";
import { type Expression, type Selectable, type SqlBool, sql } from "kysely";
import type { Database } from "#db/schema.ts";
import type { Context } from "#kernel/api.ts";
import { asRefusal, type Constraints } from "#kernel/database-errors.ts";
import { refuse, refuseFields } from "#kernel/refuse.ts";
import type { ListQuery, Store, WrittenRow } from "#kernel/resource-store.ts";
import { admitToScope, inCallerScope } from "#kernel/scope.ts";
import { contains } from "#kernel/table-store.ts";
import { placementIssue } from "./rules.ts";

type Enterprise = typeof enterprise;
type Row = RowOf<Enterprise>;
type Draft = DraftOf<Enterprise>;
type Stored = Selectable<Database["enterprise"]>;

const constraints: Constraints = {
  enterprise_parent_id_name_key: { field: "name" },
  enterprise_parent_id_fkey: { by: ["下级企业", "subordinate enterprises"] },
  sys_user_enterprise_id_fkey: { by: ["用户", "users"] },
  role_enterprise_id_fkey: { by: ["角色", "roles"] },
  node_enterprise_id_fkey: { by: ["CPE 或 POP", "CPEs or POPs"] },
  api_key_enterprise_id_fkey: { by: ["API 密钥", "API keys"] },
  net_space_enterprise_id_fkey: { by: ["网络空间", "network spaces"] },
  login_record_enterprise_id_fkey: { by: ["登录记录", "log-in records"] },
};

/** Enterprises change place one at a time, so that two moves cannot close a circle together. */
const TREE_LOCK = [0x77656674, 2] as const;

const sortColumns = { groupid: "e.id", name: "e.name", createTime: "e.created_at" } as const;

/** Enterprises with their parent's name and number of CPEs. A parent out of scope is not named. */
export const enterpriseStore: Store<Enterprise> = {
  async list(ctx, query) {
    const where = matching(ctx, query);
    const sort = sortColumns[query.orderByColumn as keyof typeof sortColumns] ?? "e.id";
    const [rows, { n }] = await Promise.all([
      rowsOf(ctx)
        .where(where)
        .orderBy(sort, query.isAsc ?? "asc")
        .orderBy("e.id")
        .limit(query.limit)
        .offset((query.page - 1) * query.limit)
        .execute(),
      ctx.db
        .selectFrom("enterprise as e")
        .select((eb) => eb.fn.countAll<number>().as("n"))
        .where(where)
        .executeTakeFirstOrThrow(),
    ]);
    return { rows: rows.map(toRow), count: n };
  },

  async add(ctx, draft) {
    const parentId = draft.parentId ?? ctx.caller.enterpriseId;
    await place(ctx, null, parentId);
    // RETURNING would ask the read policy, whose scope does not hold the new enterprise yet.
    const id = await nextId(ctx);
    await ctx.db
      .insertInto("enterprise")
      .values({ id, parent_id: parentId, created_by: ctx.caller.userId, ...toColumns(draft) })
      .execute()
      .catch((error: unknown) => explain(error, draft));
    await admitToScope(ctx, id);
    return { id, enterpriseId: id, old: null, new: { ...draft, parentId } };
  },

  async edit(ctx, id, draft) {
    const old = await locked(ctx, id);
    // Absent: it stays where it is. The topmost enterprise has none.
    const parentId = draft.parentId ?? old.parent_id;
    if (parentId !== null && parentId !== old.parent_id) await place(ctx, id, parentId);
    const now = await ctx.db
      .updateTable("enterprise")
      .set({ parent_id: parentId, ...toColumns(draft), updated_at: sql`now()` })
      .where("id", "=", id)
      .returningAll()
      .executeTakeFirstOrThrow()
      .catch((error: unknown) => explain(error, draft));
    return written(id, old, now);
  },

  async remove(ctx, ids) {
    const rows = await ctx.db
      .deleteFrom("enterprise")
      .where(sql<SqlBool>`id = any(${[...ids]}::bigint[])`)
      .where(inCallerScope(ctx, "id"))
      .returningAll()
      .execute()
      .catch((error: unknown) => explain(error, {}));
    return rows.map((row) => written(row.id, row, null));
  },
};

/** One enterprise; refused when it is not the caller's. */
export async function getEnterprise(ctx: Context, id: number): Promise<Row> {
  const row = await rowsOf(ctx).where("e.id", "=", id).executeTakeFirst();
  return row ? toRow(row) : refuse("notFound");
}

/** Enables or disables an enterprise: its users' sessions stop at once. */
export async function setEnabled(ctx: Context, id: number, enabled: boolean): Promise<WrittenRow> {
  const old = await locked(ctx, id);
  if (id === ctx.caller.enterpriseId && !enabled) {
    refuse("notAllowedNow", { reason: ["这是您自己的企业", "it is your own enterprise"] });
  }
  const now = await ctx.db
    .updateTable("enterprise")
    .set({ enabled, updated_at: sql`now()` })
    .where("id", "=", id)
    .returningAll()
    .executeTakeFirstOrThrow();
  return written(id, old, now);
}

/** Every enterprise in scope, by name. */
export function listCombo(ctx: Context): Promise<{ groupid: number; name: string }[]> {
  return ctx.db
    .selectFrom("enterprise as e")
    .select(["e.id as groupid", "e.name"])
    .where(inCallerScope(ctx, "e.id"))
    .orderBy("e.name")
    .orderBy("e.id")
    .execute();
}

/** Flat nodes of the tree; a node whose parent is not among them stands at the top. */
export async function listTree(
  ctx: Context,
  { isAgent, enterpriseType }: InputOf<typeof enterpriseTreeList>,
): Promise<OutputOf<typeof enterpriseTreeList>> {
  let query = ctx.db
    .selectFrom("enterprise as e")
    .select(["e.id", "e.parent_id", "e.name", "e.is_agent", "e.enabled"])
    .where(inCallerScope(ctx, "e.id"));
  if (isAgent !== null) query = query.where("e.is_agent", "=", isAgent);
  if (enterpriseType !== null) query = query.where("e.enterprise_type", "=", enterpriseType);
  const rows = await query.orderBy("e.id").execute();
  const shown = new Set(rows.map((row) => row.id));
  return rows.map((row) => ({
    groupid: row.id,
    parentId: row.parent_id !== null && shown.has(row.parent_id) ? row.parent_id : null,
    name: row.name,
    isAgent: row.is_agent,
    enable: row.enabled,
  }));
}

function rowsOf(ctx: Context) {
  return ctx.db
    .selectFrom("enterprise as e")
    .leftJoin("enterprise as p", (join) =>
      join.onRef("p.id", "=", "e.parent_id").on(inCallerScope(ctx, "p.id")),
    )
    .leftJoin("sys_user as u", "u.id", "e.created_by")
    .selectAll("e")
    .select(["p.id as visible_parent", "p.name as parent_name", "u.login_name as creator"])
    .select((eb) =>
      eb
        .selectFrom("node as n")
        .select((count) => count.fn.countAll<number>().as("n"))
        .whereRef("n.enterprise_id", "=", "e.id")
        .where("n.kind", "=", "cpe")
        .as("cpe_count"),
    )
    .where(inCallerScope(ctx, "e.id"));
}

type Joined = Awaited<ReturnType<ReturnType<typeof rowsOf>["execute"]>>[number];

function toRow(row: Joined): Row {
  const { province, city, region } = row;
  return {
    groupid: row.id,
    name: row.name,
    enterpriseType: row.enterprise_type,
    parentId: row.visible_parent,
    parentName: row.parent_name,
    isAgent: row.is_agent,
    regions: [province, city, region].filter((part) => part !== "").join(","),
    provice: province,
    city,
    region,
    contact: row.contact,
    phone: row.phone,
    email: row.email,
    passwordPolicy: row.password_policy as Row["passwordPolicy"],
    enable: row.enabled,
    cpeCount: row.cpe_count ?? 0,
    remark: row.remark,
    createTime: row.created_at,
    updateTime: row.updated_at,
    createBy: row.creator,
  };
}

function matching(ctx: Context, query: ListQuery<Enterprise>): Expression<SqlBool> {
  const parts = [inCallerScope(ctx, "e.id")];
  if (query.name) parts.push(contains(sql.ref("e.name"), query.name));
  const equal = {
    enterprise_type: query.enterpriseType,
    parent_id: query.parentId,
    is_agent: query.isAgent,
    enabled: query.enable,
  };
  for (const [column, value] of Object.entries(equal)) {
    if (value !== null) parts.push(sql<SqlBool>`${sql.ref(`e.${column}`)} = ${value}`);
  }
  return sql.join<SqlBool>(parts, sql` and `);
}

const toColumns = ({
  enterpriseType,
  isAgent,
  provice,
  parentId: _,
  passwordPolicy,
  ...same
}: Draft) => ({
  ...same,
  ...(passwordPolicy !== null && { password_policy: passwordPolicy }),
  enterprise_type: enterpriseType,
  is_agent: isAgent,
  province: provice,
});

/** Refuses a parent that is not the caller's, or that stands below the enterprise itself. */
async function place(ctx: Context, id: number | null, parentId: number): Promise<void> {
  await sql`select pg_advisory_xact_lock(${TREE_LOCK[0]}::int, ${TREE_LOCK[1]}::int)`.execute(
    ctx.db,
  );
  const { rows } = await sql<{ id: number }>`
    with recursive above as (
      select e.id, e.parent_id, 0 as depth from enterprise e
      where e.id = ${parentId} and ${inCallerScope(ctx, "e.id")}
      union
      select e.id, e.parent_id, above.depth + 1
      from enterprise e join above on e.id = above.parent_id
      where ${inCallerScope(ctx, "e.id")}
    )
    select id from above order by depth`.execute(ctx.db);
  const { scope, enterpriseId } = ctx.caller;
  const issue = placementIssue({
    id,
    lineage: rows.map((row) => row.id),
    top: scope.kind === "all" ? null : enterpriseId,
  });
  if (issue) refuseFields([issue]);
}

async function locked(ctx: Context, id: number): Promise<Stored> {
  const row = await ctx.db
    .selectFrom("enterprise")
    .selectAll()
    .where("id", "=", id)
    .where(inCallerScope(ctx, "id"))
    .forUpdate()
    .executeTakeFirst();
  return row ?? refuse("notFound");
}

async function nextId(ctx: Context): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    select nextval(pg_get_serial_sequence('weft.enterprise', 'id')) as id`.execute(ctx.db);
  const [row] = rows;
  if (!row) throw new Error("nextval gave no row");
  return row.id;
}

const written = (id: number, old: Stored | null, now: Stored | null): WrittenRow => ({
  id,
  enterpriseId: id,
  old: old && recorded(old),
  new: now && recorded(now),
});

/** An enterprise as the operation log tells it: by the contract's names. */
const recorded = (row: Stored): Draft & Pick<Row, "enable"> => ({
  name: row.name,
  enterpriseType: row.enterprise_type as Draft["enterpriseType"],
  parentId: row.parent_id,
  isAgent: row.is_agent,
  provice: row.province,
  city: row.city,
  region: row.region,
  contact: row.contact,
  phone: row.phone,
  email: row.email,
  passwordPolicy: row.password_policy as Draft["passwordPolicy"],
  enable: row.enabled,
  remark: row.remark,
});

function explain(error: unknown, draft: Partial<Draft>): never {
  throw asRefusal(error, constraints, draft) ?? error;
}
