import type { circuit, circuitStates } from "@weft/contract/domains/overlay/circuit.ts";
import type { DraftOf, RowOf } from "@weft/contract/kernel/resource.ts";
import { type RawBuilder, type Selectable, type SqlBool, sql } from "kysely";
import type { Database } from "#db/schema.ts";
import { isUp } from "#domains/devices/public.ts";
import { dueSoonAt } from "#domains/enterprises/param-config/public.ts";
import type { Context } from "#kernel/api.ts";
import { asRefusal } from "#kernel/database-errors.ts";
import { refuse } from "#kernel/refuse.ts";
import type { ListedRow, ListQuery, Store, StoredRow, WrittenRow } from "#kernel/resource-store.ts";
import { versionText } from "#kernel/row-version.ts";
import { inCallerScope, requireEnterprise } from "#kernel/scope.ts";
import { contains } from "#kernel/table-store.ts";
import { requireEnds } from "./ends.ts";

type Draft = DraftOf<typeof circuit>;
type Columns = Selectable<Database["circuit"]>;
type NodeKind = RowOf<typeof circuit>["sourceKind"];

interface Listed extends Columns {
  readonly enterprise_name: string | null;
  readonly source_kind: NodeKind;
  readonly source_name: string;
  readonly target_kind: NodeKind;
  readonly target_name: string;
  readonly state: (typeof circuitStates)[number];
  readonly links: number;
  readonly links_up: number;
}

const mine = (ctx: Context) => inCallerScope(ctx, "c.enterprise_id", "c.created_by");

/** Links of a circuit's enterprise straight between its two ends. */
const isBetween = sql<SqlBool>`l.enterprise_id = c.enterprise_id
  and ((l.a_node_id = c.source_id and l.b_node_id = c.target_id)
    or (l.a_node_id = c.target_id and l.b_node_id = c.source_id))`;

const sortColumns = {
  id: "c.id",
  name: "c.name",
  bandwidth: "c.bandwidth_kbps",
  expireTime: "c.expire_at",
  createTime: "c.created_at",
} as const;

const matching = (ctx: Context, query: ListQuery<typeof circuit>) => {
  const parts: RawBuilder<SqlBool>[] = [mine(ctx)];
  if (query.groupid !== null) parts.push(sql`c.enterprise_id = ${query.groupid}`);
  if (query.name) parts.push(contains(sql.ref("c.name"), query.name));
  return sql<SqlBool>`${sql.join(parts, sql` and `)}`;
};

async function list(ctx: Context, query: ListQuery<typeof circuit>) {
  const column = sortColumns[(query.orderByColumn ?? "id") as keyof typeof sortColumns];
  const where = matching(ctx, query);
  const [selected, total] = await Promise.all([
    sql<Listed>`
      select c.*, e.name as enterprise_name, coalesce(s.kind, 'pop') as source_kind,
        coalesce(s.name, '') as source_name, coalesce(t.kind, 'pop') as target_kind,
        coalesce(t.name, '') as target_name,
        case when not c.enabled then 0 when c.expire_at <= now() then 5
          when c.expire_at <= ${dueSoonAt(ctx)} then 4 else 3 end as state,
        k.links, k.links_up
      from circuit c
      left join node s on s.id = c.source_id
      left join node t on t.id = c.target_id
      left join enterprise e on e.id = c.enterprise_id
      cross join lateral (select count(*)::int as links,
          count(*) filter (where ${isUp("ls")})::int as links_up
        from link l left join link_status ls on ls.link_id = l.id where ${isBetween}) k
      where ${where}
      order by ${sql.ref(column)} ${sql.raw(query.isAsc === "desc" ? "desc" : "asc")}, c.id
      limit ${query.limit} offset ${(query.page - 1) * query.limit}`.execute(ctx.db),
    sql<{ n: number }>`select count(*)::int as n from circuit c where ${where}`.execute(ctx.db),
  ]);
  return { rows: selected.rows.map(toRow), count: total.rows[0]?.n ?? 0 };
}

const toRow = (row: Listed): ListedRow<typeof circuit> => ({
  ...recorded(row),
  rowVersion: versionText(row.row_version),
  id: row.id,
  enterpriseName: row.enterprise_name ?? "",
  sourceKind: row.source_kind,
  sourceName: row.source_name,
  targetKind: row.target_kind,
  targetName: row.target_name,
  status: row.state,
  links: row.links,
  linksUp: row.links_up,
  createTime: row.created_at,
});

/** A circuit as the operation log shows it: by the contract's names. */
const recorded = (row: Columns): Draft => ({
  name: row.name,
  groupid: row.enterprise_id,
  sourceId: row.source_id,
  targetId: row.target_id,
  bandwidth: row.bandwidth_kbps,
  guaranteed: row.guaranteed_kbps,
  lineQuality: row.line_quality as Draft["lineQuality"],
  enable: row.enabled,
  expireTime: row.expire_at,
  remark: row.remark,
});

/** Each end shapes what it sends. */
const touching = (rows: readonly Columns[]): Pick<WrittenRow, "touches"> => ({
  touches: {
    nodeIds: [...new Set(rows.flatMap((row) => [row.source_id, row.target_id]))],
    spaceIds: [],
  },
});

async function lock(ctx: Context, ids: readonly number[]): Promise<Columns[]> {
  const { rows } = await sql<Columns>`
    select c.* from circuit c where c.id = any(${[...ids]}::bigint[]) and ${mine(ctx)}
    order by c.id for update`.execute(ctx.db);
  if (rows.length !== new Set(ids).size) refuse("notFound");
  return rows;
}

async function save(ctx: Context, id: number | null, draft: Draft): Promise<StoredRow> {
  const [old] = id === null ? [] : await lock(ctx, [id]);
  await requireEnterprise(ctx, draft.groupid, "groupid");
  const values = {
    name: draft.name,
    enterprise_id: draft.groupid,
    ...(await requireEnds(ctx, draft)),
    bandwidth_kbps: draft.bandwidth,
    guaranteed_kbps: draft.guaranteed,
    line_quality: draft.lineQuality,
    enabled: draft.enable,
    expire_at: draft.expireTime,
    remark: draft.remark,
  };
  const written = old
    ? ctx.db
        .updateTable("circuit")
        .set({ ...values, updated_at: sql`now()` })
        .where("id", "=", old.id)
        .returningAll()
    : ctx.db
        .insertInto("circuit")
        .values({ ...values, created_by: ctx.caller.userId })
        .returningAll();
  const row = await written.executeTakeFirstOrThrow().catch((error: unknown) => {
    throw asRefusal(error, { circuit_name: { field: "name" } }, draft) ?? error;
  });
  return {
    id: row.id,
    enterpriseId: row.enterprise_id,
    old: old ? recorded(old) : null,
    new: recorded(row),
    versions: { old: old?.row_version ?? null, new: row.row_version },
    ...touching([row, ...(old ? [old] : [])]),
  };
}

async function remove(ctx: Context, ids: readonly number[]): Promise<StoredRow[]> {
  const rows = await lock(ctx, ids);
  await ctx.db
    .deleteFrom("circuit")
    .where(sql<SqlBool>`id = any(${[...ids]}::bigint[])`)
    .execute();
  return rows.map((row) => ({
    id: row.id,
    enterpriseId: row.enterprise_id,
    old: recorded(row),
    new: null,
    versions: { old: row.row_version, new: null },
    ...touching([row]),
  }));
}

/** Circuits with both ends and how many links of theirs are up. */
export const circuitStore: Store<typeof circuit> = {
  list,
  add: (ctx, draft) => save(ctx, null, draft),
  edit: (ctx, id, draft) => save(ctx, id, draft),
  remove,
};

export interface CircuitLink {
  readonly id: number;
  /** The end that probes it. */
  readonly node: number;
  readonly fromSource: boolean;
}

/** Maximum links whose metrics one report is made of. */
const maxLinks = 1_000;

/** Links of circuits of the caller: of one, of one enterprise's, or of all. Each link once. */
export async function linksOfCircuits(
  ctx: Context,
  which: { readonly id?: number; readonly groupid?: number | null },
): Promise<CircuitLink[]> {
  const parts: RawBuilder<SqlBool>[] = [mine(ctx), isBetween];
  if (which.id !== undefined) parts.push(sql`c.id = ${which.id}`);
  if (which.groupid) parts.push(sql`c.enterprise_id = ${which.groupid}`);
  const { rows } = await sql<CircuitLink>`
    select distinct on (l.id) l.id, l.a_node_id as node, l.a_node_id = c.source_id as "fromSource"
    from circuit c join link l on ${isBetween}
    where ${sql.join(parts, sql` and `)} order by l.id, c.id limit ${maxLinks}`.execute(ctx.db);
  return rows;
}

/** True when the caller may read the circuit. */
export async function isCircuit(ctx: Context, id: number): Promise<boolean> {
  const { rows } = await sql`
    select from circuit c where c.id = ${id} and ${mine(ctx)}`.execute(ctx.db);
  return rows.length > 0;
}
