import { z } from "zod";
import { screens } from "#contract/access.ts";
import * as codec from "#kernel/codec.ts";
import { endpoint, pagedEndpoint, pageFields } from "#kernel/endpoint.ts";
import { failsWith } from "#kernel/rule.ts";
import { exportOf } from "#kernel/sheet.ts";
import { recordKinds, undoableWrites } from "./enums.ts";

/** Both ends belong to the range. */
const range = {
  startTime: codec.orNull(codec.instant),
  endTime: codec.orNull(codec.instant),
};

/** A text in Chinese and English. */
export const inBoth = z.tuple([z.string(), z.string()]);

/** One value that an operation changed; null: there was none, or there is none any more. */
const difference = z.object({
  field: z.string(),
  old: z.unknown(),
  new: z.unknown(),
  /** Name and values as people read them, in Chinese and English. */
  name: inBoth,
  oldText: inBoth,
  newText: inBoth,
});

/**
 * Who changed what, newest first. `module` is the name of the resource and `action` the id of the
 * call. Refused calls leave no row, and secrets are redacted before they are written.
 */
export const operaRecordList = pagedEndpoint({
  id: "operaRecord.list",
  method: "GET",
  path: "/customer/operaRecord/list",
  input: z.object({
    loginName: codec.orNull(codec.text(64)),
    module: codec.orNull(codec.text(64)),
    rowId: codec.orNull(codec.id),
    kind: codec.orNull(codec.oneOf(recordKinds)),
    groupid: codec.orNull(codec.id),
    nodeId: codec.orNull(codec.id),
    templateId: codec.orNull(codec.id),
    ...range,
    ...pageFields,
  }),
  output: z.object({
    id: z.number(),
    userId: z.number(),
    loginName: z.string(),
    groupid: z.number(),
    enterpriseName: z.string(),
    module: z.string(),
    action: z.string(),
    rowId: z.number().nullable(),
    /** Name of the row as its values have it; empty: they have none. */
    rowName: z.string(),
    /** What it is about as text, in Chinese and English: "LAN section 10.1.1.1/24". */
    object: inBoth,
    ip: z.string(),
    requestId: z.string(),
    createTime: codec.instant,
    /** Device and template that it is about, as they were called then. */
    nodeId: z.number().nullable(),
    nodeName: z.string(),
    /** What the device is; null: there is none, it is gone, or the caller may not see it. */
    nodeKind: z.enum(["cpe", "pop"]).nullable(),
    templateId: z.number().nullable(),
    templateName: z.string(),
    /** Who did what to which object, in Chinese and English. */
    story: inBoth,
    changes: z.array(difference),
    /** `possible`: the caller may undo it, unless its row changed since; null: it has no inverse. */
    undo: z.enum(["possible", "done"]).nullable(),
    /** Who undid it; empty: no one has. */
    undoneBy: z.string(),
  }),
  may: screens("/system/recordmanage/operaRecord"),
});

/**
 * Undoes an entry by its inverse, which is written as its own call would: with the permission and the rules of that call,
 * and an entry of its own. Refused with `staleRow` when the row was changed since, naming who did, and when it was undone
 * already. With `check` nothing stays of it.
 */
export const operaRecordUndo = endpoint({
  id: "operaRecord.undo",
  addition: "operators undo a change that they see in the log",
  method: "POST",
  path: "/customer/operaRecord/undo",
  input: z.object({ id: codec.id, check: codec.flag.default(false) }),
  output: z.object({
    /** What the inverse is. */
    verb: z.enum(undoableWrites),
    /** What it changes. */
    changes: z.array(difference),
  }),
  may: screens("/system/recordmanage/operaRecord"),
});

/**
 * What rows of the operation log can be about, each with its title in Chinese and English: resources
 * that the caller may list, and what is no resource.
 */
export const operaRecordModules = endpoint({
  id: "operaRecord.modules",
  addition: "a reader of the log names its modules without knowing every resource",
  method: "GET",
  path: "/customer/operaRecord/modules",
  input: z.object({}),
  output: z.array(z.object({ module: z.string(), title: z.tuple([z.string(), z.string()]) })),
  may: screens("/system/recordmanage/operaRecord"),
});

/**
 * Whether a row is what was sealed: waiting (for its seal, a second), sealed, or broken: the row or
 * its seal was changed since.
 */
export const sealStates = ["waiting", "sealed", "broken"] as const;

const maxVerified = 100;

/** Verifies rows of the operation log against their seals; rows out of sight are left out. */
export const operaRecordVerify = endpoint({
  id: "operaRecord.verify",
  method: "GET",
  path: "/customer/operaRecord/verify",
  input: z.object({
    ids: codec.someIds.refine(
      (ids) => ids.length <= maxVerified,
      failsWith("tooMany", { max: maxVerified }),
    ),
  }),
  output: z.array(
    z.object({
      id: z.number(),
      state: z.enum(sealStates),
      /** Number of its seal; null while it waits. */
      seal: z.number().nullable(),
    }),
  ),
  may: screens("/system/recordmanage/operaRecord"),
});

/** Why a login failed; null: it did not. */
export const loginFailures = [
  "password",
  "disabled",
  "unknown",
  "code",
  "pending",
  "session",
  "provider",
] as const;

/** Tries to log in, newest first. */
export const loginRecordList = pagedEndpoint({
  id: "loginRecord.list",
  method: "GET",
  path: "/customer/loginRecord/list",
  input: z.object({
    loginName: codec.orNull(codec.text(64)),
    result: codec.orNull(codec.flag),
    ...range,
    ...pageFields,
  }),
  output: z.object({
    id: z.number(),
    loginName: z.string(),
    /** Null: no such account. */
    groupid: z.number().nullable(),
    enterpriseName: z.string(),
    ip: z.string(),
    agent: z.string(),
    result: codec.flag,
    /** One of loginFailures, or empty. */
    msg: z.string(),
    createTime: codec.instant,
  }),
  may: screens("/system/recordmanage/loginRecord"),
});

/** The operation log as a file. */
export const operaRecordExport = exportOf(operaRecordList, {
  id: "operaRecord.export",
  path: "/customer/operaRecord/export",
  may: screens("/system/recordmanage/operaRecord"),
});

/** The login log as a file. */
export const loginRecordExport = exportOf(loginRecordList, {
  id: "loginRecord.export",
  path: "/customer/loginRecord/export",
  may: screens("/system/recordmanage/loginRecord"),
});
