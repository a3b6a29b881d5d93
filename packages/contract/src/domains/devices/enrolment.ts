import { z } from "zod";
import { screens } from "#contract/access.ts";
import * as codec from "#kernel/codec.ts";
import { endpoint, nothing, pagedEndpoint, pageFields } from "#kernel/endpoint.ts";
import * as text from "#rules/text.ts";
import { enrolmentStates, nodeKinds } from "./enums.ts";

/**
 * Makes the one-time claim of a node, bound to its serial number; an older unused claim of the
 * node ends. `claim` is shown this once: the controller keeps only its hash.
 */
export const claimAdd = endpoint({
  id: "claim.add",
  method: "POST",
  path: "/customer/claim/add",
  input: z.object({
    nodeId: codec.id,
    /** True: the device is approved as soon as it uses the claim. */
    preApproved: codec.flag,
    /**
     * Serial number of a device that replaces the node's own; null: the node's. The node takes it over
     * when the device is approved, and the device before loses all access then.
     */
    sn: codec.orNull(text.serialNumber),
  }),
  output: z.object({
    /** Text for the device: token, controller addresses, hash of the controller's identity key. */
    claim: z.string(),
    /** Command to run on the device. */
    command: z.string(),
    expireTime: codec.instant,
  }),
  may: "cpeActive",
});

/** Devices that used a claim: waiting for approval first. */
export const enrolmentList = pagedEndpoint({
  id: "enrolment.list",
  method: "GET",
  path: "/customer/enrolment/list",
  input: z.object({ ...pageFields, state: codec.orNull(codec.oneOf(enrolmentStates)) }),
  output: z.object({
    id: z.number(),
    nodeId: z.number(),
    kind: z.enum(nodeKinds),
    nodeName: z.string(),
    enterpriseName: z.string(),
    sn: z.string(),
    /** SHA-256 of the device's public key, first 16 hex digits: compare it with the device. */
    fingerprint: z.string(),
    address: z.string(),
    state: z.enum(enrolmentStates),
    createTime: codec.instant,
    decideTime: codec.instant.nullable(),
    decidedBy: z.string().nullable(),
  }),
  may: screens("cpeActive"),
});

export const enrolmentApprove = endpoint({
  id: "enrolment.approve",
  method: "POST",
  path: "/customer/enrolment/approve",
  input: z.object({ ids: codec.someIds }),
  output: nothing,
  may: "cpeActive",
});

/** Rejects waiting devices, and revokes the access of approved ones immediately. */
export const enrolmentReject = endpoint({
  id: "enrolment.reject",
  method: "POST",
  path: "/customer/enrolment/reject",
  input: z.object({ ids: codec.someIds }),
  output: nothing,
  may: "cpeActive",
});
