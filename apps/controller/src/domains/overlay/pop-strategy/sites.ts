/** What strategies come to: CPEs under them, their links, and why links are missing. */
import type { Finding } from "@weft/contract/device/v1/findings.ts";
import type { popStrategySites } from "@weft/contract/domains/overlay/pop-strategy.ts";
import type { InputOf, ResultOf } from "@weft/contract/kernel/endpoint.ts";
import { sql } from "kysely";
import type { Context } from "#kernel/api.ts";
import { inCallerScope } from "#kernel/scope.ts";

interface Counts {
  readonly groups: number;
  readonly users: number;
  readonly sites: number;
  readonly links: number;
  readonly moving: number;
  readonly unplaced: number;
}

export const noCounts: Counts = {
  groups: 0,
  users: 0,
  sites: 0,
  links: 0,
  moving: 0,
  unplaced: 0,
};

/**
 * CPEs under the strategies `ids`, that the caller sees, with their links: `staying` those with POPs of the
 * strategy, `leaving` those that go. A link that an operator made with another POP is neither.
 */
const sitesOf = (ctx: Context, ids: readonly number[]) => sql`
  select e.pop_strategy_id as strategy_id, n.id, n.name, n.enterprise_id, m.space_id,
    count(l.id) filter (where not l.is_leaving and p.kind = 'pop') as links,
    coalesce(array_agg(p.id order by l.place nulls first, p.id)
      filter (where not l.is_leaving and p.kind = 'pop'), '{}') as staying,
    coalesce(array_agg(p.id order by p.id) filter (where l.is_leaving), '{}') as leaving
  from enterprise_strategy e
  join node n on n.enterprise_id = e.enterprise_id and n.kind = 'cpe'
  join space_member m on m.node_id = n.id
  left join link l on l.a_node_id = n.id and l.space_id = m.space_id
  left join node p on p.id = l.b_node_id
  where e.pop_strategy_id = any(${[...ids]}::bigint[])
    and ${inCallerScope(ctx, "n.enterprise_id", "n.created_by")}
  group by e.pop_strategy_id, n.id, m.space_id`;

/** How many groups, enterprises and CPEs each strategy has, and what became of the CPEs. */
export async function countsOf(ctx: Context, ids: readonly number[]): Promise<Map<number, Counts>> {
  const { rows } = await sql<Counts & { id: number }>`
    with site as (${sitesOf(ctx, ids)})
    select s.id,
      (select count(*) from pop_group g where g.strategy_id = s.id) as groups,
      (select count(*) from enterprise_strategy e where e.pop_strategy_id = s.id) as users,
      count(t.id) as sites, coalesce(sum(t.links), 0)::bigint as links,
      count(t.id) filter (where t.leaving <> '{}') as moving,
      count(t.id) filter (where t.staying = '{}') as unplaced
    from unnest(${[...ids]}::bigint[]) as s(id) left join site t on t.strategy_id = s.id
    group by s.id`.execute(ctx.db);
  return new Map(rows.map(({ id, ...counts }) => [id, counts]));
}

type Site = ResultOf<typeof popStrategySites>["rows"][number];

interface SiteRow extends Omit<Site, "standing" | "popIds" | "leavingPopIds" | "findings"> {
  readonly staying: readonly number[];
  readonly leaving: readonly number[];
  readonly findings: readonly Omit<Finding, "section">[];
}

const standingOf = ({ staying, leaving }: SiteRow): Site["standing"] => {
  if (staying.length === 0) return "unplaced";
  return leaving.length > 0 ? "moving" : "placed";
};

const distinct = (ids: readonly number[]): number[] => [...new Set(ids)];

/** A page of the CPEs under a strategy, those without a link first, then by name. */
export async function listSites(
  ctx: Context,
  { strategyId, page, limit }: InputOf<typeof popStrategySites>,
): Promise<ResultOf<typeof popStrategySites>> {
  const seen = sql`exists (select from pop_strategy s where s.id = ${strategyId}
    and ${inCallerScope(ctx, "s.enterprise_id", "s.created_by")})`;
  const site = sql`select * from (${sitesOf(ctx, [strategyId])}) s where ${seen}`;
  const [selected, total] = await Promise.all([
    sql<SiteRow>`
      select t.id, t.name, e.name as "enterpriseName", t.space_id as "netSpaceId",
        coalesce(p.name, '') as "netSpaceName", t.staying, t.leaving,
        coalesce((select jsonb_agg(jsonb_build_object('kind', f.kind, 'object', f.object,
            'reason', f.reason, 'params', f.params) order by f.object, f.reason)
          from node_finding f where f.node_id = t.id and f.space_id = t.space_id
            and f.source = 'links'), '[]') as findings
      from (${site}) t
      join enterprise e on e.id = t.enterprise_id
      left join net_space p on p.id = t.space_id
      order by t.staying <> '{}', t.leaving = '{}', t.name, t.id
      limit ${limit} offset ${(page - 1) * limit}`.execute(ctx.db),
    sql<{ n: number }>`select count(*) as n from (${site}) t`.execute(ctx.db),
  ]);
  const rows = selected.rows.map((row): Site => {
    const { staying, leaving, findings, ...own } = row;
    return {
      ...own,
      standing: standingOf(row),
      popIds: distinct(staying),
      leavingPopIds: distinct(leaving),
      findings: findings.map((finding) => ({ section: "", ...finding })),
    };
  });
  return { rows, count: total.rows[0]?.n ?? 0 };
}
