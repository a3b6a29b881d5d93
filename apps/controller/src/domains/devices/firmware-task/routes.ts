import { firmwareTask, firmwareTaskCancel } from "@weft/contract/domains/devices/firmware-task.ts";
import type { FastifyInstance } from "fastify";
import { cpes } from "#domains/devices/public.ts";
import type { HandlerContext } from "#kernel/api.ts";
import { mount } from "#kernel/mount.ts";
import { mountResource } from "#kernel/mount-resource.ts";
import { requireRows } from "#kernel/reference.ts";
import { refuse } from "#kernel/refuse.ts";
import { firmwareTaskStore, lockTask, setStatus, unableOf } from "./store.ts";

const queued = 0;
const cancelled = 4;
const started = { reason: ["任务已开始或已结束", "the task has started or has ended"] } as const;

/** Devices that cannot change their own program are named before anything is kept. */
async function refuseUnable(ctx: HandlerContext, ids: readonly number[]): Promise<void> {
  await requireRows(ctx, cpes, ids, "cpeIds");
  const names = await unableOf(ctx, ids);
  if (names === "") return;
  refuse("notAllowedNow", {
    reason: [
      `设备不支持远程升级：${names}`,
      `these devices cannot be upgraded from here: ${names}`,
    ],
  });
}

/** Other versions of the edge program for CPEs that can take one. */
export function firmwareTaskRoutes(app: FastifyInstance): void {
  mountResource(app, firmwareTask, firmwareTaskStore, {
    async beforeWrite(ctx, draft, id) {
      if (id !== null) {
        const task = (await lockTask(ctx, id)) ?? refuse("notFound");
        if (task.status !== queued) refuse("notAllowedNow", started);
      }
      await refuseUnable(ctx, draft.cpeIds);
    },
  });
  mount(app, firmwareTaskCancel, async ({ id }, ctx) => {
    const task = (await lockTask(ctx, id)) ?? refuse("notFound");
    if (task.status !== queued) refuse("notAllowedNow", started);
    await setStatus(ctx, id, cancelled);
    const enterpriseId = task.enterprise_id;
    const values = { old: { status: queued }, new: { status: cancelled } };
    await ctx.audit({ resource: firmwareTask.name, rowId: id, enterpriseId, ...values });
    return null;
  });
}
