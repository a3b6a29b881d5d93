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
