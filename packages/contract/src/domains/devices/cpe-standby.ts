/** Hot standby of CPEs (section 5): one active and one standby device a group. */
import { z } from "zod";
import * as codec from "#kernel/codec.ts";
import { endpoint, nothing } from "#kernel/endpoint.ts";
import { failsWith } from "#kernel/rule.ts";
import { ranges } from "#rules/number.ts";
import { standbyRoles } from "./enums.ts";

const place = codec.int(...ranges.hotStandbyPriority);

/** All three are there, or none: a CPE without a group backs up no other. */
export const standbyDraft = z
  .object({
    hotStandbyGroup: codec.orNull(place),
    hotStandbyRole: codec.orNull(codec.oneOf(standbyRoles)),
    hotStandbyPriority: codec.orNull(place),
  })
  .refine(
    (draft) => draft.hotStandbyGroup === null || draft.hotStandbyRole !== null,
    failsWith("required", {}, ["hotStandbyRole"]),
  )
  .refine(
    (draft) => draft.hotStandbyGroup === null || draft.hotStandbyPriority !== null,
    failsWith("required", {}, ["hotStandbyPriority"]),
  );
export type StandbyDraft = z.output<typeof standbyDraft>;

/** Puts a CPE into a standby group of its enterprise; without a group it leaves the one it is in. */
export const cpeEditStandby = endpoint({
  id: "cpe.editStandby",
  method: "POST",
  path: "/customer/cpe/editStandby",
  input: standbyDraft.safeExtend({ cpeId: codec.id }),
  output: nothing,
  may: "cpeConfig",
});
