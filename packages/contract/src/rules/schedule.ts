import { z } from "zod";
import { failsWith } from "#kernel/rule.ts";

/** A daily schedule as the wire has it: `minute hour * * *`, or `close` when off (section 5). */
export const isDailySchedule = (value: string): boolean =>
  value === "close" || /^(?:[0-9]|[1-5][0-9]) (?:[0-9]|1[0-9]|2[0-3]) \* \* \*$/.test(value);

export interface DailySchedule {
  readonly enabled: boolean;
  readonly hour: number;
  readonly minute: number;
}

/** Minute first: midnight is `0 0 * * *`, not off. */
export const toDailySchedule = ({ enabled, hour, minute }: DailySchedule): string =>
  enabled ? `${minute} ${hour} * * *` : "close";

/** The schedule that its text stands for; off for `close`, NaN for what is none. */
const fromDailySchedule = (text: string): DailySchedule => {
  if (!isDailySchedule(text)) return { enabled: true, hour: Number.NaN, minute: Number.NaN };
  const [minute = 0, hour = 0] = text === "close" ? [] : text.split(" ").map(Number);
  return { enabled: text !== "close", hour, minute };
};

/** `minute hour * * *` or `close` on the wire. */
export const dailySchedule = z.codec(
  z.string(),
  z.custom<DailySchedule>(
    (value) =>
      typeof value === "object" &&
      value !== null &&
      isDailySchedule(toDailySchedule(value as DailySchedule)),
    failsWith("schedule"),
  ),
  { decode: fromDailySchedule, encode: (value) => (value ? toDailySchedule(value) : value) },
);
