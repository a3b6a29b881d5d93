import { segmentRoute } from "@weft/contract/domains/overlay/segment-route.ts";
import { sql } from "kysely";
import { node, pops } from "#domains/devices/public.ts";
import { enterprise } from "#domains/enterprises/public.ts";
import type { Context } from "#kernel/api.ts";
import { tableStore } from "#kernel/table-store.ts";
import { type PlacedSegment, placeSegments, type SegmentLack } from "./placement.ts";
import { readSegments } from "./stored.ts";
import { type SegmentHop, type SegmentVerdict, verdictOf } from "./verdict.ts";

type HopRow = SegmentHop & { readonly id: number; readonly space_id: number };

/** A POP by its id; ids are all that the rules know. */
const named = (lack: SegmentLack, names: ReadonlyMap<string, string>): SegmentLack => {
  const { pop } = lack.params;
  return pop === undefined
    ? lack
    : { ...lack, params: { ...lack.params, pop: names.get(pop) ?? `#${pop}` } };
};

async function popNames(ctx: Context, lacks: readonly SegmentLack[]) {
  const ids = lacks.flatMap(({ params }) => (params.pop ? [Number(params.pop)] : []));
  if (ids.length === 0) return new Map<string, string>();
  const rows = await ctx.db
    .selectFrom("node")
    .select(["id", "name"])
    .where("id", "in", ids)
    .execute();
  return new Map(rows.map(({ id, name }) => [`${id}`, name]));
}

const order = ["acts", "withdrawn", "pending", "cannot", "off"];
/** Of several spaces: the one where most of it is right. */
const best = (verdicts: readonly SegmentVerdict[]): SegmentVerdict | undefined =>
  verdicts.toSorted((a, b) => order.indexOf(a.state) - order.indexOf(b.state))[0];

/** What becomes of flows of each route, in the order of the rows. */
async function verdictsOf(
  ctx: Context,
  rows: readonly { readonly id: number; readonly enabled: boolean }[],
): Promise<SegmentVerdict[]> {
  const ids = rows.map(({ id }) => id);
  const { rows: hops } = await sql<HopRow>`
    select * from weft.segment_hops(${ids}::bigint[]) order by id, space_id, place`.execute(ctx.db);
  const spaces = [...new Set(hops.map(({ space_id }) => space_id))];
  const placed = [...(await readSegments(ctx.db, spaces))].map(
    ([space, all]: [number, readonly PlacedSegment[]]) => [space, placeSegments(all)] as const,
  );
  const lacks = new Map(placed.map(([space, one]) => [space, one.lacks]));
  const names = await popNames(
    ctx,
    [...lacks.values()].flatMap((bySpace) => [...bySpace.values()]),
  );
  return rows.map(({ id, enabled }) => {
    const bySpace = Map.groupBy(
      hops.filter((hop) => hop.id === id),
      ({ space_id }) => space_id,
    );
    const verdicts = [...bySpace].map(([space, list]) => {
      const lack = lacks.get(space)?.get(id) ?? null;
      return verdictOf(enabled, lack && named(lack, names), list);
    });
    return best(verdicts) ?? verdictOf(enabled, null, []);
  });
}

/** Segment routes with their POPs in the order in which traffic crosses them. */
export const segmentRouteStore = tableStore(segmentRoute, {
  table: "segment_route",
  columns: {
    id: "id",
    name: "name",
    groupid: "enterprise_id",
    cpeId: "cpe_id",
    destination: "destination",
    metric: "metric",
    enable: "enabled",
    remark: "remark",
    createTime: "created_at",
  },
  owner: { enterprise: "groupid" },
  filters: { name: "contains", cpeId: "equal" },
  matches: ({ popId }) =>
    popId === null
      ? null
      : sql`id in (select owner_id from segment_route_node where node_id = ${popId})`,
  constraints: {
    segment_route_name: { field: "name" },
    segment_route_once: { field: "destination" },
    // The key is checked with the enterprise: a stranger's CPE is none.
    segment_route_cpe: { field: "cpeId" },
  },
  members: {
    popIds: { table: "segment_route_node", of: pops, from: "readable", isOrdered: true },
  },
  names: { enterpriseName: enterprise("groupid"), cpeName: node("cpeId") },
  complete: verdictsOf,
});

/** Nodes whose states the routes are part of. */
export async function nodesOfSegments(ctx: Context, ids: readonly number[]): Promise<number[]> {
  const { rows } = await sql<{ node_ids: number[] }>`
    select node_ids from weft.segment_nodes(${[...ids]}::bigint[])`.execute(ctx.db);
  return rows.flatMap(({ node_ids }) => node_ids);
}
