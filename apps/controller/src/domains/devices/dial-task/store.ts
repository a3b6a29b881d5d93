import { dialTask, type dialTaskHistory } from "@weft/contract/domains/devices/dial-task.ts";
import type { CommandStatus } from "@weft/contract/domains/devices/settings-enums.ts";
import type { InputOf } from "@weft/contract/kernel/endpoint.ts";
import { sql } from "kysely";
import { statusNow } from "#domains/devices/command/public.ts";
import { cpes } from "#domains/devices/public.ts";
import type { Context } from "#kernel/api.ts";
import { inCallerScope } from "#kernel/scope.ts";
import { tableStore } from "#kernel/table-store.ts";

/** Of each task's last run: how many devices answered, and how many of these reached the target. */
async function lastRuns(
  ctx: Context,
  rows: readonly { id: number; last_run: Date | null }[],
): Promise<{ lastResult: string | null; lastTime: Date | null }[]> {
  const { rows: runs } = await sql<{ id: number; answered: number; reached: number }>`
    select t.id, count(*) filter (where c.result is not null)::int as answered,
      count(*) filter (where (c.result ->> 'ok')::boolean)::int as reached
    from dial_task t join node_command c on c.dial_task_id = t.id and c.created_at = t.last_run
    where t.id = any(${rows.map(({ id }) => id)}::bigint[]) group by t.id`.execute(ctx.db);
  const byId = new Map(runs.map((row) => [row.id, row]));
  return rows.map(({ id, last_run }) => {
    const run = byId.get(id);
    const result = run && run.answered > 0 ? `${run.reached}/${run.answered}` : null;
    return { lastResult: result, lastTime: last_run };
  });
}

export const dialTaskStore = tableStore(dialTask, {
  table: "dial_task",
  columns: {
    id: "id",
    name: "name",
    groupid: "enterprise_id",
    type: "type",
    target: "target",
    interval: "interval_s",
    enable: "enabled",
    remark: "remark",
  },
  members: { cpeIds: { table: "dial_task_node", of: cpes, from: "scope" } },
  owner: { enterprise: "groupid" },
  filters: { name: "contains" },
  matches: ({ cpeId }) =>
    cpeId === null
      ? null
      : sql`id in (select owner_id from dial_task_node where node_id = ${cpeId})`,
  constraints: { dial_task_name: { field: "name" } },
  complete: lastRuns,
});

/** True when the caller may read the task. */
export async function isTask(ctx: Context, id: number): Promise<boolean> {
  const task = await ctx.db
    .selectFrom("dial_task")
    .select("id")
    .where("id", "=", id)
    .where(inCallerScope(ctx, "enterprise_id", "created_by"))
    .executeTakeFirst();
  return task !== undefined;
}

interface ResultRecord {
  readonly id: number;
  readonly node_id: number;
  readonly node_name: string;
  readonly status: CommandStatus;
  readonly result: { ok: boolean; delayMs: number | null; lossPercent: number | null } | null;
  readonly reason: string | null;
  readonly created_at: Date;
}

export async function listResults(ctx: Context, query: InputOf<typeof dialTaskHistory>) {
  const [selected, total] = await Promise.all([
    sql<ResultRecord>`
      select c.id, c.node_id, n.name as node_name, ${statusNow("c")} as status, c.result, c.reason,
        c.created_at
      from node_command c join node n on n.id = c.node_id
      where c.dial_task_id = ${query.taskId}
      order by c.created_at desc, c.id desc
      limit ${query.limit} offset ${(query.page - 1) * query.limit}`.execute(ctx.db),
    sql<{ n: number }>`
      select count(*)::int as n from node_command where dial_task_id = ${query.taskId}`.execute(
      ctx.db,
    ),
  ]);
  const rows = selected.rows.map((row) => ({
    id: row.id,
    cpeId: row.node_id,
    cpeName: row.node_name,
    status: row.status,
    ok: row.result?.ok ?? null,
    delay: row.result?.delayMs ?? null,
    loss: row.result?.lossPercent ?? null,
    reason: row.reason,
    createTime: row.created_at,
  }));
  return { rows, count: total.rows[0]?.n ?? 0 };
}
