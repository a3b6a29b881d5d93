import type { loginRecordList, operaRecordList } from "@weft/contract/domains/access/record.ts";
import { actionsOfKind } from "@weft/contract/domains/access/record-actions.ts";
import type { InputOf, ResultOf } from "@weft/contract/kernel/endpoint.ts";
import { holds } from "@weft/contract/permissions.ts";
import { type RawBuilder, type SqlBool, sql } from "kysely";
import type { Context } from "#kernel/api.ts";
import { inCallerScope } from "#kernel/scope.ts";
import { contains } from "#kernel/table-store.ts";
import { type OperationRow, storiesOfOperations } from "./operation-stories.ts";
import { shownModules } from "./shown.ts";

type Operations = typeof operaRecordList;
type LogIns = typeof loginRecordList;

interface LogInRow {
  readonly id: number;
  readonly enterprise_id: number | null;
  readonly enterprise_name: string | null;
  readonly login_name: string;
  readonly address: string;
  readonly agent: string;
  readonly success: boolean;
  readonly reason: string | null;
  readonly at: Date;
}

interface Filters {
  readonly loginName: string | null;
  readonly startTime: Date | null;
  readonly endTime: Date | null;
}

const all = (parts: RawBuilder<unknown>[]) => sql<SqlBool>`${sql.join(parts, sql` and `)}`;

/** Common to both logs. The wire knows whole seconds, so the range's last one belongs to it. */
function common(ctx: Context, { loginName, startTime, endTime }: Filters): RawBuilder<unknown>[] {
  const parts: RawBuilder<unknown>[] = [inCallerScope(ctx, "l.enterprise_id", "l.user_id")];
  if (loginName) parts.push(contains(sql.ref("l.login_name"), loginName));
  if (startTime) parts.push(sql`l.at >= ${startTime}`);
  if (endTime) parts.push(sql`l.at < ${endTime}::timestamptz + interval '1 second'`);
  return parts;
}

/** Operations in the caller's scope, newest first. One's own are always among them. */
export async function listOperations(
  ctx: Context,
  query: InputOf<Operations>,
): Promise<ResultOf<Operations>> {
  const where = all([...common(ctx, query), ...filtersOf(query), shownModules(ctx)]);
  const [selected, total] = await Promise.all([
    sql<OperationRow>`
      select l.*, e.name as enterprise_name, d.login_name as undone_by
      from audit l left join enterprise e on e.id = l.enterprise_id
      left join undone_operation d on d.audit_id = l.id
      where ${where} order by l.at desc, l.id desc
      limit ${query.limit} offset ${(query.page - 1) * query.limit}`.execute(ctx.db),
    sql<{ n: number }>`select count(*) as n from audit l where ${where}`.execute(ctx.db),
  ]);
  return { rows: await storiesOfOperations(ctx, selected.rows), count: total.rows[0]?.n ?? 0 };
}

function filtersOf(query: InputOf<Operations>): RawBuilder<unknown>[] {
  const { module, rowId, kind, groupid, nodeId, templateId } = query;
  const parts: RawBuilder<unknown>[] = [];
  if (module) parts.push(sql`l.resource = ${module}`);
  if (rowId) parts.push(sql`l.row_id = ${rowId}`);
  if (kind) parts.push(sql`l.verb = any(${actionsOfKind(kind)}::text[])`);
  if (groupid) parts.push(sql`l.enterprise_id = ${groupid}`);
  if (nodeId) parts.push(sql`l.node_id = ${nodeId}`);
  if (templateId) parts.push(sql`l.template_id = ${templateId}`);
  return parts;
}

/**
 * Tries to log in, newest first; without the right to list users one's own only. Tries of unknown
 * accounts belong to no enterprise: only a session over the whole tree sees them.
 */
export async function listLogIns(ctx: Context, query: InputOf<LogIns>): Promise<ResultOf<LogIns>> {
  const parts = common(ctx, query);
  if (query.result !== null) parts.push(sql`l.success = ${query.result}`);
  if (!holds(ctx.caller, "sysUserList")) parts.push(sql`l.user_id = ${ctx.caller.userId}`);
  const where = all(parts);
  const [selected, total] = await Promise.all([
    sql<LogInRow>`
      select l.*, e.name as enterprise_name from login_record l
      left join enterprise e on e.id = l.enterprise_id
      where ${where} order by l.at desc, l.id desc
      limit ${query.limit} offset ${(query.page - 1) * query.limit}`.execute(ctx.db),
    sql<{ n: number }>`select count(*) as n from login_record l where ${where}`.execute(ctx.db),
  ]);
  return { rows: selected.rows.map(toLogIn), count: total.rows[0]?.n ?? 0 };
}

const toLogIn = (row: LogInRow): ResultOf<LogIns>["rows"][number] => ({
  id: row.id,
  loginName: row.login_name,
  groupid: row.enterprise_id,
  enterpriseName: row.enterprise_name ?? "",
  ip: row.address,
  agent: row.agent,
  result: row.success,
  msg: row.reason ?? "",
  createTime: row.at,
});
