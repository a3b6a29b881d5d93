import { z } from "zod";
import { nodeScreens } from "#contract/access.ts";
import { driftFinding } from "#contract/device/v1/commands.ts";
import { inBoth } from "#domains/access/record.ts";
import { driftPolicies } from "#domains/devices/enums.ts";
import * as codec from "#kernel/codec.ts";
import { endpoint, nothing, pagedEndpoint, pageFields } from "#kernel/endpoint.ts";
import { stateOutcomes } from "./enums.ts";

/** One change that a state came from: who did what to which object. */
const stateCause = z.object({
  /** Login name; "edge" or "system" where no person did it. */
  by: z.string(),
  /** Id of the call ("lansection.add"), or what happened ("expired"). */
  action: z.string(),
  /** Resource of the row; empty where the record is not the reader's. */
  module: z.string(),
  rowId: z.number().nullable(),
  /** What the row is called; empty where its values do not say. */
  rowName: z.string(),
  /** As the operation log says it, in Chinese and English; empty where the record is not the reader's. */
  story: inBoth,
});
export type StateCause = z.output<typeof stateCause>;

/** States of a node, the newest first. Needs the right to configure a node of its kind. */
export const stateList = pagedEndpoint({
  id: "nodeState.list",
  method: "GET",
  path: "/customer/nodeState/list",
  input: z.object({
    ...pageFields,
    id: codec.id,
    outcome: codec.orNull(z.enum(stateOutcomes)),
  }),
  output: z.object({
    epoch: z.number(),
    serial: z.number(),
    outcome: z.enum(stateOutcomes),
    /** Why it ended so, as the device reports it; null when there is nothing to say. */
    reason: z.string().nullable(),
    /** Serial of the past state that it brought back; null: compiled of the settings. */
    restores: z.number().nullable(),
    /** True: the device runs it now. */
    running: z.boolean(),
    /** Something of it differs that goes back with a configuration: lines, LANs, static routes. */
    goesBack: z.boolean(),
    /** Oldest first; several when one compile took on several changes. */
    causes: z.array(stateCause),
    createTime: codec.instant,
    deliverTime: codec.instant.nullable(),
    endTime: codec.instant.nullable(),
  }),
  may: nodeScreens,
});

/** One field of an object; null: the object had or has no such field. Secrets are redacted. */
const fieldDifference = z.object({ field: z.string(), old: z.unknown(), new: z.unknown() });

export const objectChanges = ["added", "removed", "changed"] as const;
export type ObjectChange = (typeof objectChanges)[number];

export const objectDifference = z.object({
  /** Kind of the section that it is in: "tunnel". */
  section: z.string(),
  spaceId: z.number().nullable(),
  spaceName: z.string(),
  /** "link", "route", "lan"; "settings": values of the section itself. */
  kind: z.string(),
  /** What distinguishes it from others of its kind: an id, an address, an interface. */
  key: z.string(),
  change: z.enum(objectChanges),
  fields: z.array(fieldDifference),
});
export type ObjectDifference = z.output<typeof objectDifference>;

/** Objects that one difference shows at most; `count` says how many there are. */
export const maxDifferences = 1_000;

/** What lies between two states of a node, object by object. */
export const stateDifference = endpoint({
  id: "nodeState.difference",
  method: "GET",
  path: "/customer/nodeState/difference",
  input: z.object({
    id: codec.id,
    /** Serial; empty: the state that was confirmed last. */
    from: codec.orNull(codec.id),
    /** Serial; empty: what would be compiled now, sent or not. */
    to: codec.orNull(codec.id),
  }),
  output: z.object({
    /** Null: nothing was ever confirmed, everything is added. */
    from: z.number().nullable(),
    /** Null: what would be compiled now. */
    to: z.number().nullable(),
    count: z.number(),
    objects: z.array(objectDifference),
  }),
  may: nodeScreens,
});

/**
 * Sends a state that was held for approval because it removes more than its changes account for: an
 * operator's command (design section 3.2).
 */
export const stateSend = endpoint({
  id: "nodeState.send",
  method: "POST",
  path: "/customer/nodeState/send",
  input: z.object({
    id: codec.id,
    /** The state that was looked at; a newer one is refused. */
    serial: codec.id,
  }),
  output: nothing,
  may: "cpeConfig",
});

/**
 * Takes a node back to a state that it confirmed once, as a new state, and holds it there: changes
 * of its settings go on and are shown as a difference (docs/adr/0008-history.md).
 */
export const stateGoBack = endpoint({
  id: "nodeState.goBack",
  method: "POST",
  path: "/customer/nodeState/goBack",
  input: z.object({ id: codec.id, serial: codec.id }),
  output: nothing,
  may: "cpeConfig",
});

/** Lets a node follow its settings again. */
export const stateRelease = endpoint({
  id: "nodeState.release",
  method: "POST",
  path: "/customer/nodeState/release",
  input: z.object({ id: codec.id }),
  output: nothing,
  may: "cpeConfig",
});

/** Whether a device corrects by itself what was changed on it, or only reports it. */
export const driftPolicy = endpoint({
  id: "nodeState.driftPolicy",
  method: "POST",
  path: "/customer/nodeState/driftPolicy",
  input: z.object({ id: codec.id, policy: z.enum(driftPolicies) }),
  output: nothing,
  may: "cpeConfig",
});

/** Has a device check itself now and report each step that it would take; `heal`: and take them. */
export const driftCheck = endpoint({
  id: "nodeState.drift",
  method: "POST",
  path: "/customer/nodeState/drift",
  input: z.object({ id: codec.id, heal: codec.flag }),
  output: driftFinding,
  may: "cpeConfig",
});
