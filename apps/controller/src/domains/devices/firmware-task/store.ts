import { firmwareTask } from "@weft/contract/domains/devices/firmware-task.ts";
import { dailySchedule } from "@weft/contract/rules/schedule.ts";
import { sql } from "kysely";
import { z } from "zod";
import { cpes } from "#domains/devices/public.ts";
import type { Context } from "#kernel/api.ts";
import type { Store } from "#kernel/resource-store.ts";
import { inCallerScope } from "#kernel/scope.ts";
import { tableStore } from "#kernel/table-store.ts";

const plain = tableStore(firmwareTask, {
  table: "firmware_task",
  columns: {
    id: "id",
    groupid: "enterprise_id",
    name: "name",
    version: "version",
    schedule: "schedule",
    status: "status",
    createTime: "created_at",
  },
  members: { cpeIds: { table: "firmware_task_node", of: cpes, from: "scope" } },
  owner: { enterprise: "groupid" },
  filters: { status: "equal" },
});

type Draft = Parameters<typeof plain.add>[1];
// The column holds the wire's text.
const stored = (draft: Draft): Draft => ({
  ...draft,
  schedule: z.encode(dailySchedule, draft.schedule) as unknown as Draft["schedule"],
});

export const firmwareTaskStore: Store<typeof firmwareTask> = {
  ...plain,
  async list(ctx, query) {
    const { rows, count } = await plain.list(ctx, query);
    const read = rows.map((row) => ({
      ...row,
      schedule: z.decode(dailySchedule, row.schedule as unknown as string),
    }));
    return { rows: read, count };
  },
  add: (ctx, draft) => plain.add(ctx, stored(draft)),
  edit: (ctx, id, draft) => plain.edit(ctx, id, stored(draft)),
};

/** A task of the caller's own, locked. */
export async function lockTask(ctx: Context, id: number) {
  return ctx.db
    .selectFrom("firmware_task")
    .select(["id", "enterprise_id", "status"])
    .where("id", "=", id)
    .where(inCallerScope(ctx, "enterprise_id", "created_by"))
    .forUpdate()
    .executeTakeFirst();
}

/** Names of the first few devices that did not say that they can change their own program; "": none. */
export async function unableOf(ctx: Context, ids: readonly number[]): Promise<string> {
  const { rows } = await sql<{ name: string }>`
    select n.name from node n left join node_status s on s.node_id = n.id
    where n.id = any(${[...ids]}::bigint[])
      and not coalesce(s.capabilities @> '[{"name":"firmware","can":true}]', false)
    order by n.name limit 3`.execute(ctx.db);
  return rows.map(({ name }) => name).join(", ");
}

export async function setStatus(ctx: Context, id: number, status: number): Promise<void> {
  await ctx.db
    .updateTable("firmware_task")
    .set({ status, updated_at: sql`now()` })
    .where("id", "=", id)
    .execute();
}
