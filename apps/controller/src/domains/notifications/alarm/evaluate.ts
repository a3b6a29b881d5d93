/** Looks at everything that rules are about, and raises and clears events (docs/alarms.md). */
import { sql, type Transaction } from "kysely";
import { locks, tryLock } from "#db/locks.ts";
import type { Pools } from "#db/pool.ts";
import type { Database } from "#db/schema.ts";
import type { LatestFigures, MeasureStore } from "#measures/store.ts";
import {
  type Finding,
  type KnownWatch,
  keyOf,
  type Rule,
  readFigures,
  readRules,
  readTurning,
  readWatches,
} from "./findings.ts";
import { noteParents, type TellTimes, tellAlarms, usualTellTimes } from "./tell.ts";
import { type Watch, walk } from "./watch.ts";

type Trx = Transaction<Database>;

/** Ms between two looks at figures; boxes measure every 15 s. */
const FIGURES_MS = 15_000;
/** Ms of which figures are the mean. */
const MEAN_MS = 60_000;
/** Least ms between two looks: a whole fleet may turn at once. */
const SPACING_MS = 300;

export interface AlarmInput {
  readonly pools: Pools<Database>;
  /** Absent: rules about boxes and the use of lines find nothing. */
  readonly measures?: Pick<MeasureStore, "latest"> | undefined;
  readonly times?: TellTimes;
  /** Told what could not be read; the look goes on without it. */
  readonly report: (error: unknown) => void;
  /** Events were raised or cleared. */
  readonly changed?: () => void;
}

export interface Alarms {
  /** Looks once. @returns ms after which it wants to look again before its time, or nothing. */
  run(): Promise<number | undefined>;
}

/**
 * Any number of controllers may run it: one looks at a time, in one transaction, and all that is
 * known between two looks is in the database, so that one which dies in the middle did nothing.
 */
export function createAlarms(input: AlarmInput): Alarms {
  const { pools, measures, times = usualTellTimes, report, changed } = input;
  let figuresAt = Number.NEGATIVE_INFINITY;
  let lookedAt = Number.NEGATIVE_INFINITY;
  const latest = async () => {
    if (!measures || performance.now() - figuresAt < FIGURES_MS) return null;
    figuresAt = performance.now();
    const to = Date.now();
    const range = { from: to - MEAN_MS, to };
    const kinds = ["node", "line"] as const;
    const [node, line] = await Promise.all(kinds.map((kind) => measures.latest(kind, range))).catch(
      (error: unknown) => {
        report(error);
        return [];
      },
    );
    return node && line ? { node, line } : null;
  };
  return {
    async run() {
      const wait = lookedAt + SPACING_MS - performance.now();
      if (wait > 0) return wait;
      lookedAt = performance.now();
      const figures = await latest();
      const news = await pools.worker.db.transaction().execute((trx) => look(trx, figures, times));
      if (news.events > 0) changed?.();
      return news.waiting ? times.windowMs : undefined;
    },
  };
}

interface News {
  readonly events: number;
  /** Something is to be told soon. */
  readonly waiting: boolean;
}

type Latest = Readonly<Record<"node" | "line", LatestFigures>>;

async function look(trx: Trx, figures: Latest | null, times: TellTimes): Promise<News> {
  if (!(await tryLock(trx, locks.alarms))) return { events: 0, waiting: false };
  const rules = await readRules(trx);
  const ended = await endOrphans(trx, [...rules.keys()]);
  const written = rules.size === 0 ? 0 : await evaluate(trx, rules, figures);
  if (written > 0) await noteParents(trx);
  const waiting = await tellAlarms(trx, times);
  return { events: ended + written, waiting };
}

/** Events whose rule is gone or switched off are over: nobody looks at them any more. */
async function endOrphans(trx: Trx, rules: readonly number[]): Promise<number> {
  await sql`delete from alarm_watch where rule_id <> all(${[...rules]}::bigint[])`.execute(trx);
  const { numAffectedRows } = await sql`
    update alarm_event set cleared_at = now(), closed_at = now(), open_told = true,
      clear_told = true
    where cleared_at is null and (rule_id is null or rule_id <> all(${[...rules]}::bigint[]))`.execute(
    trx,
  );
  return Number(numAffectedRows ?? 0);
}

interface Outcome {
  readonly finding: Finding;
  readonly rule: Rule;
  readonly watch: Watch;
  readonly opens: number | null;
  readonly again: number;
  readonly clears: number | null;
}

/** What one finding comes to; null: there is nothing to remember. */
function outcomeOf(
  finding: Finding,
  rule: Rule,
  before: Watch | null,
  now: number,
): readonly Outcome[] {
  const at = { at: now, holds: finding.holds(before?.phase ?? "quiet"), sequence: null };
  if (before === null && finding.turned.length === 0 && at.holds !== true) return [];
  const spans = { durationMs: rule.duration_s * 1_000, recoveryMs: rule.recovery_s * 1_000 };
  const { watch, turns } = walk(before, [...finding.turned, at], spans);
  const isNews = watch.phase !== before?.phase || watch.seen !== before.seen;
  if (!isNews && turns.length === 0 && watch.phase === "quiet") return [];
  const last = turns.findLast(({ kind }) => kind !== "again");
  const opens = turns.find(({ kind }) => kind === "open")?.at ?? null;
  const again = turns.filter(({ kind }) => kind === "again").length;
  const clears = last?.kind === "clear" ? last.at : null;
  return [{ finding, rule, watch, opens, again, clears }];
}

async function evaluate(
  trx: Trx,
  rules: ReadonlyMap<number, Rule>,
  figures: Latest | null,
): Promise<number> {
  const watches = await readWatches(trx);
  const turning = await readTurning(trx, rules);
  const measured = figures === null ? [] : await readFigures(trx, rules, figures);
  const findings = [...turning, ...measured];
  // Later than every transition that was read: a look is never older than what it sees.
  const { rows } = await sql<{ now: Date }>`select clock_timestamp() as now`.execute(trx);
  const now = rows[0]?.now.getTime() ?? 0;
  const outcomes = findings.flatMap((finding) => {
    const rule = rules.get(finding.ruleId);
    if (!rule) return [];
    const before = watches.get(keyOf(finding.ruleId, finding.nodeId, finding.item)) ?? null;
    return outcomeOf(finding, rule, before, now);
  });
  const gone = goneOf(watches, findings, rules, figures !== null);
  await keepWatches(trx, outcomes);
  const opened = await openEvents(trx, outcomes);
  const cleared = await touchEvents(trx, outcomes);
  const left = await leave(trx, gone);
  return opened + cleared + left;
}

const figureMetrics: readonly string[] = ["bandwidth", "cpu", "mem"];

/** What is watched and no longer there: a line was removed, a node taken out of a policy. */
const goneOf = (
  watches: ReadonlyMap<string, KnownWatch>,
  findings: readonly Finding[],
  rules: ReadonlyMap<number, Rule>,
  hasFigures: boolean,
): readonly KnownWatch[] => {
  const found = new Set(findings.map(({ ruleId, nodeId, item }) => keyOf(ruleId, nodeId, item)));
  return [...watches]
    .filter(([key, { ruleId }]) => {
      const isFigure = figureMetrics.includes(rules.get(ruleId)?.metric ?? "");
      return !found.has(key) && (hasFigures || !isFigure);
    })
    .map(([, watch]) => watch);
};

const stamp = (at: number): string => new Date(at).toISOString();
const placeOf = ({ finding, watch }: Outcome) => ({
  rule_id: finding.ruleId,
  node_id: finding.nodeId,
  item: finding.item,
  enterprise_id: finding.enterpriseId,
  phase: watch.phase,
  since: stamp(watch.since),
  seen: watch.seen,
  at: stamp(watch.at),
});

async function keepWatches(trx: Trx, outcomes: readonly Outcome[]): Promise<void> {
  if (outcomes.length > 0) {
    await sql`
      insert into alarm_watch (rule_id, node_id, item, enterprise_id, phase, since, seen, at)
      select rule_id, node_id, item, enterprise_id, phase, since, seen, at
      from jsonb_to_recordset(${JSON.stringify(outcomes.map(placeOf))}::jsonb) as w (rule_id bigint,
        node_id bigint, item text, enterprise_id bigint, phase text, since timestamptz, seen bigint,
        at timestamptz)
      on conflict (rule_id, node_id, item) do update set phase = excluded.phase,
        since = excluded.since, seen = excluded.seen, at = excluded.at`.execute(trx);
  }
  // Longer than transitions are looked back at: one that was seen must not be seen anew.
  await sql`delete from alarm_watch where phase = 'quiet' and at < now() - interval '5 minutes'`.execute(
    trx,
  );
}

const eventOf = ({ finding, rule, opens, watch }: Outcome) => ({
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

async function openEvents(trx: Trx, outcomes: readonly Outcome[]): Promise<number> {
  const events = outcomes.filter(({ opens }) => opens !== null).map(eventOf);
  if (events.length === 0) return 0;
  const { numAffectedRows } = await sql`
    insert into alarm_event (enterprise_id, created_by, strategy_id, strategy_name, rule_id, metric,
      level, compare_type, threshold, node_id, node_kind, node_name, item, item_name, value, subject,
      relies, opened_at, last_at)
    select enterprise_id, created_by, strategy_id, strategy_name, rule_id, metric, level,
      compare_type, threshold, node_id, node_kind, node_name, item, item_name, value, subject,
      array(select jsonb_array_elements_text(e.relies)), opened_at, last_at
    from jsonb_to_recordset(${JSON.stringify(events)}::jsonb) as e (enterprise_id bigint,
      created_by bigint, strategy_id bigint, strategy_name text, rule_id bigint, metric text,
      level smallint, compare_type smallint, threshold double precision, node_id bigint,
      node_kind text, node_name text, item text, item_name text, value double precision,
      subject text, relies jsonb, opened_at timestamptz, last_at timestamptz)
    on conflict (rule_id, node_id, item) where cleared_at is null do nothing`.execute(trx);
  return Number(numAffectedRows ?? 0);
}

/** Counts what came back, clears what is well, and notes once a minute that the rest still holds. */
async function touchEvents(trx: Trx, outcomes: readonly Outcome[]): Promise<number> {
  const told = outcomes
    .filter(({ watch, again, clears }) => watch.phase === "open" || again > 0 || clears !== null)
    .map(({ finding, watch, again, clears }) => ({
      rule_id: finding.ruleId,
      node_id: finding.nodeId,
      item: finding.item,
      value: finding.value,
      again,
      at: stamp(watch.at),
      clears: clears === null ? null : stamp(clears),
    }));
  if (told.length === 0) return 0;
  await sql`
    update alarm_event e set count = e.count + t.again,
      value = coalesce(t.value, e.value),
      last_at = coalesce(t.clears, t.at), cleared_at = t.clears,
      closed_at = case when t.clears is not null then now() end
    from jsonb_to_recordset(${JSON.stringify(told)}::jsonb) as t (rule_id bigint, node_id bigint,
      item text, value double precision, again integer, at timestamptz, clears timestamptz)
    where e.rule_id = t.rule_id and e.node_id = t.node_id and e.item = t.item
      and e.cleared_at is null
      and (t.again > 0 or t.clears is not null or e.last_at < now() - interval '1 minute')`.execute(
    trx,
  );
  return told.filter(({ clears, again }) => clears !== null || again > 0).length;
}

/** What is no longer there has no alarm. */
async function leave(trx: Trx, gone: readonly KnownWatch[]): Promise<number> {
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

/** Forgets events that cleared long ago. */
export async function sweepAlarms(pools: Pools<Database>): Promise<void> {
  await sql`delete from alarm_event where cleared_at < now() - interval '400 days'`.execute(
    pools.worker.db,
  );
}
