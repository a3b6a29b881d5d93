import { z } from "zod";
import { screens } from "#contract/access.ts";
import type { Samples } from "#contract/samples/sample.ts";
import * as codec from "#kernel/codec.ts";
import { endpoint, pagedEndpoint, pageFields } from "#kernel/endpoint.ts";
import { defineResource } from "#kernel/resource.ts";
import { failsWith } from "#kernel/rule.ts";
import * as host from "#rules/host.ts";
import * as text from "#rules/text.ts";
import { commandStatuses, dialTypes } from "./settings-enums.ts";

/** Most CPEs that one task tests from. */
export const maxDialCpes = 200;

const fitsTarget = ({ type, target }: { type: string; target: string }): boolean =>
  type === "http" ? text.isUrl(target) : host.isHost(target);

/** Scheduled active tests from CPEs to a target (section 2.4). */
const draft = z
  .object({
    name: text.name,
    groupid: codec.id,
    cpeIds: codec.someIds.refine(
      (ids) => ids.length <= maxDialCpes,
      failsWith("tooMany", { max: maxDialCpes }),
    ),
    type: codec.oneOf(dialTypes),
    /** A name or address; of an HTTP test its URL. */
    target: codec.text(253, 1),
    /** Seconds from one run to the next. */
    interval: codec.int(30, 86_400),
    enable: codec.flag,
    remark: text.remark,
  })
  .refine(fitsTarget, failsWith("host", {}, ["target"]));

const row = z.object({
  id: z.number(),
  name: z.string(),
  groupid: z.number(),
  cpeIds: codec.idList,
  type: z.enum(dialTypes),
  target: z.string(),
  interval: z.number(),
  enable: codec.flag,
  /** CPEs of the last run that reached it, of those that answered: "3/4"; null: none yet. */
  lastResult: z.string().nullable(),
  lastTime: codec.instant.nullable(),
  remark: z.string(),
});

export const dialTask = defineResource({
  name: "dialTask",
  title: ["拨测任务", "CPE dial task"],
  path: "/customer/dialTask",
  id: "id",
  row,
  draft,
  query: z.object({
    cpeId: codec.orNull(codec.id),
    name: codec.orNull(codec.text(64)),
  }),
  verbs: ["list", "add", "edit", "remove"],
  sort: ["id", "name"],
  sheet: { key: ["groupid", "name"] },
  may: {
    list: screens("/sdwan-system/cpe/dialTask"),
    add: "cpeDiagnosis",
    edit: "cpeDiagnosis",
    remove: "cpeDiagnosis",
    combo: null,
  },
});

/** One run on one CPE. */
const dialResult = z.object({
  id: z.number(),
  cpeId: z.number(),
  cpeName: z.string(),
  status: z.enum(commandStatuses),
  /** True: the target was reached. null: the test did not run. */
  ok: z.boolean().nullable(),
  /** ms. */
  delay: z.number().nullable(),
  /** Percent; ping only. */
  loss: z.number().nullable(),
  reason: z.string().nullable(),
  createTime: codec.instant,
});

export const dialTaskHistory = pagedEndpoint({
  id: "dialTask.history",
  method: "GET",
  path: "/customer/dialTask/history",
  input: z.object({ ...pageFields, taskId: codec.id }),
  output: dialResult,
  may: screens("/sdwan-system/cpe/dialTask"),
});

/** Tests once, now, and answers with what the device saw (section 7.3; the spelling is the wire's). */
export const initPing = endpoint({
  id: "router.iniPing",
  method: "GET",
  path: "/customer/router/iniPing",
  input: z
    .object({
      cpeId: codec.id,
      /** A name or address; of an HTTP test its URL. */
      host: codec.text(253, 1),
      count: codec.int(1, 20).default(4),
      type: codec.oneOf(dialTypes).default("ping"),
    })
    .refine(
      ({ host: target, type }) => fitsTarget({ target, type }),
      failsWith("host", {}, ["host"]),
    ),
  output: z.object({
    taskId: z.number(),
    ok: z.boolean(),
    delay: z.number().nullable(),
    loss: z.number().nullable(),
    lines: z.array(z.string()),
  }),
  may: "cpeDiagnosis",
  // It leaves a command and an audit row.
  acts: true,
});

export const dialTaskSamples: Samples<typeof dialTask> = {
  valid: ({ groupid, cpeId }) => ({
    name: "到总部",
    groupid,
    cpeIds: [cpeId],
    type: "ping",
    target: "192.0.2.10",
    interval: 60,
    enable: false,
    remark: "",
  }),
  edited: (ids) => ({
    ...dialTaskSamples.valid(ids),
    type: "http",
    target: "https://www.example.com/",
  }),
  distinct: ({ name }) => ({ name }),
  invalid: [
    { field: "name", value: "", rule: "required" },
    { field: "cpeIds", value: [], rule: "atLeastOne" },
    { field: "target", value: "a b", rule: "host" },
    { field: "interval", value: 29, rule: "outOfRange" },
    { field: "type", value: "smtp", rule: "oneOf" },
  ],
};
