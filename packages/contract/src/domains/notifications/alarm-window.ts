/** Maintenance windows: planned work that raises alarms. */
import { z } from "zod";
import type { Samples } from "#contract/samples/sample.ts";
import * as codec from "#kernel/codec.ts";
import { defineResource } from "#kernel/resource.ts";
import { failsWith } from "#kernel/rule.ts";
import * as text from "#rules/text.ts";
import { type WindowKind, windowKinds } from "./enums.ts";

interface Target {
  readonly kind: WindowKind;
  readonly cpeIds: readonly number[];
  readonly popIds: readonly number[];
  readonly scopeId: number | null;
  readonly isp: string;
}

/** Field in which the target of a window is entered. */
export const targetField = { 1: "cpeIds", 2: "popIds", 3: "scopeId", 4: "isp" } as const;

const isGiven = (draft: Target): boolean => {
  const value = draft[targetField[draft.kind]];
  return Array.isArray(value) ? value.length > 0 : value !== null && value !== "";
};

const target = {
  kind: codec.code(windowKinds),
  cpeIds: codec.idList.default([]),
  popIds: codec.idList.default([]),
  /** The enterprise that is meant, with those below it. */
  scopeId: codec.orNull(codec.id),
  /** Carrier as WAN links name it. */
  isp: codec.text(32).default(""),
};

const fields = z.object({
  reason: codec.text(100, 1),
  /** Owner; null: the caller's own enterprise. Alarms of it and of those below are concerned. */
  groupid: codec.orNull(codec.id),
  ...target,
  startTime: codec.instant,
  endTime: codec.instant,
  remark: text.remark,
});

/** Alarms about the target are kept while the window lasts, and neither sent nor counted. */
export const alarmWindow = defineResource({
  name: "alarmWindow",
  title: ["维护窗口", "Maintenance window"],
  addition: "planned work must not wake people; the specification has no such window",
  path: "/customer/alarmWindow",
  id: "id",
  row: z.object({
    id: z.number(),
    reason: z.string(),
    groupid: z.number(),
    enterpriseName: z.string(),
    kind: codec.code(windowKinds),
    cpeIds: codec.idList,
    popIds: codec.idList,
    scopeId: z.number().nullable(),
    scopeName: z.string(),
    isp: z.string(),
    startTime: codec.instant,
    endTime: codec.instant,
    remark: z.string(),
    createTime: codec.instant,
  }),
  draft: fields
    .refine((draft) => draft.kind !== 1 || isGiven(draft), failsWith("required", {}, ["cpeIds"]))
    .refine((draft) => draft.kind !== 2 || isGiven(draft), failsWith("required", {}, ["popIds"]))
    .refine((draft) => draft.kind !== 3 || isGiven(draft), failsWith("required", {}, ["scopeId"]))
    .refine((draft) => draft.kind !== 4 || isGiven(draft), failsWith("required", {}, ["isp"]))
    .refine((draft) => draft.endTime > draft.startTime, failsWith("order", {}, ["endTime"])),
  query: z.object({ reason: codec.orNull(codec.text(64)), groupid: codec.orNull(codec.id) }),
  verbs: ["list", "add", "edit", "remove"],
  sheet: {
    none: [
      "维护窗口针对一个对象和一段时间，逐个安排",
      "a maintenance window is planned for one object and one time",
    ],
  },
  sort: ["startTime", "endTime", "id"],
  may: {
    list: "alarmStrategyView",
    add: "strategyAdd",
    edit: "strategyEdit",
    remove: "strategyRemove",
    combo: null,
  },
});

export const alarmWindowSamples: Samples<typeof alarmWindow> = {
  valid: ({ groupid, cpeId }) => ({
    reason: "机房割接",
    groupid,
    kind: 1,
    cpeIds: [cpeId],
    popIds: [],
    scopeId: null,
    isp: "",
    startTime: new Date("2026-11-28T16:00:00Z"),
    endTime: new Date("2026-11-28T20:00:00Z"),
    remark: "",
  }),
  edited: (ids) => ({
    ...alarmWindowSamples.valid(ids),
    reason: "运营商割接",
    kind: 4,
    cpeIds: [],
    isp: "电信",
    endTime: new Date("2026-11-28T22:00:00Z"),
  }),
  distinct: ({ name }) => ({ reason: name }),
  invalid: [
    { field: "reason", value: "", rule: "required" },
    { field: "kind", value: 5, rule: "oneOf" },
    { field: "cpeIds", value: [], rule: "required" },
  ],
};
