import * as codec from "#kernel/codec.ts";
import { failsWith } from "#kernel/rule.ts";

/** Longest range of one question: what the coarsest roll-up keeps. */
const maxDays = 731;

/** A range of time that metrics are asked for. */
export const rangeFields = { startTime: codec.instant, endTime: codec.instant };

/** Arguments of `refine` for what has these fields. */
export const rangeIssue = [
  ({ startTime, endTime }: { readonly startTime: Date; readonly endTime: Date }) => {
    const ms = endTime.getTime() - startTime.getTime();
    return ms > 0 && ms <= maxDays * 86_400_000;
  },
  failsWith("notAllowed", {}, ["endTime"]),
] as const;
