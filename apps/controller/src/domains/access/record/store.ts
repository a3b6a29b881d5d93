import { allResources } from "@weft/contract/all-endpoints.ts";
import type { loginRecordList, operaRecordList } from "@weft/contract/domains/access/record.ts";
import type { InputOf, ResultOf } from "@weft/contract/kernel/endpoint.ts";
import { holds } from "@weft/contract/permissions.ts";
import { type RawBuilder, type SqlBool, sql } from "kysely";
import type { Context } from "#kernel/api.ts";
import { inCallerScope } from "#kernel/scope.ts";
import { contains } from "#kernel/table-store.ts";
import { differences, rowName } from "./rules.ts";

type Operations = typeof operaRecordList;
type LogIns = typeof loginRecordList;
type Values = Record<string, unknown> | null;

interface OperationRow {
  readonly id: number;
  readonly enterprise_id: number;
  readonly enterprise_name: string | null;
  readonly user_id: number;
  readonly login_name: string;
  readonly action: string;
  readonly resource: string;
  readonly row_id: number | null;
  readonly old_value: Values;
  readonly new_value: Values;
  readonly address: string;
  readonly request_id: string;
  readonly at: Date;
}

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

/** Resources whose list the caller may not ask for: the log must not show their rows instead. */
export const hiddenModules = (ctx: Context): string[] =>
  Object.values(allResources)
    .filter(({ may }) => !holds(ctx.caller, may.list))
    .map(({ name }) => name);

/** Predicate over `audit l`: rows of resources that the caller may list, and the caller's own. */
const shownModules = (ctx: Context): RawBuilder<SqlBool> => {
  const hidden = hiddenModules(ctx);
  if (hidden.length === 0) return sql`true`;
  return sql`(l.user_id = ${ctx.caller.userId} or l.resource <> all(${hidden}::text[]))`;
};

/** Predicate over `audit l`: what the caller's operation log shows. */
export const shownOperations = (ctx: Context): RawBuilder<SqlBool> =>
  sql`(${inCallerScope(ctx, "l.enterprise_id", "l.user_id")} and ${shownModules(ctx)})`;

/** Operations in the caller's scope, newest first. One's own are always among them. */
export async function listOperations(
  ctx: Context,
  query: InputOf<Operations>,
): Promise<ResultOf<Operations>> {
  const parts = common(ctx, query);
  if (query.module) parts.push(sql`l.resource = ${query.module}`);
  parts.push(shownModules(ctx));
  const where = all(parts);
  const [found, total] = await Promise.all([
    sql<OperationRow>`
      select l.*, e.name as enterprise_name from audit l
      left join enterprise e on e.id = l.enterprise_id
      where ${where} order by l.at desc, l.id desc
      limit ${query.limit} offset ${(query.page - 1) * query.limit}`.execute(ctx.db),
    sql<{ n: number }>`select count(*) as n from audit l where ${where}`.execute(ctx.db),
  ]);
  return { rows: found.rows.map(toOperation), count: total.rows[0]?.n ?? 0 };
}

const toOperation = (row: OperationRow): ResultOf<Operations>["rows"][number] => ({
  id: row.id,
  userId: row.user_id,
  loginName: row.login_name,
  groupid: row.enterprise_id,
  enterpriseName: row.enterprise_name ?? "",
  module: row.resource,
  action: row.action,
  rowId: row.row_id,
  rowName: rowName(row.old_value, row.new_value),
  ip: row.address,
  requestId: row.request_id,
  createTime: row.at,
  changes: differences(row.old_value, row.new_value),
});

/**
 * Tries to log in, newest first; without the right to list users one's own only. Tries of unknown
 * accounts belong to no enterprise: only a session over the whole tree sees them.
 */
export async function listLogIns(ctx: Context, query: InputOf<LogIns>): Promise<ResultOf<LogIns>> {
  const parts = common(ctx, query);
  if (query.result !== null) parts.push(sql`l.success = ${query.result}`);
  if (!holds(ctx.caller, "sysUserList")) parts.push(sql`l.user_id = ${ctx.caller.userId}`);
  const where = all(parts);
  const [found, total] = await Promise.all([
    sql<LogInRow>`
      select l.*, e.name as enterprise_name from login_record l
      left join enterprise e on e.id = l.enterprise_id
      where ${where} order by l.at desc, l.id desc
      limit ${query.limit} offset ${(query.page - 1) * query.limit}`.execute(ctx.db),
    sql<{ n: number }>`select count(*) as n from login_record l where ${where}`.execute(ctx.db),
  ]);
  return { rows: found.rows.map(toLogIn), count: total.rows[0]?.n ?? 0 };
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
