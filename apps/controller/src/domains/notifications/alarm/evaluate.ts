/** Evaluates rules, slice by slice, and raises and clears events (docs/alarms.md). */
import { sql, type Transaction } from "kysely";
import { locks, tryLock } from "#db/locks.ts";
import type { Pools } from "#db/pool.ts";
import type { Database } from "#db/schema.ts";
import { returnMs } from "#domains/devices/presence/public.ts";
import { isAway, isCollision } from "#kernel/database-errors.ts";
import type { LatestMetrics, MeasureStore } from "#metrics-store/store.ts";
import {
  contactMetrics,
  type Finding,
  type KnownWatch,
  keyOf,
  type Latest,
  measuredMetrics,
  needsMetrics,
  readMetrics,
  readStateChanges,
  readWatches,
} from "./findings.ts";
import { joinEvents } from "./join.ts";
import { defaultNotifyTimes, dispatchNotifications, type NotifyTimes } from "./notify.ts";
import { apart, type DoParts, type Parts, together } from "./parts.ts";
import { applyPlans } from "./planned.ts";
import { putOffDue, Round, type Slice, takeSlice } from "./slice.ts";
import { advance, dueAt, type HoldTimes, type Listening } from "./watch.ts";
import { endOrphans, keepWatches, leave, type Outcome, openEvents, touchEvents } from "./write.ts";

type Trx = Transaction<Database>;

/** Ms between two readings of metrics; devices measure every 15 s. */
const metricsMs = 15_000;
/** Ms over which metrics are averaged. */
const meanMs = 60_000;
/** Ms that what holds is noted again, although nothing new came of it. */
const notedMs = 60_000;
/** Minimum ms between two checks, unless more waits: a whole fleet may change state at the same time. */
const spacingMs = 300;
/** Ms after which what was raised is reported although more waits. */
const notifyMs = 1_000;

export interface AlarmInput {
  readonly pools: Pools<Database>;
  /** Absent: rules about devices and the use of lines find nothing. */
  readonly measures?: Pick<MeasureStore, "latest"> | undefined;
  readonly times?: NotifyTimes;
  /** Receives what could not be read or written; the evaluation goes on without it. */
  readonly report: (error: unknown) => void;
  /** Events were raised or cleared, or `renew` found something new. */
  readonly changed?: () => void;
  /**
   * Computes what else follows from the state of a slice's nodes, in its transaction and after its events.
   * @returns how many of them are other than before
   */
  readonly renew?: (trx: Trx, nodes: readonly number[]) => Promise<number>;
}

export interface Alarms {
  /** Evaluates one slice. @returns ms after which the next one is due before its time. */
  run(): Promise<number | undefined>;
}

/** Whether a node was of its enterprise at that time already: what was measured before is none of its policies' concern. */
async function movedBefore(
  pools: Pools<Database>,
  time: number,
): Promise<(node: number) => boolean> {
  const { rows } = await sql<{ node_id: number }>`
    select node_id from node_move where at > ${new Date(time)}`.execute(pools.worker.db);
  const moved = new Set(rows.map(({ node_id }) => node_id));
  return (node) => !moved.has(node);
}

/** Keys are "node item". */
const metricsOf = (all: LatestMetrics, isOwn: (node: number) => boolean): LatestMetrics =>
  new Map([...all].filter(([key]) => isOwn(Number(key.split(" ", 1)[0]))));

/** Means of the last minute, for one round over all nodes. */
function createMetrics({ pools, measures, report }: AlarmInput) {
  let at = Number.NEGATIVE_INFINITY;
  let metrics: Latest | null = null;
  return {
    current: () => metrics,
    /** At the beginning of a round; a round without new metrics evaluates none. */
    async renew(): Promise<void> {
      metrics = null;
      if (!measures || performance.now() - at < metricsMs) return;
      at = performance.now();
      if (!(await pools.worker.db.transaction().execute(needsMetrics))) return;
      const to = Date.now();
      const range = { from: to - meanMs, to };
      const both = [measures.latest("node", range), measures.latest("line", range)];
      const [node, line] = await Promise.all(both).catch((error: unknown) => {
        report(error);
        return [];
      });
      if (!node || !line) return;
      const isOwn = await movedBefore(pools, to - meanMs);
      metrics = { node: metricsOf(node, isOwn), line: metricsOf(line, isOwn) };
    },
  };
}

/**
 * Any number of controllers may run it: one evaluates at a time, each slice in one transaction over at
 * most a few hundred nodes, and all that is known between two slices is in the database, so that
 * one which dies in the middle did nothing.
 */
export function createAlarms(input: AlarmInput): Alarms {
  const { pools, times = defaultNotifyTimes, changed, renew = async () => 0 } = input;
  const metrics = createMetrics(input);
  const round = new Round();
  let nextAt = Number.NEGATIVE_INFINITY;
  let tellAt = Number.NEGATIVE_INFINITY;
  /** One that fails as a whole is made once more, node by node and policy by policy. */
  const slice = async (given: Omit<EvaluationInput, "parts">): Promise<News | null> => {
    const made = (parts: Parts) =>
      pools.worker.db
        .transaction()
        .execute((trx) => evaluateSlice(trx, { ...given, parts: parts(trx) }));
    try {
      return await made(together);
    } catch (error) {
      if (isAway(error) || isCollision(error)) throw error;
      return made((trx) => apart(trx, input.report));
    }
  };
  return {
    async run() {
      const now = performance.now();
      if (now < nextAt) return nextAt - now;
      if (round.starts(now)) await metrics.renew();
      const after = round.after(now);
      const mayWait = now < tellAt;
      const news = await slice({ after, metrics: metrics.current(), times, mayWait, renew });
      if (news === null) return undefined;
      if (after !== null) round.took(news.swept, performance.now());
      if (news.reported) tellAt = performance.now() + notifyMs;
      if (news.events > 0) changed?.();
      nextAt = news.more ? now : now + spacingMs;
      if (news.more) return 0;
      const rest = round.wait(performance.now());
      return news.waiting ? Math.min(times.windowMs, rest) : rest;
    },
  };
}

interface EvaluationInput {
  /** The node behind which the next slice of the round begins; null: none is due. */
  readonly after: number | null;
  readonly metrics: Latest | null;
  readonly times: NotifyTimes;
  /** Something was reported a moment ago: as long as more waits, notifying can wait. */
  readonly mayWait: boolean;
  readonly renew: NonNullable<AlarmInput["renew"]>;
  readonly parts: DoParts;
}

interface News {
  readonly events: number;
  readonly swept: readonly number[];
  /** There is more work for the next check immediately. */
  readonly more: boolean;
  readonly reported: boolean;
  /** Something is to be reported soon. */
  readonly waiting: boolean;
}

const sumOf = (counts: readonly number[]): number => counts.reduce((sum, count) => sum + count, 0);

/** @returns null while another controller evaluates. */
async function evaluateSlice(
  trx: Trx,
  { after, metrics, times, mayWait, renew, parts }: EvaluationInput,
): Promise<News | null> {
  if (!(await tryLock(trx, locks.alarms))) return null;
  // Plans are kept: one made while a table was small would read it whole once it is large.
  await sql`set local enable_seqscan = off; set local enable_hashjoin = off;
    set local enable_mergejoin = off`.execute(trx);
  const ended = after === 0 ? await endOrphans(trx) : 0;
  const slice = await takeSlice(trx, after);
  const putOff = (node: number) => putOffDue(trx, node);
  const evaluated = await parts(
    slice.nodes,
    (nodes) =>
      evaluate(trx, { nodes, swept: slice.swept.filter((node) => nodes.includes(node)) }, metrics),
    putOff,
  );
  const opened = evaluated.flatMap((part) => part.opened);
  const over = sumOf(evaluated.map((part) => part.ended));
  const isJoined = await joinEvents(trx, opened);
  const planned = await applyPlans(trx, opened, after === 0);
  const renewed = sumOf(await parts(slice.nodes, (nodes) => renew(trx, nodes), putOff));
  const more = slice.more || !isJoined;
  const reported = !(more && mayWait);
  const waiting = reported ? await dispatchNotifications(trx, times, parts) : true;
  const events = ended + over + opened.length + planned + renewed;
  return { events, swept: slice.swept, more, reported, waiting };
}

/** What one finding comes to; nothing: there is nothing to remember. */
function outcomeOf(
  finding: Finding,
  before: KnownWatch | null,
  { now, listening }: Moment,
): readonly Outcome[] {
  const at = { at: now, holds: finding.holds(before?.phase ?? "quiet"), sequence: null };
  if (before === null && finding.transitions.length === 0 && at.holds !== true) return [];
  const { rule } = finding;
  const holdTimes: HoldTimes = {
    durationMs: rule.duration_s * 1_000,
    recoveryMs: rule.recovery_s * 1_000,
    ...(contactMetrics.includes(rule.metric) && { listening }),
  };
  const { watch, changes } = advance(before, [...finding.transitions, at], holdTimes);
  // Between two readings nothing is known about metrics.
  const due = measuredMetrics.includes(rule.metric) ? null : dueAt(watch, holdTimes);
  const isNews =
    watch.phase !== before?.phase || watch.seen !== before.seen || due !== before.dueAt;
  if (!isNews && changes.length === 0) {
    if (watch.phase === "quiet") return [];
    if (watch.since === before.since && now - before.at < notedMs) return [];
  }
  const last = changes.findLast(({ kind }) => kind !== "again");
  const opens = changes.find(({ kind }) => kind === "open")?.at ?? null;
  const again = changes.filter(({ kind }) => kind === "again").length;
  const clears = last?.kind === "clear" ? last.at : null;
  return [{ finding, watch, dueAt: due, opens, again, clears }];
}

interface Moment {
  /** Ms since 1970 on the database's clock. */
  readonly now: number;
  /** Null: no gateway listens. */
  readonly listening: Listening | null;
}

async function readMoment(trx: Trx): Promise<Moment> {
  const { rows } = await sql<{ now: Date; heard: Date | null }>`
    select clock_timestamp() as now, weft.listening_since() as heard`.execute(trx);
  const since = rows[0]?.heard?.getTime() ?? null;
  return {
    now: rows[0]?.now.getTime() ?? 0,
    listening: since === null ? null : { since, allBackAt: since + returnMs },
  };
}

async function evaluate(
  trx: Trx,
  { nodes, swept }: Pick<Slice, "nodes" | "swept">,
  metrics: Latest | null,
): Promise<{ readonly opened: readonly number[]; readonly ended: number }> {
  if (nodes.length === 0) return { opened: [], ended: 0 };
  const watches = await readWatches(trx, nodes);
  const transitions = await readStateChanges(trx, nodes);
  const measured = metrics === null ? [] : await readMetrics(trx, swept, metrics);
  const findings = distinct([...transitions, ...measured]);
  // Later than every transition that was read: an evaluation is never older than what it reads.
  const moment = await readMoment(trx);
  const outcomes = findings.flatMap((finding) => {
    const before = watches.get(keyOf(finding.rule.id, finding.nodeId, finding.item)) ?? null;
    return outcomeOf(finding, before, moment);
  });
  const gone = goneOf(watches, findings, new Set(metrics === null ? [] : swept));
  await keepWatches(trx, outcomes);
  const opened = await openEvents(trx, outcomes);
  const cleared = await touchEvents(trx, outcomes);
  const left = await leave(trx, gone);
  return { opened, ended: cleared + left };
}

/**
 * A device may report one reason of one object several times, such as of each network of a card that it has not: to a rule that
 * is one item, and one row.
 */
const distinct = (findings: readonly Finding[]): readonly Finding[] => [
  ...new Map(
    findings
      .toReversed()
      .map((finding) => [keyOf(finding.rule.id, finding.nodeId, finding.item), finding]),
  ).values(),
];

/**
 * What is watched and no longer there: a line was removed, a node taken out of a policy.
 * @param measured nodes whose metrics were looked at.
 */
const goneOf = (
  watches: ReadonlyMap<string, KnownWatch>,
  findings: readonly Finding[],
  measured: ReadonlySet<number>,
): readonly KnownWatch[] => {
  const foundKeys = new Set(findings.map(({ rule, nodeId, item }) => keyOf(rule.id, nodeId, item)));
  return [...watches]
    .filter(
      ([key, { metric, nodeId }]) =>
        !foundKeys.has(key) && (!measuredMetrics.includes(metric) || measured.has(nodeId)),
    )
    .map(([, watch]) => watch);
};
