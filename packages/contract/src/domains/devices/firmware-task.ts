import { z } from "zod";
import { screens } from "#contract/access.ts";
import type { Samples } from "#contract/samples/sample.ts";
import * as codec from "#kernel/codec.ts";
import { endpoint, nothing } from "#kernel/endpoint.ts";
import { defineResource } from "#kernel/resource.ts";
import { dailySchedule } from "#rules/schedule.ts";
import * as text from "#rules/text.ts";
import { firmwareTaskStates } from "./settings-enums.ts";

/** Another version of the edge program for some CPEs (section 3); only for devices that can. */
const draft = z.object({
  groupid: codec.id,
  name: text.name,
  version: codec.text(64, 1),
  cpeIds: codec.someIds,
  /** When it starts; off: immediately. */
  schedule: dailySchedule,
});

const row = z.object({
  id: z.number(),
  groupid: z.number(),
  name: z.string(),
  version: z.string(),
  cpeIds: codec.idList,
  schedule: dailySchedule,
  status: codec.code(firmwareTaskStates),
  createTime: codec.instant,
});

export const firmwareTask = defineResource({
  name: "firmwareTask",
  title: ["固件任务", "Firmware task"],
  path: "/customer/firmwareTask",
  id: "id",
  row,
  draft,
  query: z.object({ status: codec.orNull(codec.code(firmwareTaskStates)) }),
  verbs: ["list", "add", "edit", "remove"],
  sort: ["id", "name"],
  sheet: { key: ["groupid", "name"] },
  may: {
    list: screens("/sdwan-system/cpe"),
    add: "cpeBatch",
    edit: "cpeBatch",
    remove: "cpeBatch",
    combo: null,
  },
});

/** Ends a task that has not started. */
export const firmwareTaskCancel = endpoint({
  id: "firmwareTask.cancel",
  method: "POST",
  path: "/customer/firmwareTask/cancel",
  input: z.object({ id: codec.id }),
  output: nothing,
  may: "cpeBatch",
});

export const firmwareTaskSamples: Samples<typeof firmwareTask> = {
  valid: ({ groupid, cpeId }) => ({
    groupid,
    name: "升级",
    version: "1.2.0",
    cpeIds: [cpeId],
    schedule: { enabled: true, hour: 2, minute: 30 },
  }),
  edited: (ids) => ({ ...firmwareTaskSamples.valid(ids), version: "1.2.1" }),
  distinct: ({ name }) => ({ name }),
  invalid: [
    { field: "name", value: "", rule: "required" },
    { field: "cpeIds", value: [], rule: "atLeastOne" },
    { field: "schedule", value: { enabled: true, hour: 24, minute: 0 }, rule: "schedule" },
  ],
};
