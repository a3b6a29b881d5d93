/** What the database knows of the trouble in the caller's scope: nodes that are not well, links by POP and carrier. */
import type { workplace } from "@weft/contract/domains/monitoring/workplace.ts";
import type { OutputOf } from "@weft/contract/kernel/endpoint.ts";
import { type RawBuilder, type SqlBool, sql } from "kysely";
import { isPoor, isUp } from "#domains/devices/public.ts";
import type { Context } from "#kernel/api.ts";
import { inCallerScope } from "#kernel/scope.ts";
import type { Extent, Facts, Path, Trouble } from "./root-causes.ts";

type Heat = OutputOf<typeof workplace>["heat"];

/** Nodes and paths that one page looks at; more trouble than this is looked at by its worst part. */
const maxTroubles = 5_000;
const maxPaths = 20_000;
/** POPs and carriers that the map has room for. */
const maxPops = 12;
const maxCarriers = 6;

/** Nodes whose state is bad or needs attention, the worst first. */
async function troublesOf(ctx: Context): Promise<Trouble[]> {
  const { rows } = await sql<Trouble>`
    select n.id, n.kind, n.name, n.enterprise_id as "enterpriseId",
      coalesce(e.name, '') as "enterpriseName", h.state, h.since,
      -- An alarm of a shared POP is called by a policy of its owner.
      case when h.state = 'alarm' and not ${inCallerScope(ctx, "n.enterprise_id", "n.created_by")}
        then '{}'::jsonb else h.detail end as detail
    from node_health h join node n on n.id = h.node_id
      left join enterprise e on e.id = n.enterprise_id
    where h.tone in ('bad', 'warn')
      and (n.kind = 'pop' or ${inCallerScope(ctx, "n.enterprise_id", "n.created_by")})
    order by h.rank, h.since, n.id limit ${maxTroubles}`.execute(ctx.db);
  return rows;
}

interface Grouped {
  /** What the group is of: 0 a POP and a carrier, 1 a POP, 2 a carrier. */
  readonly open: number;
  readonly popId: number | null;
  readonly popName: string | null;
  readonly isp: string | null;
  readonly sites: number;
  readonly down: number;
  readonly poor: number;
  readonly loss: number | null;
}

type PathRecord = Omit<Path, "since"> & { readonly since: string | null };

interface Links {
  readonly groups: readonly Grouped[] | null;
  readonly paths: readonly PathRecord[] | null;
}

/**
 * What makes a link bad, in a statement that has \`l\` (the link), \`e\` (its end at a site: node_id, slot, peer_id),
 * \`i\` (the line there) and \`s\` (its status).
 */
export interface BadLinks {
  readonly down: RawBuilder<SqlBool>;
  readonly poor: RawBuilder<SqlBool>;
  /** Statement of the ids of sites whose paths are wanted although none of their links is bad. */
  readonly sites: RawBuilder<unknown>;
}

/** Bad links as they are measured now. */
function measuredNow(): BadLinks {
  return {
    down: sql`(s.link_id is not null and not ${isUp("s")})`,
    poor: isPoor("s"),
    sites: sql`select node_id from node_health where tone in ('bad', 'warn')`,
  };
}

/** Links of the sites in scope by POP and carrier, and those of sites that have a bad one. */
async function linksOf(ctx: Context, { down, poor, sites }: BadLinks): Promise<Links> {
  const { rows } = await sql<Links>`
    with path as materialized (
      select n.id as "siteId", n.name as "siteName", n.enterprise_id as "enterpriseId",
        p.id as "popId", coalesce(p.name, '') as "popName", coalesce(i.isp, '') as isp,
        count(*) as links,
        count(*) filter (where w.down or w.poor) as bad, count(*) filter (where w.down) as down,
        max(q.value) filter (where w.poor and q.metric = 'loss') as loss,
        -- One that is no longer measured fell when it was measured last.
        min(case when s.up then s.at else s.changed_at end) filter (where w.down) as fell,
        min(q.since) filter (where w.poor) as worsened
      from link l
      cross join lateral (values (l.a_node_id, l.a_slot, l.b_node_id),
        (l.b_node_id, l.b_slot, l.a_node_id)) as e (node_id, slot, peer_id)
      join node n on n.id = e.node_id and n.kind = 'cpe'
      left join node p on p.id = e.peer_id and p.kind = 'pop'
      left join line i on i.node_id = e.node_id and i.slot = e.slot
      left join link_status s on s.link_id = l.id
      left join link_quality q on q.link_id = l.id
      cross join lateral (select ${down} as down, ${poor} as poor) w
      where n.enabled and ${inCallerScope(ctx, "n.enterprise_id", "n.created_by")}
      group by n.id, p.id, p.name, coalesce(i.isp, '')
    ), groups as (
      select grouping("popId", isp) as open, "popId", max("popName") as "popName", isp,
        count(distinct "siteId") as sites,
        count(distinct "siteId") filter (where down > 0) as down,
        count(distinct "siteId") filter (where bad > 0 and down = 0) as poor, max(loss) as loss
      from path group by grouping sets (("popId", isp), ("popId"), (isp))
    ), cut as (
      select p."siteId", p."siteName", p."enterpriseId", coalesce(e.name, '') as "enterpriseName",
        p."popId", p."popName", p.isp, p.links, p.bad, p.down, p.loss,
        case when p.bad > 0 then coalesce(p.fell, p.worsened, h.since) end as since
      from path p left join enterprise e on e.id = p."enterpriseId"
        left join node_health h on h.node_id = p."siteId"
      where p."siteId" in (select "siteId" from path where bad > 0
        union all ${sites})
      order by h.rank nulls last, p."siteId", p."popId", p.isp limit ${maxPaths}
    )
    select (select jsonb_agg(to_jsonb(g)) from groups g) as groups,
      (select jsonb_agg(to_jsonb(c)) from cut c) as paths`.execute(ctx.db);
  return rows[0] ?? { groups: [], paths: [] };
}

const weight = ({ down, poor }: Grouped): number => 2 * down + poor;
const byWeight = (a: Grouped, b: Grouped): number => weight(b) - weight(a) || b.sites - a.sites;

/** POPs and carriers with most trouble first, and the cells of those. */
function heatOf(groups: readonly Grouped[]): Heat {
  const pops = groups
    .filter(({ open }) => open === 1)
    .toSorted(byWeight)
    .flatMap(({ popId, popName }) => (popId === null ? [] : [{ id: popId, name: popName ?? "" }]))
    .slice(0, maxPops);
  const carriers = groups
    .filter(({ open }) => open === 2)
    .toSorted(byWeight)
    .map(({ isp }) => isp ?? "")
    .slice(0, maxCarriers);
  const cells = groups.flatMap(({ open, popId, isp, sites, down, poor, loss }) => {
    const isShown = pops.some(({ id }) => id === popId) && carriers.includes(isp ?? "");
    return open === 0 && popId !== null && isp !== null && isShown
      ? [{ popId, isp, sites, down, poor, loss }]
      : [];
  });
  return { pops, carriers, cells };
}

const extentOf = ({ open, popId, isp, sites }: Grouped): Extent => ({
  popId: open === 2 ? null : popId,
  isp: open === 1 ? null : isp,
  sites,
});

const pathOf = (path: PathRecord): Path => ({
  ...path,
  since: path.since === null ? null : new Date(path.since),
});

const extentsOf = (groups: readonly Grouped[]): Extent[] =>
  groups.filter(({ open, popId }) => open === 2 || popId !== null).map(extentOf);

/** Paths of sites that have a bad one, and how many sites have paths at all. */
export async function readPaths(
  ctx: Context,
  bad: BadLinks,
): Promise<Pick<Facts, "paths" | "extents">> {
  const { groups, paths } = await linksOf(ctx, bad);
  return { paths: (paths ?? []).map(pathOf), extents: extentsOf(groups ?? []) };
}

/** What the causes follow from, and the map of POPs and carriers. @param seen devices known from contact. */
export async function readFacts(
  ctx: Context,
  seen: number,
): Promise<{ readonly facts: Facts; readonly heat: Heat }> {
  const [troubles, { groups, paths }] = await Promise.all([
    troublesOf(ctx),
    linksOf(ctx, measuredNow()),
  ]);
  const known = groups ?? [];
  const facts: Facts = {
    troubles,
    paths: (paths ?? []).map(pathOf),
    extents: extentsOf(known),
    seen,
  };
  return { facts, heat: heatOf(known) };
}
