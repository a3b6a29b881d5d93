import { dialTask, dialTaskHistory } from "@weft/contract/domains/devices/dial-task.ts";
import type { FastifyInstance } from "fastify";
import { mount } from "#kernel/mount.ts";
import { mountResource } from "#kernel/mount-resource.ts";
import { refuse } from "#kernel/refuse.ts";
import { dialTaskStore, isTask, listResults } from "./store.ts";

/** Scheduled tests from CPEs; the worker runs them (jobs/run-dials.ts). */
export function dialTaskRoutes(app: FastifyInstance): void {
  mountResource(app, dialTask, dialTaskStore);
  mount(app, dialTaskHistory, async (query, ctx) => {
    if (!(await isTask(ctx, query.taskId))) refuse("notFound");
    return listResults(ctx, query);
  });
}
