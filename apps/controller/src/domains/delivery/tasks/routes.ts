import { taskStatus } from "@weft/contract/domains/delivery/enums.ts";
import { nodeState, stateRetry } from "@weft/contract/domains/delivery/node-state.ts";
import { taskCancel, taskList } from "@weft/contract/domains/delivery/task.ts";
import type { FastifyInstance } from "fastify";
import { cancelState, retryState } from "#domains/delivery/lifecycle/public.ts";
import { isNode } from "#domains/devices/node/public.ts";
import { mount } from "#kernel/mount.ts";
import { refuse } from "#kernel/refuse.ts";
import { isBlocked } from "./rules.ts";
import { listTasks, lockNewest, lockTask, readNodeState } from "./store.ts";

const pulled = { reason: ["已下发", "the device has already received it"] } as const;
const ofTemplate = {
  reason: [
    "模板任务由下一次发布或移出模板取消",
    "the task of a template ends when the template is published again or when the CPE leaves it",
  ],
} as const;
const notBlocked = { reason: ["没有被阻止的状态", "no state is blocked"] } as const;

/** What became of intent: states and tasks of a node. */
export function taskRoutes(app: FastifyInstance): void {
  mount(
    app,
    nodeState,
    async ({ id }, ctx) => (await readNodeState(ctx, id)) ?? refuse("notFound"),
  );
  mount(app, taskList, async (query, ctx) => {
    if (!(await isNode(ctx, query.cpeId))) refuse("notFound");
    return listTasks(ctx, query);
  });
  mount(app, taskCancel, async ({ operId }, ctx) => {
    const task = (await lockTask(ctx, operId)) ?? refuse("notFound");
    if (task.type === "template") refuse("notAllowedNow", ofTemplate);
    const cancelled =
      task.status === taskStatus.notStarted && (await cancelState(ctx, task, ctx.caller.loginName));
    if (!cancelled) refuse("notAllowedNow", pulled);
    await ctx.audit({
      resource: "task",
      rowId: task.id,
      old: { status: task.status, serial: task.serial },
      new: { status: taskStatus.cancelled },
      enterpriseId: task.enterprise_id,
    });
    return null;
  });
  mount(app, stateRetry, async ({ id }, ctx) => {
    const state = (await lockNewest(ctx, id)) ?? refuse("notFound");
    if (!isBlocked(state)) refuse("notAllowedNow", notBlocked);
    await retryState(ctx, id, state);
    const { enterprise_id: enterpriseId, serial, outcome, reason } = state;
    await ctx.audit({
      resource: "nodeState",
      rowId: id,
      old: { serial, outcome, reason },
      new: { serial, outcome: "waiting" },
      enterpriseId,
    });
    // Nothing to compile: gateways learn of the change and find the state waiting.
    await ctx.change({ enterpriseId, nodeIds: [id] });
    return null;
  });
}
