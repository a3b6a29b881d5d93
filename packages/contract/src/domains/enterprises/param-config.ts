/** Values of an enterprise that its screens work with (section 2.3, /personalcenter/paramconfig). */

import { z } from "zod";
import { screens } from "#contract/access.ts";
import * as codec from "#kernel/codec.ts";
import { endpoint, nothing } from "#kernel/endpoint.ts";
import { expectedVersion, rowVersion, versionedSettings } from "#kernel/row-version.ts";
import { failsWith } from "#kernel/rule.ts";
import { isTimeZone } from "#rules/time-zone.ts";

const values = {
  /** Days before the end from which on something counts as due soon. */
  expireNoticeDays: codec.int(1, 365),
  /** IANA name; notifications give times in it. */
  timezone: codec.text(64, 1).refine(isTimeZone, failsWith("timezone")),
  /** What new subordinates begin with; null: the controller chooses. */
  defaultPopStrategyId: codec.orNull(codec.id),
  /** Days that logs of its devices are kept (flow records: 90 at most); a worker removes older ones. */
  logDays: codec.int(1, 3_650),
};

export const paramDraft = z.object(values);

/** Unless set otherwise. */
export const defaultParams: z.output<typeof paramDraft> = {
  expireNoticeDays: 30,
  timezone: "Asia/Shanghai",
  defaultPopStrategyId: null,
  logDays: 180,
};

export const paramConfigGet = endpoint({
  id: "paramConfig.getByGroupId",
  method: "GET",
  path: "/customer/paramConfig/getByGroupId",
  input: z.object({ groupid: codec.id }),
  output: z.object({
    groupid: z.number(),
    expireNoticeDays: z.number(),
    timezone: z.string(),
    defaultPopStrategyId: z.number().nullable(),
    logDays: z.number(),
    rowVersion,
  }),
  may: screens("/personalcenter/paramconfig"),
});

export const paramConfigEdit = endpoint({
  id: "paramConfig.edit",
  method: "POST",
  path: "/customer/paramConfig/edit",
  input: z.object({ groupid: codec.id, ...values, rowVersion: expectedVersion }),
  output: nothing,
  may: screens("/personalcenter/paramconfig"),
});
export const paramVersions = versionedSettings(
  "paramConfig",
  paramConfigGet.output,
  paramConfigEdit.input,
);
