import { z } from "zod";
import { nodeScreens } from "#contract/access.ts";
import { finding } from "#contract/device/v1/findings.ts";
import { addressings, driftPolicies } from "#domains/devices/enums.ts";
import * as codec from "#kernel/codec.ts";
import { endpoint, nothing } from "#kernel/endpoint.ts";
import { compileFailures, stateOutcomes } from "./enums.ts";

const stateEntry = z.object({
  epoch: z.number(),
  serial: z.number(),
  outcome: z.enum(stateOutcomes),
  /** Why it ended so, as the device reports it; null when there is nothing to say. */
  reason: z.string().nullable(),
  /** Who changed what: "admin: lansection.add". */
  cause: z.string(),
  createTime: codec.instant,
  endTime: codec.instant.nullable(),
});

/** Wanted, confirmed and seen of one node, for the head of its pages. */
export const nodeState = endpoint({
  id: "nodeState.getById",
  method: "GET",
  path: "/customer/nodeState/getById",
  input: z.object({ id: codec.id }),
  output: z.object({
    id: z.number(),
    online: z.boolean(),
    /** Device and version as the edge reported them. */
    version: z.string().nullable(),
    lastOnline: codec.instant.nullable(),
    /**
     * False: the node is run by an enterprise outside of the caller's scope (a POP that carries the
     * caller's links), whose settings and states are not the caller's to see.
     */
    configVisible: z.boolean(),
    /** A write is not yet compiled. */
    compiling: z.boolean(),
    /** Why the newest writes could not be compiled, and since when; null: nothing failed. */
    uncompiled: z
      .object({
        code: z.enum(compileFailures),
        /** What of the state it is, in terms of the protocol: "firewall acl: at most 10000". */
        detail: z.string(),
        since: codec.instant,
      })
      .nullable(),
    desired: stateEntry.nullable(),
    confirmed: stateEntry.nullable(),
    /**
     * What of the confirmed state does not act on this device, though the rest does: kind and name of
     * the object, the reason and what it is about. The keys are those of the device protocol. Behind them
     * what the controller found about the node in its spaces (`spaceFindingReasons`; no section).
     */
    findings: z.array(finding),
    /** What the device runs now; its digest equals the confirmed one when all is well. */
    runningSerial: z.number().nullable(),
    /** The last state that was reverted or refused and is not sent again; null when none. */
    blocked: stateEntry.nullable(),
    /** The past state that an operator holds the node at; null: it follows its settings. */
    heldAt: z.object({ serial: z.number(), by: z.string(), createTime: codec.instant }).nullable(),
    /** What becomes of changes made on the device itself. */
    driftPolicy: z.enum(driftPolicies),
    /** Steps from running to observed; 0: no drift; null: not reported. */
    driftSteps: z.number().nullable(),
    /** The last drift: what had to be done to be as running; null: there never was any. */
    drift: z
      .object({
        plan: z.array(z.string()),
        since: codec.instant,
        /** When it ended, was healed or was repaired by hand; null: it still exists. */
        endTime: codec.instant.nullable(),
      })
      .nullable(),
    /** What this device can and cannot do: name -> reason when it cannot. */
    capabilities: z.array(
      z.object({ name: z.string(), can: z.boolean(), reason: z.string().nullable() }),
    ),
    lines: z.array(
      z.object({
        interfaceName: z.string(),
        addressing: z.enum(addressings).nullable(),
        address: z.string().nullable(),
        up: z.boolean(),
      }),
    ),
  }),
  may: nodeScreens,
});

/** Sends a blocked state once more: an operator's command (design section 3.6). */
export const stateRetry = endpoint({
  id: "nodeState.retry",
  method: "POST",
  path: "/customer/nodeState/retry",
  input: z.object({ id: codec.id }),
  output: nothing,
  may: "cpeConfig",
});
