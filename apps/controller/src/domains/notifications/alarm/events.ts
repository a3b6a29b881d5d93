import type {
  alarmEventList,
  alarmEventSummary,
} from "@weft/contract/domains/notifications/alarm-event.ts";
import { alarmLevels } from "@weft/contract/domains/notifications/enums.ts";
import type { InputOf, OutputOf, ResultOf } from "@weft/contract/kernel/endpoint.ts";
import { type Selectable, type SqlBool, sql } from "kysely";
import type { Database } from "#db/schema.ts";
import type { Context } from "#kernel/api.ts";
import { inCallerScope } from "#kernel/scope.ts";
import { contains } from "#kernel/table-store.ts";
import { eventSentence, itemText } from "./event-text.ts";
import { inView } from "./inbox-store.ts";

type Query = InputOf<typeof alarmEventList>;
type Row = ResultOf<typeof alarmEventList>["rows"][number];
interface Listed extends Selectable<Database["alarm_event"]> {
  readonly enterprise_name: string | null;
  readonly children: number;
}

const columns = { createTime: "e.opened_at", level: "e.level" } as const;

function matching(ctx: Context, query: Query) {
  const parts = [inCallerScope(ctx, "e.enterprise_id", "e.created_by")];
  if (query.cpeId !== null) parts.push(sql`e.node_id = ${query.cpeId} and e.node_kind = 'cpe'`);
  if (query.popId !== null) parts.push(sql`e.node_id = ${query.popId} and e.node_kind = 'pop'`);
  if (query.ids !== null) parts.push(sql`e.id = any(${query.ids}::bigint[])`);
  if (query.view !== null) parts.push(inView[query.view]);
  if (query.owner === "mine") parts.push(sql`e.owner_id = ${ctx.caller.userId}`);
  if (query.owner === "none") parts.push(sql`e.owner_id is null`);
  if (query.name) parts.push(contains(sql.ref("e.node_name"), query.name));
  if (query.level !== null) parts.push(sql`e.level = ${query.level}`);
  if (query.metric !== null) parts.push(sql`e.metric = ${query.metric}`);
  if (query.active !== null) parts.push(sql`(e.cleared_at is null) = ${query.active}::boolean`);
  if (query.handled !== null)
    parts.push(sql`(e.handled_at is not null) = ${query.handled}::boolean`);
  if (query.startTime !== null) parts.push(sql`e.opened_at >= ${query.startTime}`);
  if (query.endTime !== null) parts.push(sql`e.opened_at < ${query.endTime}`);
  return sql<SqlBool>`${sql.join(parts, sql` and `)}`;
}

/** As alarm_event_urgent has it: what is active, by severity, then what has cleared. */
const byUrgency = sql`(e.cleared_at is not null), (case when e.cleared_at is null then e.level end),
  e.opened_at desc, e.id desc`;

function orderOf({ orderByColumn, isAsc }: Query) {
  if (orderByColumn === null) return byUrgency;
  const direction = sql.raw(isAsc === "desc" ? "desc" : "asc");
  return sql`${sql.ref(columns[orderByColumn])} ${direction}, e.opened_at desc, e.id desc`;
}

/** A page of events, the most urgent first unless asked otherwise. */
export async function listEvents(
  ctx: Context,
  query: Query,
): Promise<ResultOf<typeof alarmEventList>> {
  const where = matching(ctx, query);
  const [selected, total] = await Promise.all([
    sql<Listed>`
      select e.*, g.name as enterprise_name,
        (select count(*) from alarm_event c where c.parent_id = e.id) as children
      from alarm_event e left join enterprise g on g.id = e.enterprise_id
      where ${where}
      order by ${orderOf(query)}
      limit ${query.limit} offset ${(query.page - 1) * query.limit}`.execute(ctx.db),
    sql<{ n: number }>`select count(*) as n from alarm_event e where ${where}`.execute(ctx.db),
  ]);
  const at = ctx.caller.language === "zh_cn" ? 0 : 1;
  return { rows: selected.rows.map((row) => toRow(row, at)), count: total.rows[0]?.n ?? 0 };
}

const toRow = (row: Listed, language: 0 | 1): Row => ({
  id: row.id,
  ruleId: row.rule_id,
  strategyId: row.strategy_id,
  strategyName: row.strategy_name,
  level: row.level,
  metric: row.metric,
  cpeId: row.node_kind === "cpe" ? row.node_id : null,
  popId: row.node_kind === "pop" ? row.node_id : null,
  nodeName: row.node_name,
  enterpriseName: row.enterprise_name ?? "",
  itemName: itemText(row)[language],
  value: row.value,
  threshold: row.threshold,
  compareType: row.compare_type,
  content: eventSentence(row)[language],
  createTime: row.opened_at,
  lastTime: row.last_at,
  count: row.count,
  recoverTime: row.cleared_at,
  parentId: row.parent_id,
  childNum: row.children,
  handled: row.handled_at !== null,
  handleRemark: row.handle_remark,
  handleUser: row.handled_by,
  handleTime: row.handled_at,
  ownerId: row.owner_id,
  ownerName: row.owner_id === null ? "" : row.owner_name,
  snoozedUntil: row.snoozed_until,
  snoozeNote: row.snooze_note,
  maintenanceUntil: row.maintenance_until,
});

/** How many are active, and wait for someone, by severity. */
export async function summarizeEvents(ctx: Context): Promise<OutputOf<typeof alarmEventSummary>> {
  const { rows } = await sql<OutputOf<typeof alarmEventSummary>[number]>`
    select e.level, count(*) as active, count(*) filter (where e.handled_at is null) as waiting
    from alarm_event e
    where ${inView.active} and ${inCallerScope(ctx, "e.enterprise_id", "e.created_by")}
    group by e.level`.execute(ctx.db);
  const byLevel = new Map(rows.map((row) => [row.level, row]));
  return alarmLevels.map((level) => byLevel.get(level) ?? { level, active: 0, waiting: 0 });
}
