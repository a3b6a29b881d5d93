/** Writes the result of an evaluation: the progress of each rule for each object, and events. */
import { sql, type Transaction } from "kysely";
import type { Pools } from "#db/pool.ts";
import type { Database } from "#db/schema.ts";
import type { Finding, KnownWatch } from "./findings.ts";
import type { Watch } from "./watch.ts";

type Trx = Transaction<Database>;

/** The result for one finding. Times are ms since 1970. */
export interface Outcome {
  readonly finding: Finding;
  readonly watch: Watch;
  /** When time changes its phase; null: it does not, or not before its metrics are read again. */
  readonly dueAt: number | null;
  readonly opens: number | null;
  /** How often it recurred. */
  readonly again: number;
  readonly clears: number | null;
}

const stamp = (at: number): string => new Date(at).toISOString();
const placeOf = (outcome: Outcome) => {
  const { finding, watch, dueAt } = outcome;
  return {
    rule_id: finding.rule.id,
    node_id: finding.nodeId,
    item: finding.item,
    enterprise_id: finding.enterpriseId,
    phase: watch.phase,
    since: stamp(watch.since),
    seen: watch.seen,
    at: stamp(watch.at),
    due_at: dueAt === null ? null : stamp(dueAt),
  };
};

export async function keepWatches(trx: Trx, outcomes: readonly Outcome[]): Promise<void> {
  if (outcomes.length === 0) return;
  await sql`
    insert into alarm_watch (rule_id, node_id, item, enterprise_id, phase, since, seen, at, due_at)
    select rule_id, node_id, item, enterprise_id, phase, since, seen, at, due_at
    from jsonb_to_recordset(${JSON.stringify(outcomes.map(placeOf))}::jsonb) as w (rule_id bigint,
      node_id bigint, item text, enterprise_id bigint, phase text, since timestamptz, seen bigint,
      at timestamptz, due_at timestamptz)
    on conflict (rule_id, node_id, item) do update set phase = excluded.phase,
      since = excluded.since, seen = excluded.seen, at = excluded.at,
      due_at = excluded.due_at`.execute(trx);
}

const eventOf = ({ finding, finding: { rule }, opens, watch }: Outcome) => ({
  enterprise_id: finding.enterpriseId,
  created_by: finding.createdBy,
  strategy_id: rule.strategy_id,
  strategy_name: rule.strategy_name,
  rule_id: rule.id,
  metric: rule.metric,
  level: rule.level,
  compare_type: rule.compare_type,
  threshold: rule.threshold,
  node_id: finding.nodeId,
  node_kind: finding.nodeKind,
  node_name: finding.nodeName,
  item: finding.item,
  item_name: finding.itemName,
  value: finding.value,
  subject: finding.subject,
  relies: finding.relies,
  opened_at: stamp(opens ?? watch.since),
  last_at: stamp(watch.at),
});

/** @returns ids of the events that are new. */
export async function openEvents(trx: Trx, outcomes: readonly Outcome[]): Promise<number[]> {
  const events = outcomes.filter(({ opens }) => opens !== null).map(eventOf);
  if (events.length === 0) return [];
  const { rows } = await sql<{ id: number }>`
    insert into alarm_event (enterprise_id, created_by, strategy_id, strategy_name, rule_id, metric,
      level, compare_type, threshold, node_id, node_kind, node_name, item, item_name, value, subject,
      relies, opened_at, last_at, places)
    select enterprise_id, created_by, strategy_id, strategy_name, rule_id, metric, level,
      compare_type, threshold, node_id, node_kind, node_name, item, item_name, value, subject,
      r.relies, opened_at, last_at,
      weft.alarm_places(node_id, enterprise_id, item, metric, r.relies)
    from jsonb_to_recordset(${JSON.stringify(events)}::jsonb) as e (enterprise_id bigint,
      created_by bigint, strategy_id bigint, strategy_name text, rule_id bigint, metric text,
      level smallint, compare_type smallint, threshold double precision, node_id bigint,
      node_kind text, node_name text, item text, item_name text, value double precision,
      subject text, relies jsonb, opened_at timestamptz, last_at timestamptz)
      cross join lateral (select array(select jsonb_array_elements_text(e.relies)) as relies) r
    on conflict (rule_id, node_id, item) where cleared_at is null do nothing
    returning id`.execute(trx);
  return rows.map(({ id }) => id);
}

/** Counts recurrences, clears events that have recovered, and confirms the others once a minute. */
export async function touchEvents(trx: Trx, outcomes: readonly Outcome[]): Promise<number> {
  const reported = outcomes
    .filter(({ watch, again, clears }) => watch.phase === "open" || again > 0 || clears !== null)
    .map(({ finding, watch, again, clears }) => ({
      rule_id: finding.rule.id,
      node_id: finding.nodeId,
      item: finding.item,
      value: finding.value,
      again,
      at: stamp(watch.at),
      clears: clears === null ? null : stamp(clears),
    }));
  if (reported.length === 0) return 0;
  await sql`
    update alarm_event e set count = e.count + t.again,
      value = coalesce(t.value, e.value),
      last_at = coalesce(t.clears, t.at), cleared_at = t.clears,
      closed_at = case when t.clears is not null then now() end
    from jsonb_to_recordset(${JSON.stringify(reported)}::jsonb) as t (rule_id bigint, node_id bigint,
      item text, value double precision, again integer, at timestamptz, clears timestamptz)
    where e.rule_id = t.rule_id and e.node_id = t.node_id and e.item = t.item
      and e.cleared_at is null
      and (t.again > 0 or t.clears is not null or e.last_at < now() - interval '1 minute')`.execute(
    trx,
  );
  return reported.filter(({ clears, again }) => clears !== null || again > 0).length;
}

/** Objects that no longer exist have no alarm. @returns how many events ended. */
export async function leave(trx: Trx, gone: readonly KnownWatch[]): Promise<number> {
  if (gone.length === 0) return 0;
  const rows = gone.map(({ ruleId, nodeId, item }) => ({ rule_id: ruleId, node_id: nodeId, item }));
  const named = sql`jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
    as g (rule_id bigint, node_id bigint, item text)`;
  const { numAffectedRows } = await sql`
    update alarm_event e set cleared_at = now(), closed_at = now()
    from ${named}
    where e.rule_id = g.rule_id and e.node_id = g.node_id and e.item = g.item
      and e.cleared_at is null`.execute(trx);
  await sql`delete from alarm_watch w using ${named}
    where w.rule_id = g.rule_id and w.node_id = g.node_id and w.item = g.item`.execute(trx);
  return Number(numAffectedRows ?? 0);
}

/** Maximum number of rows that one evaluation ends, which limits its cost. */
const ended = 1_000;

/**
 * Ends events whose rule was removed or disabled: they are no longer checked. Deletes the progress of rules that
 * have been healthy for longer than the period of transitions that is read, so that none is counted twice.
 * @returns how many events ended; the next evaluation ends the next ones.
 */
export async function endOrphans(trx: Trx): Promise<number> {
  const off = sql`select r.id from alarm_rule r join alarm_strategy s on s.id = r.strategy_id
    where not (r.enabled and s.enabled)`;
  await sql`
    delete from alarm_watch where (rule_id, node_id, item) in (
      (select rule_id, node_id, item from alarm_watch where rule_id in (${off}) limit ${ended})
      union all
      (select rule_id, node_id, item from alarm_watch
        where phase = 'quiet' and at < now() - interval '5 minutes' limit ${ended}))`.execute(trx);
  const { numAffectedRows } = await sql`
    update alarm_event set cleared_at = now(), closed_at = now(), open_notified = true,
      clear_notified = true
    where id in (
      (select id from alarm_event where cleared_at is null and rule_id is null limit ${ended})
      union all
      (select id from alarm_event where cleared_at is null and rule_id in (${off})
        limit ${ended}))`.execute(trx);
  return Number(numAffectedRows ?? 0);
}

/** Deletes events that cleared long ago. */
export async function sweepAlarms(pools: Pools<Database>): Promise<void> {
  await sql`delete from alarm_event where cleared_at < now() - interval '400 days'`.execute(
    pools.worker.db,
  );
}
