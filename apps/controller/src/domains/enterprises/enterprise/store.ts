import type { enterprise } from "@weft/contract/domains/enterprises/enterprise.ts";
import type { DraftOf } from "@weft/contract/kernel/resource.ts";
import type { RuleIssue } from "@weft/contract/kernel/rule.ts";
import { fromMinor } from "@weft/contract/rules/money.ts";
import { type Expression, type SqlBool, sql } from "kysely";
import { holdLock, locks } from "#db/locks.ts";
import { carryBalance } from "#domains/enterprises/ledger/public.ts";
import type { Context } from "#kernel/api.ts";
import { asRefusal, type Constraints } from "#kernel/database-errors.ts";
import { refuse, refuseField, refuseFields } from "#kernel/refuse.ts";
import type { ListedRow, ListQuery, Store, StoredRow } from "#kernel/resource-store.ts";
import { storedVersion, versionText } from "#kernel/row-version.ts";
import { admitToScope, inCallerScope } from "#kernel/scope.ts";
import { contains } from "#kernel/table-store.ts";
import { holderNames } from "./holders.ts";
import {
  enterpriseRows,
  regionsOf,
  type StoredEnterprise,
  toColumns,
  toRow,
  writtenEnterprise,
} from "./row.ts";
import { giveDefaultStrategy, lockEnterprise } from "./settings.ts";

interface Placement {
  /** The enterprise that moves; null while it is being added. */
  readonly id: number | null;
  /** The wanted parent and what is above it, nearest first, as far as the caller sees it. */
  readonly lineage: readonly number[];
  /** Enterprise under which everything of the caller's must be; null: the whole tree. */
  readonly top: number | null;
}

/** Whether an enterprise may be below the wanted parent: null, or the rule that forbids it. */
export function placementIssue({ id, lineage, top }: Placement): RuleIssue | null {
  const at = (rule: RuleIssue["rule"]): RuleIssue => ({ path: "parentId", rule, params: {} });
  if (lineage.length === 0) return at("unknown");
  if (id !== null && lineage.includes(id)) return at("cycle");
  // A lineage with a gap could hide a circle: moving needs sight of all of it.
  if (id !== null && top !== null && !lineage.includes(top)) return at("notAllowed");
  return null;
}

type Enterprise = typeof enterprise;
type Row = ListedRow<Enterprise>;
type Draft = DraftOf<Enterprise>;

const constraints: Constraints = {
  enterprise_parent_id_name_key: { field: "name" },
  enterprise_parent_id_fkey: { by: ["下级企业", "subordinate enterprises"] },
  sys_user_enterprise_id_fkey: { by: ["用户", "users"] },
  role_enterprise_id_fkey: { by: ["角色", "roles"] },
  node_enterprise_id_fkey: { by: ["CPE 或 POP", "CPEs or POPs"] },
  api_key_enterprise_id_fkey: { by: ["API 密钥", "API keys"] },
  net_space_enterprise_id_fkey: { by: ["网络空间", "network spaces"] },
  posting_enterprise_id_fkey: { by: ["交易记录", "transaction records"] },
  posting_book_id_fkey: { by: ["下级的交易记录", "transaction records of subordinates"] },
  pop_strategy_enterprise_id_fkey: { by: ["POP 策略", "POP strategies"] },
  circuit_enterprise_id_fkey: { by: ["专线", "circuits"] },
  branch_enterprise_id_fkey: { by: ["分支", "branches"] },
  company_audit_enterprise_id_fkey: { by: ["企业审核", "company audits"] },
  enterprise_ipgroup_enterprise_id_fkey: { by: ["IP 组", "IP groups"] },
  enterprise_urlgroup_enterprise_id_fkey: { by: ["URL 组", "URL groups"] },
  login_record_enterprise_id_fkey: { by: ["登录记录", "login records"] },
};

const sortColumns = {
  groupid: "e.id",
  name: "e.name",
  createTime: "e.created_at",
  endTime: "e.end_at",
} as const;

/** Enterprises with their parent's name and number of CPEs. A parent out of scope is not named. */
export const enterpriseStore: Store<Enterprise> = {
  async list(ctx, query) {
    const where = matching(ctx, query);
    const sort = sortColumns[query.orderByColumn as keyof typeof sortColumns] ?? "e.id";
    const [rows, { n }] = await Promise.all([
      enterpriseRows(ctx)
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
    const enterpriseId = ctx.caller.enterpriseId;
    return { rows: rows.map((row) => toRow(row, enterpriseId)), count: n };
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
    await giveDefaultStrategy(ctx, id, parentId);
    return {
      id,
      enterpriseId: id,
      old: null,
      new: {
        ...draft,
        parentId,
        regions: regionsOf(toColumns(draft)),
        creditLimit: fromMinor(draft.creditLimit ?? 0),
      },
      versions: { old: null, new: await storedVersion(ctx, "enterprise", id) },
    };
  },

  async edit(ctx, id, draft) {
    const old = await lockEnterprise(ctx, id);
    // Absent: it stays where it is. The topmost enterprise has none.
    const parentId = draft.parentId ?? old.parent_id;
    if (parentId !== null && parentId !== old.parent_id) {
      await place(ctx, id, parentId);
      await leaveBranch(ctx, old, parentId);
      await carryBalance(ctx, id, parentId);
    }
    const now = await ctx.db
      .updateTable("enterprise")
      .set({ parent_id: parentId, ...toColumns(draft), updated_at: sql`now()` })
      .where("id", "=", id)
      .returningAll()
      .executeTakeFirstOrThrow()
      .catch((error: unknown) => explain(error, draft));
    return asSeen(ctx, writtenEnterprise(id, old, now));
  },

  async remove(ctx, ids) {
    const rows = await ctx.db
      .deleteFrom("enterprise")
      .where(sql<SqlBool>`id = any(${[...ids]}::bigint[])`)
      .where(inCallerScope(ctx, "id"))
      .returningAll()
      .execute()
      .catch((error: unknown) => explain(error, {}));
    return rows.map((row) => writtenEnterprise(row.id, row, null));
  },
};

/**
 * What an enterprise and those that it leaves have of each other must be gone before it moves: the former agent's objects would go
 * on acting on its devices, and the former agent's people would go on seeing it. POPs that were shared with it there are so no more.
 */
async function leaveBranch(ctx: Context, { id, name }: StoredEnterprise, to: number) {
  const { rows } = await sql<{ table: string }>`
    select name as table from weft.leave_branch(${id}, ${to}) name`.execute(ctx.db);
  if (rows.length === 0) return;
  refuse("staysInBranch", { name, what: holderNames(rows.map(({ table }) => table)) });
}

/** A parent out of scope is not named, as in the list. */
function asSeen({ caller: { scope } }: Context, row: StoredRow): StoredRow {
  const { parentId } = row.new as { readonly parentId: number | null };
  if (scope.kind === "all" || parentId === null || scope.ids.includes(parentId)) return row;
  return { ...row, old: { ...row.old, parentId: null }, new: { ...row.new, parentId: null } };
}

/** One enterprise; refused when it is not the caller's. */
export async function getEnterprise(ctx: Context, id: number): Promise<Row> {
  const row = await enterpriseRows(ctx).where("e.id", "=", id).executeTakeFirst();
  return row ? toRow(row, ctx.caller.enterpriseId) : refuse("notFound");
}

/** The same, with the version of what the enterprise says of itself. */
export async function getOwnInfo(ctx: Context, id: number): Promise<Row> {
  const row = await enterpriseRows(ctx).where("e.id", "=", id).executeTakeFirst();
  if (!row) return refuse("notFound");
  return { ...toRow(row, ctx.caller.enterpriseId), rowVersion: versionText(row.info_version) };
}

/** The same as it is stored: with the parent that the caller may not see. */
export async function getStored(ctx: Context, id: number): Promise<Row> {
  const row = await enterpriseRows(ctx).where("e.id", "=", id).executeTakeFirst();
  if (!row) refuse("notFound");
  return { ...toRow(row, ctx.caller.enterpriseId), parentId: row.parent_id };
}

/**
 * Refuses a parent that is not the caller's before anything is asked about it: one of elsewhere, one that is there above the
 * caller and one that is not there get the same answer.
 */
export function requireSeenParent({ caller: { scope } }: Context, parentId: number | null): void {
  if (parentId === null || scope.kind === "all" || scope.ids.includes(parentId)) return;
  refuseField("parentId", "unknown");
}

/** A move must not end a demand for MFA: that is for users who have it (contract enterpriseSetters). */
export async function requireSameDemand(
  ctx: Context,
  from: number | null,
  to: number | null,
): Promise<void> {
  const { rows } = await sql<{ was: boolean; is: boolean }>`
    select '8+MFA' = any (weft.password_policies(${from})) as was,
      '8+MFA' = any (weft.password_policies(${to})) as is`.execute(ctx.db);
  if (rows[0]?.was && !rows[0].is) refuseField("parentId", "mfaNeeded");
}

/** Every enterprise in scope, with all its fields. */
export async function findAll(ctx: Context): Promise<Row[]> {
  const rows = await enterpriseRows(ctx).orderBy("e.id").execute();
  return rows.map((row) => toRow(row, ctx.caller.enterpriseId));
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
  // Who is above the caller is not found by trying.
  if (query.parentId !== null) parts.push(inCallerScope(ctx, "e.parent_id"));
  return sql.join<SqlBool>(parts, sql` and `);
}

/** Refuses a parent that is not the caller's, or that is below the enterprise itself. */
async function place(ctx: Context, id: number | null, parentId: number): Promise<void> {
  // One at a time, so that two moves cannot close a circle together.
  await holdLock(ctx.db, locks.enterpriseTree);
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

async function nextId(ctx: Context): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    select nextval(pg_get_serial_sequence('weft.enterprise', 'id')) as id`.execute(ctx.db);
  const [row] = rows;
  if (!row) throw new Error("nextval gave no row");
  return row.id;
}

function explain(error: unknown, draft: Partial<Draft>): never {
  throw asRefusal(error, constraints, draft) ?? error;
}
