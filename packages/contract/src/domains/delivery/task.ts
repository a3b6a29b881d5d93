import { z } from "zod";
import { nodeScreens } from "#contract/access.ts";
import * as codec from "#kernel/codec.ts";
import { endpoint, nothing, pagedEndpoint, pageFields } from "#kernel/endpoint.ts";
import { taskStatuses } from "./enums.ts";

/** Tasks of a node (section 7.2). */
export const taskList = pagedEndpoint({
  id: "task.list",
  method: "GET",
  path: "/customer/task/list",
  input: z.object({ ...pageFields, cpeId: codec.id }),
  output: z.object({
    operId: z.number(),
    cpeId: z.number(),
    type: z.string(),
    /** Section 4: 0 not started, 4 pulled, 1 completed, 2 failed, 3 cancelled. */
    status: codec.code(taskStatuses),
    /** Serial of the state it delivers. */
    serial: z.number().nullable(),
    content: z.string(),
    createTime: codec.instant,
    updateTime: codec.instant.nullable(),
  }),
  may: nodeScreens,
});

/** Cancels a task that no device has pulled yet. */
export const taskCancel = endpoint({
  id: "task.cancel",
  method: "POST",
  path: "/customer/task/cancel",
  input: z.object({ operId: codec.id }),
  output: nothing,
  may: "cpeConfig",
});
