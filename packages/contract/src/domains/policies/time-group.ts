import { z } from "zod";
import * as codec from "#kernel/codec.ts";
import { definePolicyFamily } from "#kernel/policy-family.ts";
import { failsWith } from "#kernel/rule.ts";
import { hasTime } from "#rules/time-zone.ts";
import { byName, clock, named, weekdays } from "./policy-fields.ts";

/** Times of a day and days of a week. */
export const timeGroup = definePolicyFamily({
  name: "routerTimenode",
  title: ["时间组", "time group"],
  plural: "time groups",
  // An end before the start is one of the next day; the weekdays are those on which it begins.
  fields: z
    .object({ ...named, weekdays, startTime: clock, endTime: clock })
    .refine(
      ({ startTime, endTime }) => hasTime(startTime, endTime),
      failsWith("noTime", {}, ["endTime"]),
    ),
  facts: z.object({
    /** Whose clock decides: that of the CPE or POP; null: each device that the template is on has its own. */
    timezone: z.string().nullable(),
    /** Whether it is active now. */
    activeNow: codec.flag.nullable(),
    /** When that changes; null: never, or each device has its own clock. */
    nextSwitch: codec.instant.nullable(),
  }),
  label: "name",
  verbs: ["list", "add", "edit", "remove", "combo"],
  sort: ["name", "startTime"],
  merge: byName,
});
