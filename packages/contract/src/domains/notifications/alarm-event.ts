/** What the rules of alarm policies have found (specification section 1). */
import { z } from "zod";
import * as codec from "#kernel/codec.ts";
import { endpoint, nothing, pagedEndpoint, pageFields } from "#kernel/endpoint.ts";
import * as text from "#rules/text.ts";
import { alarmLevels, alarmMetrics, compareTypes } from "./enums.ts";

const alarmEvent = z.object({
  id: z.number(),
  /** Null: the rule or policy is gone. */
  ruleId: z.number().nullable(),
  strategyId: z.number().nullable(),
  strategyName: z.string(),
  level: codec.code(alarmLevels),
  metric: z.enum(alarmMetrics),
  /** The node it is about; of a link the end that probes. */
  cpeId: z.number().nullable(),
  popId: z.number().nullable(),
  nodeName: z.string(),
  enterpriseName: z.string(),
  /** Name of the line, names of the ends of the link; empty: the node itself. */
  itemName: z.string(),
  /** As measured last while the event was open; null: nothing is measured. */
  value: z.number().nullable(),
  threshold: z.number().nullable(),
  compareType: codec.code(compareTypes).nullable(),
  /** One sentence in the reader's language. */
  content: z.string(),
  /** Since when it holds, and when it was seen to hold last. */
  createTime: codec.instant,
  lastTime: codec.instant,
  /** How often it came back before it had cleared, the first time included. */
  count: z.number(),
  /** Since when all is well; null: it is active. */
  recoverTime: codec.instant.nullable(),
  /** The event whose cause is this one's as well: only the cause is notified. */
  parentId: z.number().nullable(),
  /** How many events have this one as their cause. */
  childNum: z.number(),
  handled: codec.flag,
  handleRemark: z.string(),
  handleUser: z.string(),
  handleTime: codec.instant.nullable(),
});

/** Events, the newest first. */
export const alarmEventList = pagedEndpoint({
  id: "alarmEvent.list",
  method: "GET",
  path: "/customer/alarmEvent/list",
  input: z.object({
    cpeId: codec.orNull(codec.id),
    popId: codec.orNull(codec.id),
    /** Part of a node's name. */
    name: codec.orNull(codec.text(64)),
    level: codec.orNull(codec.code(alarmLevels)),
    metric: codec.orNull(codec.oneOf(alarmMetrics)),
    /** 1: not yet cleared. */
    active: codec.orNull(codec.flag),
    handled: codec.orNull(codec.flag),
    /** Events that began in this span. */
    startTime: codec.orNull(codec.instant),
    endTime: codec.orNull(codec.instant),
    ...pageFields,
    orderByColumn: codec.orNull(codec.oneOf(["createTime", "level"])),
    isAsc: codec.orNull(codec.oneOf(["asc", "desc"])),
  }),
  output: alarmEvent,
  may: null,
});

/** Acknowledges events; each keeps its first author. */
export const alarmEventHandle = endpoint({
  id: "alarmEvent.handle",
  method: "POST",
  path: "/customer/alarmEvent/handle",
  input: z.object({ ids: codec.someIds, remark: text.remark.default("") }),
  output: nothing,
  may: null,
});
