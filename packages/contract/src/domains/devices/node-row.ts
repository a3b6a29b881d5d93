import { z } from "zod";
import * as codec from "#kernel/codec.ts";
import { enrolmentStates } from "./enums.ts";
import { healthFields } from "./health.ts";

/** What every list of nodes shows about a device beyond its own fields: wanted, confirmed, seen. */
export const nodeRowFields = {
  sn: z.string(),
  /** Section 4: 1 online, otherwise offline. Presence of the proven socket. */
  linkStatus: z.number(),
  version: z.string().nullable(),
  lastOnline: codec.instant.nullable(),
  /** null: no device has used a claim yet. */
  enrolment: z.enum(enrolmentStates).nullable(),
  /** Newest compiled state; null before the first. */
  desiredSerial: z.number().nullable(),
  /** State that the device runs, as it reported last. */
  runningSerial: z.number().nullable(),
  /** Later networks of its spaces are on their way to the device, for the state that it runs. */
  awaitsNetworks: z.boolean(),
  /** Links that are up, and links there should be. */
  linksUp: z.number(),
  links: z.number(),
  /** Of those that are up, links whose loss, delay or jitter is poor (overlay/link-quality.ts). */
  linksPoor: z.number(),
  ...healthFields,
  remark: z.string(),
  createTime: codec.instant,
  updateTime: codec.instant,
  createBy: z.string().nullable(),
};
