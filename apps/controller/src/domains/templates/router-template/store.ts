import type { RolloutState } from "@weft/contract/domains/templates/rollout.ts";
import type { routerTemplate } from "@weft/contract/domains/templates/router-template.ts";
import type { DraftOf } from "@weft/contract/kernel/resource.ts";
import { type Selectable, type SqlBool, sql } from "kysely";
import type { Database } from "#db/schema.ts";
import { cancelIssueTasks } from "#domains/delivery/lifecycle/public.ts";
import type { Context } from "#kernel/api.ts";
import { asRefusal } from "#kernel/database-errors.ts";
import { refuse } from "#kernel/refuse.ts";
import type { ListedRow, ListQuery, Store, StoredRow } from "#kernel/resource-store.ts";
import { versionText } from "#kernel/row-version.ts";
import { inCallerScope, requireEnterprise } from "#kernel/scope.ts";
import { contains } from "#kernel/table-store.ts";
import { requireAllInScope } from "./members.ts";
import { lockOpenRollouts } from "./open-rollout.ts";

type Draft = DraftOf<typeof routerTemplate>;
export type TemplateRow = Selectable<Database["router_template"]>;

interface Listed extends TemplateRow {
  readonly enterprise_name: string | null;
  readonly creator: string | null;
  readonly cpes: number;
  readonly finished: number;
  readonly rollout_state: RolloutState | null;
  readonly is_bad: boolean | null;
  /** Rows on all pages. */
  readonly in_all: number;
}

const mine = (ctx: Context) => inCallerScope(ctx, "t.enterprise_id", "t.created_by");

const sortColumns = {
  templateId: "t.id",
  temName: "t.name",
  createTime: "t.created_at",
} as const;

async function list(ctx: Context, query: ListQuery<typeof routerTemplate>) {
  const column = sortColumns[(query.orderByColumn ?? "templateId") as keyof typeof sortColumns];
  const parts = [mine(ctx)];
  if (query.temName) parts.push(contains(sql.ref("t.name"), query.temName));
  const where = sql<SqlBool>`${sql.join(parts, sql` and `)}`;
  const counted = sql<{
    n: number;
  }>`select count(*)::int as n from router_template t where ${where}`;
  const offset = (query.page - 1) * query.limit;
  const { rows } = await sql<Listed>`
      select t.*, (${counted}) as in_all, e.name as enterprise_name, c.login_name as creator,
        (select count(*)::int from router_template_node m where m.template_id = t.id) as cpes,
        (select count(distinct m.node_id)::int from router_template_node m
          join task k on k.node_id = m.node_id
          where m.template_id = t.id and m.version = t.version and k.type = 'template'
            and k.template_id = t.id and k.template_version = t.version and k.status = 1) as finished,
        o.state as rollout_state, o.is_bad
      from router_template t
      left join template_rollout o on o.template_id = t.id and o.version = t.version
      left join enterprise e on e.id = t.enterprise_id
      left join sys_user c on c.id = t.created_by
      where ${where}
      order by ${sql.ref(column)} ${sql.raw(query.isAsc === "desc" ? "desc" : "asc")}, t.id
      limit ${query.limit} offset ${offset}`.execute(ctx.db);
  // Behind the last row there is none that could carry the count.
  const isBehind = rows.length === 0 && offset > 0;
  const [total] = isBehind ? (await counted.execute(ctx.db)).rows : [];
  return { rows: rows.map(toRow), count: total?.n ?? rows[0]?.in_all ?? 0 };
}

const toRow = (row: Listed): ListedRow<typeof routerTemplate> => ({
  rowVersion: versionText(row.row_version),
  templateId: row.id,
  temName: row.name,
  ...toDraft(row),
  groupid: row.enterprise_id,
  enterpriseName: row.enterprise_name ?? "",
  cpeNum: row.cpes,
  cpeFinishNum: row.finished,
  version: row.version,
  rolloutState: row.rollout_state,
  isBad: row.is_bad ?? false,
  createTime: row.created_at,
  createBy: row.creator,
});

const toDraft = (row: TemplateRow): Draft => ({ templateName: row.name, remark: row.remark });

const explain =
  (draft: Draft) =>
  (error: unknown): never => {
    const constraints = { router_template_name: { field: "templateName" } };
    throw asRefusal(error, constraints, draft) ?? error;
  };

/** Templates of these ids, locked in order; fewer when one is not there or not the caller's. */
export async function lockTemplates(ctx: Context, ids: readonly number[]): Promise<TemplateRow[]> {
  const { rows } = await sql<TemplateRow>`
    select t.* from router_template t
    where t.id = any(${[...ids]}::bigint[]) and ${mine(ctx)} order by t.id for update`.execute(
    ctx.db,
  );
  return rows;
}

/** One template of the caller's, locked: changes of its members and of its versions take turns. */
export const lockTemplate = async (ctx: Context, id: number): Promise<TemplateRow> =>
  (await lockTemplates(ctx, [id]))[0] ?? refuse("notFound");

/** A template of the caller's, to read. */
export async function requireTemplate(ctx: Context, id: number): Promise<TemplateRow> {
  const { rows } = await sql<TemplateRow>`
    select t.* from router_template t where t.id = ${id} and ${mine(ctx)}`.execute(ctx.db);
  return rows[0] ?? refuse("notFound");
}

async function add(ctx: Context, draft: Draft): Promise<StoredRow> {
  const { enterpriseId, userId } = ctx.caller;
  await requireEnterprise(ctx, enterpriseId, "groupid");
  const row = await ctx.db
    .insertInto("router_template")
    .values({
      enterprise_id: enterpriseId,
      name: draft.templateName,
      remark: draft.remark,
      created_by: userId,
    })
    .returning(["id", "row_version"])
    .executeTakeFirstOrThrow()
    .catch(explain(draft));
  const versions = { old: null, new: row.row_version };
  return { id: row.id, enterpriseId, old: null, new: draft, versions };
}

async function edit(ctx: Context, id: number, draft: Draft): Promise<StoredRow> {
  const old = await lockTemplate(ctx, id);
  const { row_version } = await ctx.db
    .updateTable("router_template")
    .set({ name: draft.templateName, remark: draft.remark, updated_at: sql`now()` })
    .where("id", "=", id)
    .returning("row_version")
    .executeTakeFirstOrThrow()
    .catch(explain(draft));
  const versions = { old: old.row_version, new: row_version };
  return { id, enterpriseId: old.enterprise_id, old: toDraft(old), new: draft, versions };
}

/** Removes templates with all that is theirs but the log; their CPEs lose what was published. */
async function remove(ctx: Context, ids: readonly number[]): Promise<StoredRow[]> {
  const templates = await lockTemplates(ctx, ids);
  if (templates.length !== ids.length) return [];
  await lockOpenRollouts(ctx, ids);
  const members = await requireAllInScope(ctx, ids);
  const nodes = members.map(({ node_id }) => node_id);
  await cancelIssueTasks(ctx.db, nodes);
  await ctx.db
    .deleteFrom("router_template")
    .where("id", "in", [...ids])
    .execute();
  return templates.map((template) => ({
    id: template.id,
    enterpriseId: template.enterprise_id,
    old: { ...toDraft(template), version: template.version },
    new: null,
    versions: { old: template.row_version, new: null },
    touches: {
      nodeIds: members
        .filter((member) => member.template_id === template.id && member.version !== null)
        .map(({ node_id }) => node_id),
    },
  }));
}

/** Choices of a select. */
export async function combo(ctx: Context) {
  const { rows } = await sql<{ templateId: number; templateName: string }>`
    select t.id as "templateId", t.name as "templateName" from router_template t
    where ${mine(ctx)} order by t.name, t.id`.execute(ctx.db);
  return rows;
}

/** Router templates of the caller's own enterprise and of those in scope. */
export const routerTemplateStore: Store<typeof routerTemplate> = { list, add, edit, remove };
