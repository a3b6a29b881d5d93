/** Tasks of issues: one a CPE and version, whose state follows the states that contain the version. */

import { type TaskStatus, taskStatus } from "@weft/contract/domains/delivery/enums.ts";
import type { routerTemplateLogList } from "@weft/contract/domains/templates/router-template.ts";
import type { InputOf, ResultOf } from "@weft/contract/kernel/endpoint.ts";
import { sql } from "kysely";
import type { Context } from "#kernel/api.ts";

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
      .select(
        sql<boolean>`exists (select from template_rollout r where r.template_id = task.template_id
          and r.version = task.template_version and r.is_bad)`.as("is_bad"),
      )
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
      isBad: row.is_bad,
      createTime: row.created_at,
      updateTime: isOver(row.status) ? row.updated_at : null,
      status: row.status as TaskStatus,
      content: row.content,
      unmet: row.unmet?.count ?? 0,
      cannot: row.unmet?.cannot ?? 0,
      findings: [...(row.unmet?.rows ?? [])],
    })),
    count: total.n,
  };
}
