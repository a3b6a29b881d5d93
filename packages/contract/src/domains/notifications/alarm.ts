/** Alarm policies with their rules (specification sections 1 and 2.3). */

import { z } from "zod";
import { screens } from "#contract/access.ts";
import type { Samples } from "#contract/samples/sample.ts";
import { alarmMetrics } from "#domains/devices/enums.ts";
import * as codec from "#kernel/codec.ts";
import { endpoint, nothing } from "#kernel/endpoint.ts";
import { defineResource } from "#kernel/resource.ts";
import { failsWith } from "#kernel/rule.ts";
import { alarmThreshold, ranges } from "#rules/number.ts";
import * as text from "#rules/text.ts";
import { alarmLevels, compareTypes, isMeasured } from "./enums.ts";

const may = {
  list: "alarmStrategyView",
  add: "strategyAdd",
  edit: "strategyEdit",
  remove: "strategyRemove",
  combo: screens("alarmStrategyView", "/personalcenter/messageremanage"),
} as const;

/** Which nodes are monitored and who is notified: rules apply to the selected nodes, or to all of the enterprise. */
export const alarmStrategy = defineResource({
  name: "alarmStrategy",
  title: ["告警策略", "Alarm policy"],
  path: "/customer/alarmStrategy",
  id: "id",
  row: z.object({
    id: z.number(),
    name: z.string(),
    groupid: z.number(),
    enterpriseName: z.string(),
    share: codec.flag,
    enable: codec.flag,
    cpeIds: codec.idList,
    popIds: codec.idList,
    recipientIds: codec.idList,
    /** Rules of the policy, and its events that have not cleared. */
    rules: z.number(),
    active: z.number(),
    remark: z.string(),
    createTime: codec.instant,
  }),
  draft: z.object({
    name: text.name,
    /** Owner; null: the caller's own enterprise. */
    groupid: codec.orNull(codec.id),
    enable: codec.flag,
    /** No CPE and no POP: all nodes of the enterprise and its descendants. */
    cpeIds: codec.idList,
    popIds: codec.idList,
    recipientIds: codec.idList,
    remark: text.remark,
  }),
  query: z.object({ name: codec.orNull(codec.text(64)), groupid: codec.orNull(codec.id) }),
  verbs: ["list", "add", "edit", "remove", "combo"],
  sort: ["id", "name", "createTime"],
  sheet: { key: ["groupid", "name"] },
  may,
});

/**
 * Shares a policy with the enterprises below, which may read it and its rules; its events about their
 * nodes belong to them from then on.
 */
export const alarmStrategyShare = endpoint({
  id: "alarmStrategy.share",
  method: "POST",
  path: "/customer/alarmStrategy/share",
  input: z.object({ id: codec.id, share: codec.flag }),
  output: nothing,
  may: "strategyShare",
});

const compares = (draft: { metric: (typeof alarmMetrics)[number] }): boolean =>
  isMeasured(draft.metric);

/** The condition of an alarm, and its severity. */
export const alarmRule = defineResource({
  name: "alarmRule",
  title: ["告警规则", "Alarm rule"],
  path: "/customer/alarmRule",
  id: "id",
  row: z.object({
    id: z.number(),
    strategyId: z.number(),
    metric: z.enum(alarmMetrics),
    compareType: codec.code(compareTypes).nullable(),
    threshold: z.number().nullable(),
    hysteresis: z.number(),
    duration: z.number(),
    recovery: z.number(),
    level: codec.code(alarmLevels),
    enable: codec.flag,
  }),
  draft: z
    .object({
      strategyId: codec.id,
      metric: codec.oneOf(alarmMetrics),
      /** Of measured metrics only. */
      compareType: codec.orNull(codec.code(compareTypes)),
      /** Percent, or ms of delay and jitter; of measured metrics only. */
      threshold: codec.orNull(alarmThreshold),
      /** How far the value must return past the threshold to count as healthy. */
      hysteresis: codec.decimal(...ranges.alarmThreshold).default(0),
      /** Seconds without interruption before the event opens. */
      duration: codec.int(...ranges.alarmSeconds).default(0),
      /** Seconds without interruption that everything must be healthy before the event clears. */
      recovery: codec.int(...ranges.alarmSeconds).default(60),
      level: codec.code(alarmLevels),
      enable: codec.flag.default(true),
    })
    .refine(
      (draft) => !compares(draft) || draft.threshold !== null,
      failsWith("required", {}, ["threshold"]),
    )
    .refine(
      (draft) => !compares(draft) || draft.compareType !== null,
      failsWith("required", {}, ["compareType"]),
    ),
  query: z.object({ strategyId: codec.id }),
  verbs: ["list", "add", "edit", "remove"],
  sort: ["id", "level"],
  sheet: { key: ["metric", "level"] },
  owner: "strategyId",
  may,
});

export const alarmStrategySamples: Samples<typeof alarmStrategy> = {
  valid: ({ groupid, cpeId, popId }) => ({
    name: "门店断网",
    groupid,
    enable: true,
    cpeIds: [cpeId],
    popIds: [popId],
    recipientIds: [],
    remark: "",
  }),
  edited: (ids) => ({
    ...alarmStrategySamples.valid(ids),
    name: "全部站点",
    enable: false,
    cpeIds: [],
    popIds: [],
  }),
  distinct: ({ name }) => ({ name }),
  invalid: [
    { field: "name", value: "", rule: "required" },
    { field: "name", value: "<b>", rule: "name" },
    { field: "cpeIds", value: [0], rule: "integer" },
    { field: "recipientIds", value: [0], rule: "integer" },
  ],
};

export const alarmRuleSamples: Samples<typeof alarmRule> = {
  valid: ({ alarmStrategyId = 1 }) => ({
    strategyId: alarmStrategyId,
    metric: "loss",
    compareType: 1,
    threshold: 5,
    hysteresis: 2,
    duration: 60,
    recovery: 120,
    level: 2,
    enable: true,
  }),
  edited: (ids) => ({
    ...alarmRuleSamples.valid(ids),
    metric: "line",
    compareType: null,
    threshold: null,
    hysteresis: 0,
    level: 1,
  }),
  distinct: () => ({}),
  invalid: [
    { field: "threshold", value: 101, rule: "alarmThreshold" },
    { field: "threshold", value: -1, rule: "alarmThreshold" },
    { field: "threshold", value: null, rule: "required" },
    { field: "compareType", value: null, rule: "required" },
    { field: "compareType", value: 5, rule: "oneOf" },
    { field: "metric", value: "noise", rule: "oneOf" },
    { field: "duration", value: 86_401, rule: "outOfRange" },
    { field: "level", value: 0, rule: "oneOf" },
  ],
};
