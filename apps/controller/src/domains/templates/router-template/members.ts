/** Which CPE follows which template. */
import type {
  routerTemplateAllCpes,
  routerTemplateCpes,
} from "@weft/contract/domains/templates/router-template.ts";
import type { InputOf, OutputOf } from "@weft/contract/kernel/endpoint.ts";
import { type RawBuilder, type Selectable, type SqlBool, sql } from "kysely";
import type { Database } from "#db/schema.ts";
import { cancelIssueTasks } from "#domains/delivery/lifecycle/public.ts";
import type { Context } from "#kernel/api.ts";
import { refuse, refuseField } from "#kernel/refuse.ts";
import { inCallerScope } from "#kernel/scope.ts";
import { contains } from "#kernel/table-store.ts";

/** CPEs that were taken out by hand: the enterprises of the template do not bring them in again. */
interface KeepOutTemplate {
  readonly id: number;
  readonly enterprise_id: number;
}

/** Of CPEs that were taken out of a template, those of its enterprises stay out. */
async function keepOut(
  ctx: Context,
  template: KeepOutTemplate,
  members: readonly Pick<
    Selectable<Database["router_template_node"]>,
    "node_id" | "node_enterprise_id"
  >[],
): Promise<void> {
  if (members.length === 0) return;
  await sql`
    insert into router_template_exclusion
      (enterprise_id, template_id, node_id, node_enterprise_id, created_by)
    select ${template.enterprise_id}, ${template.id}, m.node_id, m.enterprise_id, ${ctx.caller.userId}
    from unnest(${members.map(({ node_id }) => node_id)}::bigint[],
      ${members.map(({ node_enterprise_id }) => node_enterprise_id)}::bigint[])
      as m (node_id, enterprise_id)
    join router_template_target t
      on t.template_id = ${template.id} and t.target_enterprise_id = m.enterprise_id
    on conflict do nothing`.execute(ctx.db);
}

/** Who puts a CPE in by hand wants it in the template. */
async function admitAgain(
  ctx: Context,
  template: KeepOutTemplate,
  nodeIds: readonly number[],
): Promise<void> {
  if (nodeIds.length === 0) return;
  await sql`
    delete from router_template_exclusion
    where template_id = ${template.id} and node_id = any(${[...nodeIds]}::bigint[])`.execute(
    ctx.db,
  );
}

type MemberRow = Selectable<Database["router_template_node"]>;
export type Template = Pick<
  Selectable<Database["router_template"]>,
  "id" | "enterprise_id" | "name"
>;
type TemplateCpe = OutputOf<typeof routerTemplateCpes>[number];

const outside = {
  reason: [
    "模板中有数据范围之外的 CPE",
    "the template has CPEs that are outside of your data scope",
  ],
} as const;
const ofParent = ["上级企业的模板", "a template of an enterprise above"] as const;

const mine = (ctx: Context) => inCallerScope(ctx, "n.enterprise_id", "n.created_by");

interface Listed {
  readonly id: number;
  readonly alias: string;
  readonly groupid: number;
  readonly enterprise_name: string | null;
  readonly taken: boolean;
  readonly template_id: number | null;
  readonly template_name: string | null;
  readonly remark: string;
}

async function listCpes(ctx: Context, parts: readonly RawBuilder<unknown>[]) {
  const { rows } = await sql<Listed>`
    select n.id, n.name as alias, n.enterprise_id as groupid, e.name as enterprise_name,
      m.node_id is not null as taken, t.id as template_id, t.name as template_name, n.remark
    from node n
    left join enterprise e on e.id = n.enterprise_id
    left join router_template_node m on m.node_id = n.id
    left join router_template t on t.id = m.template_id
    where n.kind = 'cpe' and ${mine(ctx)} and ${sql.join([...parts], sql` and `)}
    order by n.name, n.id`.execute(ctx.db);
  return rows.map(
    (row): TemplateCpe => ({
      id: row.id,
      alias: row.alias,
      groupid: row.groupid,
      enterprise: { name: row.enterprise_name ?? "" },
      templateId: row.template_id,
      templateName: row.template_name,
      taken: row.taken,
      remark: row.remark,
    }),
  );
}

/** CPEs of enterprises that the template may serve, but for those in it. */
export function availableCpes(
  ctx: Context,
  template: Template,
  { groupid, alias }: InputOf<typeof routerTemplateAllCpes>,
): Promise<TemplateCpe[]> {
  const parts = [
    sql`m.template_id is distinct from ${template.id}`,
    sql`n.enterprise_id in (${below(template.enterprise_id)})`,
  ];
  if (groupid !== null) parts.push(sql`n.enterprise_id = ${groupid}`);
  if (alias) parts.push(contains(sql.ref("n.name"), alias));
  return listCpes(ctx, parts);
}

export function addedCpes(ctx: Context, template: Template, alias: string | null) {
  const parts: RawBuilder<unknown>[] = [sql`m.template_id = ${template.id}`];
  if (alias) parts.push(contains(sql.ref("n.name"), alias));
  return listCpes(ctx, parts);
}

/** An enterprise and those under it, as far as the caller sees them. */
export const below = (enterpriseId: number) => sql`
  with recursive sub as (
    select id from enterprise where id = ${enterpriseId}
    union all select e.id from enterprise e join sub on e.parent_id = sub.id
  ) select id from sub`;

interface Candidate {
  readonly id: number;
  readonly name: string;
  readonly enterprise_id: number;
  readonly taken: boolean;
  readonly template_id: number | null;
  readonly template_name: string | null;
}

/**
 * Puts CPEs into a template; those that are in it already stay as they are. Refuses ids that are not
 * the caller's CPEs or belong to no enterprise that the template serves, and names the template of
 * one that is in another.
 */
export async function addMembers(
  ctx: Context,
  template: Template,
  ids: readonly number[],
): Promise<Candidate[]> {
  // Locked: of two templates that want one CPE, the second finds it taken. Not against those that only refer to
  // the node: the worker does for many nodes, in another order, and both would wait for each other.
  const { rows } = await sql<Candidate>`
    select n.id, n.name, n.enterprise_id, m.node_id is not null as taken,
      m.template_id, t.name as template_name
    from node n
    left join router_template_node m on m.node_id = n.id
    left join router_template t on t.id = m.template_id
    where n.kind = 'cpe' and n.id = any(${[...ids]}::bigint[]) and ${mine(ctx)}
      and n.enterprise_id in (${below(template.enterprise_id)})
    order by n.id for no key update of n`.execute(ctx.db);
  if (rows.length !== ids.length) refuseField("cpeIds", "unknown");
  const other = rows.find((row) => row.taken && row.template_id !== template.id);
  if (other) refuseTaken(other);
  const fresh = rows.filter(({ taken }) => !taken);
  const { rows: written } = await sql<{ id: number }>`
    insert into router_template_node (node_id, enterprise_id, template_id, node_enterprise_id)
    select id, ${template.enterprise_id}, ${template.id}, enterprise_id
    from unnest(${fresh.map(({ id }) => id)}::bigint[], ${fresh.map(
      ({ enterprise_id }) => enterprise_id,
    )}::bigint[]) as f (id, enterprise_id)
    on conflict do nothing returning node_id as id`.execute(ctx.db);
  const missed = fresh.find(({ id }) => !written.some((one) => one.id === id));
  // In a template that row-level security does not show.
  if (missed) refuseTaken(missed);
  await admitAgain(ctx, template, ids);
  return fresh;
}

function refuseTaken({ name, template_name }: Candidate): never {
  const [zh, en] = template_name === null ? ofParent : [template_name, template_name];
  refuse("notAllowedNow", {
    reason: [
      `CPE“${name}”已在模板“${zh}”中，先移出`,
      `CPE “${name}” is in template “${en}”; take it out first`,
    ],
  });
}

/** Takes CPEs out of a template and cancels what has not reached them. */
export async function removeMembers(
  ctx: Context,
  template: Template,
  ids: readonly number[],
): Promise<MemberRow[]> {
  const { rows } = await sql<MemberRow>`
    delete from router_template_node m using node n
    where n.id = m.node_id and m.template_id = ${template.id}
      and m.node_id = any(${[...ids]}::bigint[]) and ${mine(ctx)}
    returning m.*`.execute(ctx.db);
  if (rows.length !== ids.length) refuseField("cpeIds", "unknown");
  await cancelIssueTasks(
    ctx.db,
    rows.map(({ node_id }) => node_id),
  );
  await keepOut(ctx, template, rows);
  return rows;
}

interface ScopedMember extends MemberRow {
  readonly inScope: boolean;
}

/** CPEs of templates. Refuses when one of them is not the caller's to change. */
export async function requireAllInScope(
  ctx: Context,
  templateIds: readonly number[],
): Promise<MemberRow[]> {
  const isMine = sql<SqlBool>`coalesce(${mine(ctx)}, false)`;
  const { rows } = await sql<ScopedMember>`
    select m.*, n.id is not null and ${isMine} as "inScope"
    from router_template_node m left join node n on n.id = m.node_id
    where m.template_id = any(${[...templateIds]}::bigint[]) order by m.node_id`.execute(ctx.db);
  if (rows.some(({ inScope }) => !inScope)) refuse("notAllowedNow", outside);
  return rows;
}
