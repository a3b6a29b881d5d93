/** Tasks of issues: one a CPE and version, whose state follows the states that contain the version. */

import { type TaskStatus, taskStatus } from "@weft/contract/domains/delivery/enums.ts";
import { policyFamilies } from "@weft/contract/domains/policies/policy-families.ts";
import type { routerTemplateLogList } from "@weft/contract/domains/templates/router-template.ts";
import { acts } from "@weft/contract/effects.ts";
import type { InputOf, ResultOf } from "@weft/contract/kernel/endpoint.ts";
import { sql } from "kysely";
import { policyTables } from "#domains/policies/schema.ts";
import type { Context } from "#kernel/api.ts";

const families = new Map(policyFamilies.map((family) => [family.name, family.spec]));

/**
 * What each version holds that devices do not carry out yet, as a sentence behind the task's own; a
 * version without such objects has none.
 */
async function idleObjects(
  { db, caller }: Pick<Context, "db" | "caller">,
  templateId: number,
  versions: readonly number[],
): Promise<ReadonlyMap<number, string>> {
  const { rows } = await sql<{ version: number; name: string; objects: number }>`
    select v.version, c.key as name, jsonb_array_length(c.value) as objects
    from router_template_version v, jsonb_each(v.content) c
    where v.template_id = ${templateId} and v.version = any(${[...versions]}::int[])
      and jsonb_array_length(c.value) > 0
    order by v.version, c.key`.execute(db);
  const of = new Map<string, string>(
    Object.entries(policyTables).map(([family, table]) => [table, family]),
  );
  const isChinese = caller.language === "zh_cn";
  const found = Map.groupBy(
    rows.filter(({ name }) => !acts(of.get(name) ?? name)),
    ({ version }) => version,
  );
  return new Map(
    [...found].map(([version, some]) => {
      const listed = some.map(({ name, objects }) => {
        const spec = families.get(of.get(name) ?? "");
        return `${(isChinese ? spec?.title[0] : spec?.plural) ?? name} ${objects}`;
      });
      return [
        version,
        isChinese
          ? `；仅保存，设备尚未执行：${listed.join("、")}`
          : `; saved only, devices do not carry it out yet: ${listed.join(", ")}`,
      ];
    }),
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
  const versions = [...new Set(rows.map((row) => row.template_version ?? 0))];
  const idle = await idleObjects(ctx, templateId, versions);
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
      content:
        row.status === taskStatus.completed && idle.has(row.template_version ?? 0)
          ? `${row.content}${idle.get(row.template_version ?? 0)}`
          : row.content,
    })),
    count: total.n,
  };
}
