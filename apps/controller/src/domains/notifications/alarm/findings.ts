/** What rules evaluate, as the databases have it. */
import type { AlarmMetric } from "@weft/contract/domains/devices/enums.ts";
import type { CompareType } from "@weft/contract/domains/notifications/enums.ts";
import { sql, type Transaction } from "kysely";
import type { Database } from "#db/schema.ts";
import type { LatestMetrics } from "#metrics-store/store.ts";
import type { Check, Phase, Watch } from "./watch.ts";
import { meets } from "./watch.ts";

type Trx = Transaction<Database>;

/** Transitions older than this are not reported: only the present state counts. */
const recentSpan = "2 minutes";

export interface Rule {
  readonly id: number;
  readonly strategy_id: number;
  readonly strategy_name: string;
  readonly enterprise_id: number;
  readonly metric: AlarmMetric;
  readonly compare_type: CompareType | null;
  readonly threshold: number | null;
  readonly hysteresis: number;
  readonly duration_s: number;
  readonly recovery_s: number;
  readonly level: number;
}

/** One object of one rule, and its present value. */
export interface Finding {
  readonly rule: Rule;
  readonly enterpriseId: number;
  readonly createdBy: number | null;
  readonly nodeId: number;
  readonly nodeKind: string;
  readonly nodeName: string;
  /** Interface of a line, id of a link, empty for the node itself. */
  readonly item: string;
  readonly itemName: string;
  readonly subject: string | null;
  readonly relies: readonly string[];
  readonly value: number | null;
  /** Null: not known. */
  holds(phase: Phase): boolean | null;
  /** Transitions of it, oldest first. */
  readonly transitions: readonly Check[];
}

export const keyOf = (ruleId: number, nodeId: number, item: string): string =>
  `${ruleId} ${nodeId} ${item}`;

/** The given rules, by id. */
async function readRules(trx: Trx, ids: readonly number[]): Promise<ReadonlyMap<number, Rule>> {
  if (ids.length === 0) return new Map();
  const { rows } = await sql<Rule>`
    select r.id, r.strategy_id, s.name as strategy_name, r.enterprise_id, r.metric, r.compare_type,
      r.threshold, r.hysteresis, r.duration_s, r.recovery_s, r.level
    from alarm_rule r join alarm_strategy s on s.id = r.strategy_id
    where r.id = any(${[...new Set(ids)]}::bigint[])`.execute(trx);
  return new Map(rows.map((rule) => [rule.id, rule]));
}

interface WatchRow {
  readonly rule_id: number;
  readonly metric: AlarmMetric;
  readonly node_id: number;
  readonly item: string;
  readonly phase: Phase;
  readonly since: Date;
  readonly seen: number;
  readonly at: Date;
  readonly due_at: Date | null;
}

export interface KnownWatch extends Watch {
  /** When it is due, as it is kept; ms since 1970. */
  readonly dueAt: number | null;
  readonly ruleId: number;
  readonly metric: AlarmMetric;
  readonly nodeId: number;
  readonly item: string;
}

/** What rules know already of the given nodes, by rule, node and item. */
export async function readWatches(
  trx: Trx,
  nodes: readonly number[],
): Promise<ReadonlyMap<string, KnownWatch>> {
  const { rows } = await sql<WatchRow>`
    select w.rule_id, r.metric, w.node_id, w.item, w.phase, w.since, w.seen, w.at, w.due_at
    from alarm_watch w join alarm_rule r on r.id = w.rule_id
    where w.node_id = any(${[...nodes]}::bigint[])`.execute(trx);
  return new Map(
    rows.map(({ rule_id: ruleId, node_id: nodeId, since, at, due_at, ...rest }) => [
      keyOf(ruleId, nodeId, rest.item),
      {
        ...rest,
        ruleId,
        nodeId,
        since: since.getTime(),
        at: at.getTime(),
        dueAt: due_at?.getTime() ?? null,
      },
    ]),
  );
}

interface TransitionRow {
  readonly sequence: number;
  readonly kind: "node" | "line" | "link";
  readonly node_id: number;
  readonly link_id: number | null;
  readonly name: string | null;
  readonly up: boolean;
  readonly at: Date;
}

const subjectOf = ({ kind, node_id, link_id, name }: TransitionRow): string => {
  if (kind === "node") return `n:${node_id}`;
  return kind === "link" ? `k:${link_id}` : `l:${node_id}/${name}`;
};

interface FoundRow {
  readonly rule_id: number;
  readonly enterprise_id: number;
  readonly created_by: number | null;
  readonly node_id: number;
  readonly node_kind: string;
  readonly node_name: string;
  readonly item: string;
  readonly item_name: string;
  readonly relies: readonly string[];
}

const placeOf = (row: FoundRow, rule: Rule) => ({
  rule,
  enterpriseId: row.enterprise_id,
  createdBy: row.created_by,
  nodeId: row.node_id,
  nodeKind: row.node_kind,
  nodeName: row.node_name,
  item: row.item,
  itemName: row.item_name,
  relies: row.relies,
});

const evaluated = (rule: Rule, value: number | null) => (phase: Phase) => {
  const { compare_type: compareType, threshold, hysteresis } = rule;
  if (compareType === null || threshold === null) return null;
  return meets({ compareType, threshold, hysteresis }, value, phase);
};

/**
 * The last value alone raises. Once it has, the mean of the last minutes has to be well too: one good sample of a link
 * that is as bad as before clears nothing.
 */
const ofLink = (rule: Rule, last: number | null, mean: number | null) => (phase: Phase) => {
  const holds = evaluated(rule, last)(phase);
  if (phase === "quiet" || holds !== false || mean === null) return holds;
  return evaluated(rule, mean)(phase);
};

/** Transitions of the given nodes a moment ago, oldest first, by what they are of. */
async function readTransitions(
  trx: Trx,
  nodes: readonly number[],
): Promise<ReadonlyMap<string, readonly Check[]>> {
  const { rows } = await sql<TransitionRow>`
    select t.* from unnest(${[...nodes]}::bigint[]) as n (id) cross join lateral (
      select sequence, kind, node_id, link_id, name, up, at from transition
      where node_id = n.id and kind in ('node', 'line', 'link')
        -- Not by the index of times: a whole fleet may have changed state since.
        and at + ${recentSpan}::interval > now() offset 0) t
    order by t.sequence`.execute(trx);
  const bySubject = new Map<string, Check[]>();
  for (const row of rows) {
    const { sequence, up, at } = row;
    const checks = bySubject.get(subjectOf(row)) ?? [];
    checks.push({ sequence, at: at.getTime(), holds: !up });
    bySubject.set(subjectOf(row), checks);
  }
  return bySubject;
}

interface StateRow extends FoundRow {
  readonly subject: string | null;
  readonly up: boolean | null;
  readonly delay: number | null;
  readonly jitter: number | null;
  readonly loss: number | null;
  readonly fresh: boolean;
  /** Means of the last minutes; null: not known yet. */
  readonly mean_delay: number | null;
  readonly mean_jitter: number | null;
  readonly mean_loss: number | null;
}

/** What of the given nodes is up or down, and how their links are: bad, watched, or just changed. */
export async function readStateChanges(
  trx: Trx,
  nodes: readonly number[],
): Promise<readonly Finding[]> {
  const bySubject = await readTransitions(trx, nodes);
  const { rows } = await sql<StateRow>`
    select * from weft.alarm_findings(${[...nodes]}::bigint[], ${[...bySubject.keys()]}::text[])`.execute(
    trx,
  );
  const rules = await readRules(
    trx,
    rows.map(({ rule_id }) => rule_id),
  );
  return rows.flatMap((row): Finding[] => {
    const rule = rules.get(row.rule_id);
    if (!rule) return [];
    const { subject, up, fresh } = row;
    const { metric } = rule;
    if (metric === "delay" || metric === "jitter" || metric === "loss") {
      // Of a link that is down nothing is measured: that is another rule's matter.
      const isKnown = up === true && fresh;
      const last = isKnown ? row[metric] : null;
      const mean = isKnown ? row[`mean_${metric}`] : null;
      const holds = ofLink(rule, last, mean);
      const value = mean === null ? last : Math.round(mean * 10) / 10;
      return [{ ...placeOf(row, rule), subject: null, value, holds, transitions: [] }];
    }
    const holds = () => (up === null ? null : !up);
    const transitions = bySubject.get(subject ?? "") ?? [];
    return [{ ...placeOf(row, rule), subject, value: null, holds, transitions }];
  });
}

export type Latest = Readonly<Record<"node" | "line", LatestMetrics>>;

/** What is known only as long as devices are in contact. */
export const contactMetrics: readonly AlarmMetric[] = [
  "node",
  "line",
  "link",
  "delay",
  "jitter",
  "loss",
  "bandwidth",
  "cpu",
  "mem",
];

/** Rules that compare metrics of devices and lines. */
export const measuredMetrics: readonly AlarmMetric[] = ["bandwidth", "cpu", "mem"];

/** Whether any rule uses metrics, which are read for all nodes at once. */
export async function needsMetrics(trx: Trx): Promise<boolean> {
  const { rows } = await sql`
    select from alarm_rule r join alarm_strategy s on s.id = r.strategy_id
    where r.enabled and s.enabled and r.metric = any(${[...measuredMetrics]}) limit 1`.execute(trx);
  return rows.length > 0;
}

/** Metrics of the given nodes and their lines; lines without a bandwidth have no use of it. */
export async function readMetrics(
  trx: Trx,
  nodes: readonly number[],
  latest: Latest,
): Promise<readonly Finding[]> {
  const { rows } = await sql<
    FoundRow & { readonly up_kbps: number | null; readonly down_kbps: number | null }
  >`select * from weft.alarm_metrics(${[...nodes]}::bigint[])`.execute(trx);
  const rules = await readRules(
    trx,
    rows.map(({ rule_id }) => rule_id),
  );
  return rows.flatMap((row): Finding[] => {
    const rule = rules.get(row.rule_id);
    if (!rule) return [];
    const kind = rule.metric === "bandwidth" ? "line" : "node";
    const metrics = latest[kind].get(`${row.node_id} ${row.item}`);
    const value = metrics === undefined ? null : metricOf(rule.metric, metrics, row);
    const holds = evaluated(rule, value);
    return [{ ...placeOf(row, rule), subject: null, value, holds, transitions: [] }];
  });
}

type Metrics = LatestMetrics extends ReadonlyMap<string, infer One> ? One : never;

function metricOf(
  metric: AlarmMetric,
  metrics: Metrics,
  { up_kbps, down_kbps }: { up_kbps: number | null; down_kbps: number | null },
): number | null {
  if (metric === "cpu") return metrics.cpu_percent;
  if (metric === "mem") return metrics.memory_percent;
  const use = (rate: number | null, kbps: number | null): number | null =>
    rate === null || kbps === null ? null : (rate / (kbps * 1_000)) * 100;
  const both = [use(metrics.in_rate, down_kbps), use(metrics.out_rate, up_kbps)];
  const known = both.filter((share): share is number => share !== null);
  return known.length === 0 ? null : Math.max(...known);
}
