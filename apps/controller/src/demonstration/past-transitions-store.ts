/** Writes what was up and down before the demonstration started, and the alarms of it. */
import { type Kysely, sql, type Transaction } from "kysely";
import type { Database } from "#db/schema.ts";
import {
  type Outage,
  type PastLink,
  type PastNode,
  type PastOptions,
  pastTransitions,
  type Transition,
} from "./past-transitions.ts";

type Trx = Transaction<Database>;

/** Rows of one statement. */
const blockRows = 500;

async function readNodes(trx: Trx): Promise<PastNode[]> {
  const { rows } = await sql<PastNode>`
    select n.id, n.kind, n.name, coalesce((
      select jsonb_agg(jsonb_build_object('slot', w.slot, 'interfaceName', w.interface_name,
        'up', coalesce((l.line ->> 'up')::boolean, true)) order by w.slot)
      from line w left join lateral (
        select o.line from jsonb_array_elements(s.lines) as o (line)
        where o.line ->> 'interfaceName' = w.interface_name) l on true
      where w.node_id = n.id), '[]') as lines
    from node n join node_status s on s.node_id = n.id
    where s.last_seen is not null or s.online order by n.id`.execute(trx);
  return rows;
}

async function readLinks(trx: Trx): Promise<PastLink[]> {
  const { rows } = await sql<PastLink>`
    select l.id, s.up, jsonb_build_array(
      jsonb_build_object('nodeId', l.a_node_id, 'slot', l.a_slot),
      jsonb_build_object('nodeId', l.b_node_id, 'slot', l.b_slot)) as ends
    from link l join link_status s on s.link_id = l.id order by l.id`.execute(trx);
  return rows;
}

/** Below all that there is: what listens for new rows takes none of these for news. */
async function writeTransitions(trx: Trx, transitions: readonly Transition[]): Promise<void> {
  const oldestLast = [...transitions].sort((one, other) => other.at - one.at);
  for (let from = 0; from < oldestLast.length; from += blockRows) {
    const block = oldestLast
      .slice(from, from + blockRows)
      .map((transition, index) => ({ ...transition, sequence: -1 - from - index }));
    await sql`
      insert into transition (sequence, enterprise_id, created_by, kind, node_id, link_id, name, up, at)
      overriding system value
      select t.sequence, coalesce(l.enterprise_id, n.enterprise_id), n.created_by, t.kind, n.id,
        t."linkId", t.name, t.up, to_timestamp(t.at / 1000)
      from jsonb_to_recordset(${JSON.stringify(block)}::jsonb) as t (sequence bigint, kind text,
        "nodeId" bigint, "linkId" bigint, name text, up boolean, at float8)
      join node n on n.id = t."nodeId" left join link l on l.id = t."linkId"`.execute(trx);
  }
}

/** Devices that left came only to have a past: that they were there is not part of it. */
async function forgetStart(trx: Trx, nodeIds: readonly number[]): Promise<void> {
  await sql`
    delete from transition t where t.sequence > 0 and t.kind in ('node', 'line', 'link')
      and (t.node_id = any (${[...nodeIds]}::bigint[]) or t.link_id in (select l.id from link l
        where l.a_node_id = any (${[...nodeIds]}::bigint[]) or l.b_node_id = any (${[...nodeIds]}::bigint[])))`.execute(
    trx,
  );
}

/** One alarm for each outage that a rule over devices or lines would have found, cleared and handled. */
async function writeAlarms(trx: Trx, outages: readonly Outage[]): Promise<void> {
  const over = outages.flatMap(({ nodeId, line, from, to }) =>
    to === null ? [] : [{ nodeId, metric: line ? "line" : "node", line, from, to }],
  );
  const rows = over.map(({ line, ...one }) => ({ ...one, item: line?.interfaceName ?? "" }));
  await sql`
    insert into alarm_event (enterprise_id, created_by, strategy_id, strategy_name, rule_id, metric,
      level, node_id, node_kind, node_name, item, item_name, subject, opened_at, last_at, cleared_at,
      raised_at, closed_at, open_notified, clear_notified, handled_at, handled_by, handle_remark)
    select s.enterprise_id, n.created_by, s.id, s.name, r.id, r.metric, r.level, n.id, n.kind, n.name,
      o.item, coalesce(w.name, ''),
      case when o.item = '' then 'n:' || n.id else 'l:' || n.id || '/' || o.item end,
      t.opened, t.ended, t.ended, t.opened, t.ended, true, true, t.ended, 'admin', '已恢复'
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
      as o ("nodeId" bigint, metric text, item text, "from" float8, "to" float8)
    join node n on n.id = o."nodeId"
    left join line w on w.node_id = n.id and w.interface_name = o.item
    join alarm_rule r on r.metric = o.metric and r.compare_type is null
    join alarm_strategy s on s.id = r.strategy_id
    cross join lateral (select
      to_timestamp(o."from" / 1000) + make_interval(secs => r.duration_s) as opened,
      to_timestamp(o."to" / 1000) + make_interval(secs => r.recovery_s) as ended) t
    where o."to" - o."from" > r.duration_s * 1000`.execute(trx);
}

/**
 * Writes the transitions of the eight days before now for the devices that were seen, their lines and links.
 * @returns rows written
 */
export function writePastTransitions(db: Kysely<Database>, options: PastOptions): Promise<number> {
  return db.transaction().execute(async (trx) => {
    await forgetStart(trx, [...(options.left?.keys() ?? [])]);
    const past = pastTransitions(await readNodes(trx), await readLinks(trx), options);
    await writeTransitions(trx, past.transitions);
    await writeAlarms(trx, past.outages);
    return past.transitions.length;
  });
}
