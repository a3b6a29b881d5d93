/** Alarm policies with their rules, and who is told (specification sections 1 and 2.3). */
import { z } from "zod";
import * as codec from "#kernel/codec.ts";
import { endpoint, nothing } from "#kernel/endpoint.ts";
import { languages } from "#kernel/message.ts";
import { defineResource } from "#kernel/resource.ts";
import { failsWith } from "#kernel/rule.ts";
import { alarmThreshold, ranges } from "#rules/number.ts";
import * as text from "#rules/text.ts";
import { alarmLevels, alarmMetrics, compareTypes, isMeasured } from "./enums.ts";

const may = {
  list: "alarmStrategyView",
  add: "strategyAdd",
  edit: "strategyEdit",
  remove: "strategyRemove",
  combo: null,
} as const;

/** What is watched and who is told: rules apply to the chosen nodes, or to all of the enterprise. */
export const alarmStrategy = defineResource({
  name: "alarmStrategy",
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
    /** Whose it is; null: the caller's own. */
    groupid: codec.orNull(codec.id),
    enable: codec.flag,
    /** No CPE and no POP: all nodes of the enterprise and of those below it. */
    cpeIds: codec.idList,
    popIds: codec.idList,
    recipientIds: codec.idList,
    remark: text.remark,
  }),
  query: z.object({ name: codec.orNull(codec.text(64)), groupid: codec.orNull(codec.id) }),
  verbs: ["list", "add", "edit", "remove", "combo"],
  sort: ["id", "name", "createTime"],
  may,
});

/**
 * Shows a policy to the enterprises below, who may read it and its rules; its events about their
 * nodes are theirs from then on.
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

/** When a policy raises an alarm, and how bad it is. */
export const alarmRule = defineResource({
  name: "alarmRule",
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
      metric: codec.word(alarmMetrics),
      /** Of measured metrics only. */
      compareType: codec.orNull(codec.code(compareTypes)),
      /** Percent, or ms of delay and jitter; of measured metrics only. */
      threshold: codec.orNull(alarmThreshold),
      /** How far the figure must come back beyond the threshold before it counts as well. */
      hysteresis: codec.decimal(...ranges.alarmThreshold).default(0),
      /** Seconds without a break before the event opens. */
      duration: codec.int(...ranges.alarmSeconds).default(0),
      /** Seconds without a break that all must be well before the event clears. */
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
  owner: "strategyId",
  may,
});

/** Who is told of alarms, and by what. */
export const messageReceive = defineResource({
  name: "messageReceive",
  path: "/customer/messageReceive",
  id: "id",
  row: z.object({
    id: z.number(),
    name: z.string(),
    groupid: z.number(),
    enterpriseName: z.string(),
    email: z.string().nullable(),
    emailFlag: codec.flag,
    phone: z.string().nullable(),
    phoneFlag: codec.flag,
    language: z.enum(languages),
    /** Names of the policies that tell this recipient. */
    strategies: z.array(z.string()),
    remark: z.string(),
    createTime: codec.instant,
  }),
  draft: z
    .object({
      name: text.name,
      /** Whose it is; null: the caller's own. */
      groupid: codec.orNull(codec.id),
      email: codec.orNull(text.email),
      emailFlag: codec.flag,
      phone: codec.orNull(text.phone),
      phoneFlag: codec.flag,
      /** Of the letters. */
      language: codec.word(languages),
      remark: text.remark,
    })
    .refine(
      (draft) => !draft.emailFlag || draft.email !== null,
      failsWith("required", {}, ["email"]),
    )
    .refine(
      (draft) => !draft.phoneFlag || draft.phone !== null,
      failsWith("required", {}, ["phone"]),
    ),
  query: z.object({ name: codec.orNull(codec.text(64)), groupid: codec.orNull(codec.id) }),
  verbs: ["list", "add", "edit", "remove"],
  sort: ["id", "name", "createTime"],
  may: { list: null, add: null, edit: null, remove: null, combo: null },
});
