/** Tasks of issues: one a CPE and version, whose state follows the states that contain the version. */

import { type TaskStatus, taskStatus } from "@weft/contract/domains/delivery/enums.ts";
import type { routerTemplateLogList } from "@weft/contract/domains/templates/router-template.ts";
import type { InputOf, ResultOf } from "@weft/contract/kernel/endpoint.ts";
import { type Selectable, sql } from "kysely";
import type { Database } from "#db/schema.ts";
import type { Context } from "#kernel/api.ts";

type Member = Pick<Selectable<Database["router_template_node"]>, "node_id" | "node_enterprise_id">;
interface Issued {
  readonly id: number;
  readonly name: string;
  readonly version: number;
}

/** Ends what waits for these CPEs: a newer issue or a removal took its place (design section 3.4). */
export async function cancelTasks(ctx: Context, nodeIds: readonly number[]): Promise<void> {
  if (nodeIds.length === 0) return;
  await sql`
    update task set status = ${taskStatus.cancelled}, updated_at = now()
    where type = 'template' and node_id = any(${[...nodeIds]}::bigint[])
      and status in (${taskStatus.notStarted}, ${taskStatus.pulled})`.execute(ctx.db);
}

/** One task a CPE, not started. */
export async function writeTasks(
  ctx: Context,
  members: readonly Member[],
  { id, name, version }: Issued,
): Promise<void> {
  await sql`
    insert into task (enterprise_id, node_id, type, content, template_id, template_version, created_by)
    select enterprise_id, node_id, 'template', ${`${name} #${version}`}, ${id}, ${version},
      ${ctx.caller.userId}
    from unnest(${members.map(({ node_enterprise_id }) => node_enterprise_id)}::bigint[],
      ${members.map(({ node_id }) => node_id)}::bigint[]) as m (enterprise_id, node_id)`.execute(
    ctx.db,
  );
}

/** The log of a template: its tasks at CPEs that the caller sees. */
export async function listLog(
  ctx: Context,
  { templateId, page, limit }: InputOf<typeof routerTemplateLogList>,
): Promise<ResultOf<typeof routerTemplateLogList>> {
  const tasks = ctx.db
    .selectFrom("task")
    .innerJoin("node", "node.id", "task.node_id")
    .where("task.type", "=", "template")
    .where("task.template_id", "=", templateId);
  const [rows, total] = await Promise.all([
    tasks
      .selectAll("task")
      .select("node.name")
      .orderBy("task.id", "desc")
      .limit(limit)
      .offset((page - 1) * limit)
      .execute(),
    tasks.select(sql<number>`count(*)::int`.as("n")).executeTakeFirstOrThrow(),
  ]);
  const isOver = (status: number) =>
    status !== taskStatus.notStarted && status !== taskStatus.pulled;
  return {
    rows: rows.map((row) => ({
      logId: row.id,
      templateId,
      cpeId: row.node_id,
      cpeName: row.name,
      version: row.template_version ?? 0,
      createTime: row.created_at,
      updateTime: isOver(row.status) ? row.updated_at : null,
      status: row.status as TaskStatus,
      content: row.content,
    })),
    count: total.n,
  };
}
