/** What is done with a CPE beside editing its row (section 7.3). */

import { z } from "zod";
import { namesForForms } from "#contract/access.ts";
import * as codec from "#kernel/codec.ts";
import { endpoint, newId, nothing } from "#kernel/endpoint.ts";
import * as number from "#rules/number.ts";
import * as text from "#rules/text.ts";
import { cpe } from "./cpe.ts";

/** CPEs of one enterprise, for choices; at most a thousand. */
export const cpeFindAllByGroup = endpoint({
  id: "cpe.findAllByGroup",
  method: "GET",
  path: "/customer/cpe/findAllByGroup",
  input: z.object({ groupid: codec.id }),
  output: z.array(cpe.row),
  may: namesForForms,
});

export const cpeInsert = endpoint({
  id: "cpe.insert",
  method: "POST",
  path: "/customer/cpe/insert",
  input: cpe.draft,
  output: newId,
  may: "cpeAdd",
});

/** A CPE behind another one of the same enterprise. */
export const cpeAddChild = endpoint({
  id: "cpe.addChild",
  method: "POST",
  path: "/customer/cpe/addChild",
  input: cpe.draft.extend({ cpeId: codec.id }),
  output: newId,
  may: "cpeAdd",
});

/** The claim that waits for its device; the code itself is shown once, when it is made. */
export const cpeGetActive = endpoint({
  id: "cpe.getActive",
  method: "GET",
  path: "/customer/cpe/getActive",
  input: z.object({ id: codec.id }),
  output: z.object({
    id: z.number(),
    sn: z.string(),
    /** 1 a device serves the CPE; 0 a claim waits; null neither. */
    active: z.number().nullable(),
    /** Where the device calls. */
    activeUrl: z.string().nullable(),
    expireTime: codec.instant.nullable(),
  }),
  may: "cpeActive",
});

/** Makes a claim that is approved immediately, and sends it by e-mail. An earlier one ends. */
export const cpeEmailSend = endpoint({
  id: "cpe.emailSend",
  method: "POST",
  path: "/customer/cpe/emailSend",
  input: z.object({ id: codec.id, title: codec.text(120, 1), email: text.email }),
  output: nothing,
  may: "cpeActive",
});

/** Releases the device: it loses access, its claim ends; the settings of the CPE stay. */
export const cpeUnbind = endpoint({
  id: "cpe.unbind",
  method: "POST",
  path: "/customer/cpe/unbind",
  input: z.object({ id: codec.id }),
  output: nothing,
  may: "cpeRemove",
});

const enableInput = z.object({
  enable: codec.flag,
  id: codec.id,
  /** Of the device that is meant; refused when another one serves the CPE by now. Empty: whichever. */
  hostid: codec.text(64),
});

/** Enables or disables a CPE: without it no link is up. */
export const cpeSaveEnable = endpoint({
  id: "cpe.saveXwanUserEnable",
  method: "POST",
  path: "/customer/cpe/saveXwanUserEnable",
  input: enableInput,
  output: nothing,
  may: "cpeConfig",
});

/** Enables or disables a CPE in its closed user group. */
export const cpeSaveCugEnable = endpoint({
  id: "cpe.saveXwanUserEnableCug",
  method: "POST",
  path: "/customer/cpe/saveXwanUserEnableCug",
  input: enableInput,
  output: nothing,
  may: "cpeEditCugEnable",
});

/** Bandwidth of a CPE in its closed user group: Mbit/s times 1,000,000 (section 9). */
export const cpeEditCugConfig = endpoint({
  id: "cpe.editCugConfig",
  method: "POST",
  path: "/customer/cpe/editCugConfig",
  input: z.object({
    cpeId: codec.id,
    /** bit/s. */
    bandwidth: number.bandwidthBps,
  }),
  output: nothing,
  may: "cpeEditCug",
});

/** Restarts the device. `password` is the caller's own login password. */
export const cpeReboot = endpoint({
  id: "cpe.reboot",
  method: "GET",
  path: "/customer/cpe/reboot",
  input: z.object({ cpeId: codec.id, password: z.string().min(1).max(128) }),
  output: nothing,
  may: "cpeReboot",
  acts: true,
});
