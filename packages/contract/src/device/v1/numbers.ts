/** Numbers that devices report, within what is kept of them: one that is larger, or finer, would fit no column. */
import { z } from "zod";

/** Of things that are counted. */
export const reportedCount = z.int().min(0).max(2_147_483_647);

/** Ms since 1970 on the device's clock, up to the year 9999. */
export const reportedInstant = z.int().min(0).max(253_402_300_799_999);

/** Ms that something has lasted, up to a hundred years. */
export const reportedAge = z.int().min(0).max(3_155_760_000_000);

/** Nothing is measured finer; a number next to zero is none that the kinds of floating point in use have alike. */
const finest = 1e-6;
const measured = (max: number) =>
  z
    .number()
    .min(0)
    .max(max)
    .refine((value) => value === 0 || value >= finest);

export const reportedMs = measured(3_600_000).nullable();
export const reportedPercent = measured(100).nullable();
/** bit/s */
export const reportedRate = measured(1e13).nullable();
