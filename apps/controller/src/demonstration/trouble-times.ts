/**
 * Dates what is wrong back to when it began, according to the past that is drawn: alarms, health, links, drift, and the
 * configurations that are the cause. Everything of a demonstration that has just started would be "just now".
 */
import { setTimeout as sleep } from "node:timers/promises";
import { type Kysely, sql, type Transaction } from "kysely";
import type { Database } from "#db/schema.ts";
import { dateBack } from "#domains/delivery/lifecycle/public.ts";
import type { StoredCause } from "#domains/delivery/schema.ts";
import { contactMetrics } from "#domains/notifications/alarm/public.ts";
import { cpes, minutesOf } from "./fleet.ts";
import { lineFellAt } from "./past-transitions.ts";

type Trx = Transaction<Database>;

/** Something that is wrong with a node since a time, ms since 1970. */
export interface Began {
  readonly nodeId: number;
  /** Interface of a line that is down; empty: the device is offline; null: anything else. */
  readonly item: string | null;
  readonly at: number;
}

const minuteMs = 60_000;

/**
 * What is wrong in the demonstration, known before its devices have reported anything of it.
 * @param nodes ids by name
 */
export function beganOf(nodes: ReadonlyMap<string, number>, now: number): readonly Began[] {
  const characters = new Map(cpes.map((site) => [site.name, site.character]));
  return [...nodes].flatMap(([name, nodeId]): Began[] => {
    const { leaves = false, deadLines = [] } = characters.get(name) ?? {};
    const at = now - minutesOf(name) * minuteMs;
    return [
      { nodeId, item: null, at },
      ...(leaves ? [{ nodeId, item: "", at }] : []),
      ...deadLines.map((item) => ({ nodeId, item, at: lineFellAt(name, item, now) })),
    ];
  });
}

interface Options {
  readonly began: readonly Began[];
  /** Devices whose links are poor all the time, and not for a moment. */
  readonly poor: readonly number[];
  /** When the demonstration started, ms since 1970: what is older has its time already. */
  readonly started: number;
  readonly signal: AbortSignal;
}

/** Ms between two passes, and how many there are. */
export interface Passes {
  readonly pauseMs: number;
  readonly passes: number;
}

/** Tables of what began, for statements that join them. */
const tables = ({ began, poor, started }: Options) => {
  const rows = began.map(({ nodeId, item, at }) => ({ node_id: nodeId, item, at }));
  return sql`began as (
    select node_id, item, to_timestamp(at / 1000) as at
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as b (node_id bigint, item text, at float8)
  ), since_start as (
    select to_timestamp(${started}::float8 / 1000) as at, ${[...poor]}::bigint[] as poor
  ), cut as (
    -- Links that are down with the line or the device at an end; one is noticed seconds later.
    select l.id as link_id, min(b.at) + interval '6 seconds' as at
    from link l join began b on b.node_id in (l.a_node_id, l.b_node_id) and b.item is not null
      left join line w on w.node_id = b.node_id and w.interface_name = b.item
    where b.item = '' or (b.node_id = l.a_node_id and w.slot = l.a_slot)
      or (b.node_id = l.b_node_id and w.slot = l.b_slot)
    group by l.id)`;
};

/** When what an alarm of these columns is about began. */
const beginning = (metric: string, node: string, item: string) => {
  const of = { metric: sql.ref(metric), node: sql.ref(node), item: sql.ref(item) };
  return sql`coalesce(
    case when ${of.metric} = 'link' then (select c.at from cut c where c.link_id::text = ${of.item}) end,
    (select b.at from began b where b.node_id = ${of.node}
      and b.item = case ${of.metric} when 'node' then '' when 'line' then ${of.item} end limit 1),
    (select b.at from began b where b.node_id = ${of.node} and b.item is null limit 1))`;
};

/** What is measured from moment to moment: only where it is poor all the time did it begin long ago. */
const isOfPast = (metric: string, node: string) => sql`(
  ${sql.ref(metric)} in ('node', 'line', 'link', 'config', 'deny', 'finding', 'repair')
  or ${sql.ref(node)} = any (s.poor))`;

/**
 * Rules that hold but have not opened their alarm yet open it at once: they have held for long enough. Those about contact
 * do so by themselves and are dated then: what was silent before the gateway started is not lost yet.
 */
async function dateAlarms(trx: Trx, options: Options): Promise<void> {
  await sql`
    with ${tables(options)}, found as (
      select w.rule_id, w.node_id, w.item, ${beginning("r.metric", "w.node_id", "w.item")} as at
      from alarm_watch w join alarm_rule r on r.id = w.rule_id cross join since_start s
      where (w.phase = 'open' or w.phase = 'pending' and not (r.metric = any (${[...contactMetrics]})))
        and w.since >= s.at and ${isOfPast("r.metric", "w.node_id")})
    update alarm_watch w set since = f.at, due_at = case when w.due_at is not null then now() end
    from found f
    where (w.rule_id, w.node_id, w.item) = (f.rule_id, f.node_id, f.item) and f.at is not null`.execute(
    trx,
  );
  await sql`
    with ${tables(options)}, found as (
      select e.id, ${beginning("e.metric", "e.node_id", "e.item")} as at,
        coalesce(r.duration_s, 0) as wait
      from alarm_event e left join alarm_rule r on r.id = e.rule_id cross join since_start s
      where e.cleared_at is null and greatest(e.opened_at, e.raised_at) >= s.at
        and ${isOfPast("e.metric", "e.node_id")})
    update alarm_event e set opened_at = f.at, raised_at = f.at + make_interval(secs => f.wait)
    from found f where e.id = f.id and f.at is not null`.execute(trx);
}

async function dateLinks(trx: Trx, options: Options): Promise<void> {
  await sql`
    with ${tables(options)}
    update link_status k set changed_at = c.at from cut c, since_start s
    where k.link_id = c.link_id and not k.up and k.changed_at >= s.at`.execute(trx);
  await sql`
    with ${tables(options)}
    update link_path p set changed_at = c.at from cut c, since_start s
    where p.link_id = c.link_id and p.changed_at >= s.at`.execute(trx);
  await sql`
    with ${tables(options)}
    update link_quality q set since = b.at from link l, began b, since_start s
    where l.id = q.link_id and b.node_id = l.a_node_id and b.item is null
      and b.node_id = any (s.poor) and q.since >= s.at`.execute(trx);
}

async function dateNodes(trx: Trx, options: Options): Promise<void> {
  await sql`
    with ${tables(options)}
    update node_status n set last_seen = b.at from began b, since_start s
    where b.node_id = n.node_id and b.item = '' and not n.online and n.last_seen >= s.at`.execute(
    trx,
  );
  await sql`
    with ${tables(options)}
    update node_status n set drift_since = b.at from began b, since_start s
    where b.node_id = n.node_id and b.item is null and n.drift_since >= s.at`.execute(trx);
  await sql`
    with ${tables(options)}
    update node_identity i set created_at = b.at from began b, since_start s
    where b.node_id = i.node_id and b.item is null and i.state = 'pending' and i.created_at >= s.at`.execute(
    trx,
  );
  await sql`
    with ${tables(options)}, found as (
      select h.node_id, case
        when h.state in ('offline', 'outOfContact') then
          (select b.at from began b where b.node_id = h.node_id and b.item = '')
        when h.state in ('degraded', 'cutOff') then
          (select min(b.at) from began b where b.node_id = h.node_id and b.item is not null)
        when h.state <> 'poor' or h.node_id = any (s.poor) then
          (select b.at from began b where b.node_id = h.node_id and b.item is null) end as at
      from node_health h cross join since_start s
      where h.tone in ('bad', 'warn') and h.since >= s.at)
    update node_health h set since = f.at from found f
    where f.node_id = h.node_id and f.at is not null`.execute(trx);
}

/** How long before what they break configurations came. */
const broughtMs = 4 * 60_000;

/** Configurations that are the cause are older than what came of them. */
async function dateConfigurations(trx: Trx, { began, started }: Options): Promise<void> {
  const { rows } = await sql<{ nodeId: number; causes: readonly StoredCause[] }>`
    select t.node_id as "nodeId", t.causes from node_health h cross join lateral (
      select z.node_id, z.causes, z.created_at, z.outcome from node_state z
      where z.node_id = h.node_id order by z.epoch desc, z.serial desc limit 1) t
    where h.state in ('findings', 'drifted', 'blocked', 'alarm')
      and t.outcome in ('confirmed', 'refused', 'failed', 'reverted')
      and t.created_at >= to_timestamp(${started}::float8 / 1000)`.execute(trx);
  for (const { nodeId, causes } of rows) {
    const at = began.find((one) => one.nodeId === nodeId && one.item === null)?.at;
    if (at !== undefined) await dateBack(trx, nodeId, new Date(at - broughtMs), causes);
  }
}

/** One pass over all that is wrong now. */
export function dateTroublesOnce(db: Kysely<Database>, options: Options): Promise<void> {
  return db.transaction().execute(async (trx) => {
    await dateAlarms(trx, options);
    await dateLinks(trx, options);
    await dateConfigurations(trx, options);
    await dateNodes(trx, options);
  });
}

/** Dates what is wrong, and what turns out to be within the time of these passes. */
export async function dateTroubles(
  db: Kysely<Database>,
  { pauseMs, passes, ...options }: Options & Passes,
): Promise<void> {
  for (let pass = 0; pass < passes; pass += 1) {
    await dateTroublesOnce(db, options);
    await sleep(pauseMs, undefined, { signal: options.signal });
  }
}
