/** What the rules of alarm policies have found (specification section 1). */

import { z } from "zod";
import { screens } from "#contract/access.ts";
import { alarmMetrics } from "#domains/devices/enums.ts";
import * as codec from "#kernel/codec.ts";
import { endpoint, nothing, pagedEndpoint, pageFields } from "#kernel/endpoint.ts";
import * as text from "#rules/text.ts";
import { alarmLevels, alarmOwners, alarmViews, compareTypes } from "./enums.ts";
import { rootCause } from "./root-cause.ts";

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
  /** Who works on it; null: no one. */
  ownerId: z.number().nullable(),
  ownerName: z.string(),
  /** Put off until then, and why; null: not put off. */
  snoozedUntil: codec.instant.nullable(),
  snoozeNote: z.string(),
  /** End of the maintenance window in which it lies; null: in none. */
  maintenanceUntil: codec.instant.nullable(),
});

/** What lists of alarms and of groups are asked for alike. */
const filters = {
  /** Part of a node's name. */
  name: codec.orNull(codec.text(64)),
  level: codec.orNull(codec.code(alarmLevels)),
  handled: codec.orNull(codec.flag),
  owner: codec.orNull(codec.oneOf(alarmOwners)),
};

/**
 * Events: those that are active come first, the most severe before the others, and of equal ones the newest; then those
 * that have cleared, the newest first.
 */
export const alarmEventList = pagedEndpoint({
  id: "alarmEvent.list",
  method: "GET",
  path: "/customer/alarmEvent/list",
  input: z.object({
    cpeId: codec.orNull(codec.id),
    popId: codec.orNull(codec.id),
    /** Only these, for example the alarms of a group. */
    ids: codec.orNull(codec.idList),
    ...filters,
    /** Of the active ones. */
    view: codec.orNull(codec.oneOf(alarmViews)),
    metric: codec.orNull(codec.oneOf(alarmMetrics)),
    /** 1: not yet cleared. */
    active: codec.orNull(codec.flag),
    /** Events that began in this span. */
    startTime: codec.orNull(codec.instant),
    endTime: codec.orNull(codec.instant),
    ...pageFields,
    orderByColumn: codec.orNull(codec.oneOf(["createTime", "level"])),
    isAsc: codec.orNull(codec.oneOf(["asc", "desc"])),
  }),
  output: alarmEvent,
  may: screens("/devopsmonitor/alarm"),
});

/** Active alarms with one cause. */
const alarmGroup = z.object({
  /** The same as long as the cause is the same. */
  id: z.string(),
  ...rootCause.shape,
  /** Of its most urgent alarm, one sentence in the reader's language. */
  content: z.string(),
  /** The highest severity of its alarms. */
  level: codec.code(alarmLevels),
  /** Of all its alarms, the most urgent first. */
  alarmIds: z.array(z.number()),
  /** Of those, how many no one has acknowledged. */
  waiting: z.number(),
  /** Owners of its alarms, by name; `ownerId` if it is one for all of them. */
  owners: z.array(z.string()),
  ownerId: z.number().nullable(),
  /** The last moment until which one of them is put off, or in a maintenance window. */
  until: codec.instant.nullable(),
  notes: z.array(z.string()),
  /** What a snooze of the group is about: what joins it later ends the snooze. */
  snoozeKey: z.string(),
});

/** Active alarms by cause, the most severe first; the rules are those of the overview (`rootCause`). */
export const alarmEventGroups = pagedEndpoint({
  id: "alarmEvent.groups",
  addition:
    "an outage of a carrier is one entry, not one for each alarm; the specification lists events only",
  method: "GET",
  path: "/customer/alarmEvent/groups",
  input: z.object({
    ...filters,
    view: codec.orNull(codec.oneOf(alarmViews)),
    ...pageFields,
  }),
  output: alarmGroup,
  may: screens("/devopsmonitor/alarm"),
});

/**
 * Active events of all that the caller sees, by severity, the most severe first; every severity is listed. What is put
 * off or in a maintenance window is not counted.
 */
export const alarmEventSummary = endpoint({
  id: "alarmEvent.summary",
  addition: "the header counts active alarms on every screen; the specification has no call for it",
  method: "GET",
  path: "/customer/alarmEvent/summary",
  input: z.object({}),
  output: z.array(
    z.object({
      level: codec.code(alarmLevels),
      active: z.number(),
      /** Of those, the ones that no one has acknowledged. */
      waiting: z.number(),
    }),
  ),
  may: screens("/devopsmonitor/alarm"),
});

/** Acknowledges events; each keeps its first author. */
export const alarmEventHandle = endpoint({
  id: "alarmEvent.handle",
  method: "POST",
  path: "/customer/alarmEvent/handle",
  input: z.object({ ids: codec.someIds, remark: text.remark.default("") }),
  output: nothing,
  may: screens("/devopsmonitor/alarm"),
});

/** Users who may own alarms: of the caller's scope, by name. */
export const alarmEventOwners = endpoint({
  id: "alarmEvent.owners",
  addition: "the list of users needs a permission that operators of alarms do not have",
  method: "GET",
  path: "/customer/alarmEvent/owners",
  input: z.object({ name: codec.orNull(codec.text(64)) }),
  output: z.array(z.object({ id: z.number(), loginName: z.string(), name: z.string() })),
  may: screens("/devopsmonitor/alarm"),
});

/** Assigns active events to a user who sees them, or releases them. */
export const alarmEventOwn = endpoint({
  id: "alarmEvent.own",
  addition:
    "two operators must not work on the same outage; the specification has acknowledgement only",
  method: "POST",
  path: "/customer/alarmEvent/own",
  /** `ownerId` null: no one. */
  input: z.object({ ids: codec.someIds, ownerId: codec.orNull(codec.id) }),
  output: nothing,
  may: screens("/devopsmonitor/alarm"),
});

/** The longest snooze, in days. */
export const maxSnoozeDays = 31;

/**
 * Puts active events off until a moment, or (`until` null) takes them back. They come back by themselves then, or before
 * when what `snoozeKey` names gets a more severe alarm or one of another object.
 */
export const alarmEventSnooze = endpoint({
  id: "alarmEvent.snooze",
  addition:
    "what waits for a carrier must not hide what is new; the specification has no call for it",
  method: "POST",
  path: "/customer/alarmEvent/snooze",
  input: z.object({
    ids: codec.someIds,
    until: codec.orNull(codec.instant),
    remark: text.remark.default(""),
    /** Of the group that is put off; null: each event by itself. */
    snoozeKey: codec.orNull(codec.text(80)),
  }),
  output: nothing,
  may: screens("/devopsmonitor/alarm"),
});
