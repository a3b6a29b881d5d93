import type {
  alarmEventHandle,
  alarmEventList,
} from "@weft/contract/domains/notifications/alarm-event.ts";
import type { InputOf, ResultOf } from "@weft/contract/kernel/endpoint.ts";
import { type Selectable, type SqlBool, sql } from "kysely";
import type { Database } from "#db/schema.ts";
import type { Context } from "#kernel/api.ts";
import { refuse } from "#kernel/refuse.ts";
import { inCallerScope } from "#kernel/scope.ts";
import { contains } from "#kernel/table-store.ts";
import { eventSentence, itemText } from "./event-text.ts";

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

/** A page of events, the newest first unless asked otherwise. */
export async function listEvents(
  ctx: Context,
  query: Query,
): Promise<ResultOf<typeof alarmEventList>> {
  const where = matching(ctx, query);
  const column = sql.ref(columns[query.orderByColumn ?? "createTime"]);
  const isAscending =
    query.isAsc === "asc" || (query.isAsc === null && query.orderByColumn !== null);
  const [found, total] = await Promise.all([
    sql<Listed>`
      select e.*, g.name as enterprise_name,
        (select count(*) from alarm_event c where c.parent_id = e.id) as children
      from alarm_event e left join enterprise g on g.id = e.enterprise_id
      where ${where}
      order by ${column} ${sql.raw(isAscending ? "asc" : "desc")}, e.opened_at desc, e.id desc
      limit ${query.limit} offset ${(query.page - 1) * query.limit}`.execute(ctx.db),
    sql<{ n: number }>`select count(*) as n from alarm_event e where ${where}`.execute(ctx.db),
  ]);
  const at = ctx.caller.language === "zh_cn" ? 0 : 1;
  return { rows: found.rows.map((row) => toRow(row, at)), count: total.rows[0]?.n ?? 0 };
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
});

/** Records who acknowledges events; one that was acknowledged keeps its first author. */
export async function handleEvents(
  ctx: Context,
  { ids, remark }: InputOf<typeof alarmEventHandle>,
): Promise<void> {
  const unique = [...new Set(ids)];
  const mine = await ctx.db
    .selectFrom("alarm_event")
    .select(["id", "enterprise_id", "node_name", "handled_at"])
    .where(sql<SqlBool>`id = any(${unique}::bigint[])`)
    .where(inCallerScope(ctx, "enterprise_id", "created_by"))
    .orderBy("id")
    .forUpdate()
    .execute();
  if (mine.length !== unique.length) refuse("notFound");
  await ctx.db
    .updateTable("alarm_event")
    .set({
      handled_at: sql<Date>`now()`,
      handled_by: ctx.caller.loginName,
      handle_remark: remark,
    })
    .where(sql<SqlBool>`id = any(${unique}::bigint[])`)
    .where("handled_at", "is", null)
    .execute();
  await ctx.audit(
    ...mine.map((one) => ({
      resource: "alarmEvent",
      rowId: one.id,
      enterpriseId: one.enterprise_id,
      old: { name: one.node_name, handled: one.handled_at !== null },
      new: { name: one.node_name, handled: true, remark },
    })),
  );
}
