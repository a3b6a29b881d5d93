import type { availability, watchedKinds } from "@weft/contract/domains/monitoring/node-report.ts";
import type { InputOf, OutputOf } from "@weft/contract/kernel/endpoint.ts";
import { type RawBuilder, type SqlBool, sql } from "kysely";
import type { Context } from "#kernel/api.ts";
import { inCallerScope } from "#kernel/scope.ts";

type AvailabilityQuery = InputOf<typeof availability>;
type Found = OutputOf<typeof availability>;

interface Watched {
  /** The device that reports; while it is offline, nothing is known of its lines and links. */
  readonly nodeId: number;
  /** Interface of a line. */
  readonly name: string | null;
}

const finders: Readonly<
  Record<(typeof watchedKinds)[number], (ctx: Context, id: number) => RawBuilder<Watched>>
> = {
  // A POP that is shared with the caller is there, though its history is its owner's.
  node: (_, id) => sql`select n.id as "nodeId", null as name from node n where n.id = ${id}`,
  line: (ctx, id) => sql`
    select n.id as "nodeId", l.interface_name as name from line l join node n on n.id = l.node_id
    where l.id = ${id} and ${inCallerScope(ctx, "n.enterprise_id", "n.created_by")}`,
  link: (ctx, id) => sql`select l.a_node_id as "nodeId", null as name from link l
    where l.id = ${id} and ${inCallerScope(ctx, "l.enterprise_id")}`,
};

/** Buckets of a strip; widths that people read off a clock, in seconds. */
const maxBuckets = 96;
const steps = [300, 900, 1_800, 3_600, 7_200, 21_600, 86_400, 604_800] as const;

/** The narrowest bucket of which a range has no more than a strip has room for. */
export const stepOf = ({
  startTime,
  endTime,
}: Pick<AvailabilityQuery, "startTime" | "endTime">): number => {
  const seconds = (endTime.getTime() - startTime.getTime()) / 1_000;
  return steps.find((step) => seconds / step <= maxBuckets) ?? 604_800;
};

interface Span {
  readonly time: Date;
  readonly up: number;
  readonly down: number;
  readonly unknown: number;
  readonly all_up: number;
  readonly all_down: number;
  readonly all_unknown: number;
  readonly percent: number | null;
  readonly outages: number;
}

/**
 * Up, down and unknown seconds of a node, line or link, out of the log of what changed state. A time is
 * known from the first turn that was written on; of a line or link only while its device was in touch.
 * @returns null when it is not there, or not for the caller.
 */
export async function findAvailability(
  ctx: Context,
  query: AvailabilityQuery,
): Promise<Found | null> {
  const { kind, id, startTime } = query;
  const { rows: watched } = await finders[kind](ctx, id).execute(ctx.db);
  const [one] = watched;
  if (!one) return null;
  // What is still to come is not unknown: it is no part of the range.
  const endTime = new Date(Math.min(query.endTime.getTime(), Date.now()));
  const step = stepOf(query);
  if (endTime <= startTime)
    return { step, percent: null, up: 0, down: 0, unknown: 0, outages: 0, buckets: [] };
  const ofKind = {
    node: sql<SqlBool>`t.kind = 'node' and t.node_id = ${one.nodeId}`,
    line: sql<SqlBool>`t.kind = 'line' and t.node_id = ${one.nodeId} and t.name = ${one.name}`,
    link: sql<SqlBool>`t.kind = 'link' and t.link_id = ${id}`,
  }[kind];
  const device = sql<SqlBool>`t.kind = 'node' and t.node_id = ${one.nodeId}`;
  const scope = inCallerScope(ctx, "t.enterprise_id", "t.created_by");
  /** Turns within the range, and the last one before it as of its start. */
  const turns = (which: RawBuilder<SqlBool>) => sql`
    (select ${startTime}::timestamptz as at, t.up, t.sequence from transition t
     where ${which} and t.at <= ${startTime} and ${scope} order by t.at desc, t.sequence desc limit 1)
    union all
    (select t.at, t.up, t.sequence from transition t
     where ${which} and t.at > ${startTime} and t.at < ${endTime} and ${scope})`;
  const { rows } = await sql<Span>`
    with own as materialized (${turns(ofKind)}),
    device as materialized (${turns(device)}),
    marks as (
      select ${startTime}::timestamptz as at, null::boolean as own_up, null::boolean as device_up,
        0 as sequence
      union all select at, up, null, sequence from own
      union all select at, null, up, sequence from device
    ), filled as (
      select at, sequence, count(own_up) over w as own_turn, count(device_up) over w as device_turn,
        own_up, device_up
      from marks window w as (order by at, sequence rows unbounded preceding)
    ), known as (
      select at, sequence,
        max(own_up::int) over (partition by own_turn) = 1 as own_up,
        max(device_up::int) over (partition by device_turn) = 1 as device_up
      from filled
    ), spans as (
      select at as since, lead(at, 1, ${endTime}) over (order by at, sequence) as until,
        case when ${kind} = 'node' or device_up then own_up end as up
      from known
    ), changes as (
      select up, lag(up) over (order by since) as was from spans where since < until
    ), buckets as (
      select b as time, greatest(b, ${startTime}::timestamptz) as since,
        least(b + make_interval(secs => ${step}), ${endTime}::timestamptz) as until
      from generate_series(
        to_timestamp(floor(extract(epoch from ${startTime}::timestamptz) / ${step}) * ${step}),
        ${endTime}::timestamptz - interval '1 microsecond', make_interval(secs => ${step})) b
    ), cut as (
      select b.time, s.up, extract(epoch from least(b.until, s.until) - greatest(b.since, s.since))
          ::float8 as seconds
      from buckets b join spans s on s.since < b.until and s.until > b.since
    ), counted as (
      select time, coalesce(sum(seconds) filter (where up), 0) as up,
        coalesce(sum(seconds) filter (where not up), 0) as down,
        coalesce(sum(seconds) filter (where up is null), 0) as unknown
      from cut group by time
    )
    select c.*, sum(up) over () as all_up, sum(down) over () as all_down,
      sum(unknown) over () as all_unknown,
      100 * sum(up) over () / nullif(sum(up) over () + sum(down) over (), 0) as percent,
      (select count(*) from changes where was and not up) as outages
    from counted c order by time`.execute(ctx.db);
  const [first] = rows;
  return {
    step,
    percent: first?.percent ?? null,
    up: first?.all_up ?? 0,
    down: first?.all_down ?? 0,
    unknown: first?.all_unknown ?? 0,
    outages: first?.outages ?? 0,
    buckets: rows.map(({ time, up, down, unknown }) => ({ time, up, down, unknown })),
  };
}
