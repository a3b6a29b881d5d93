/** Which time groups are active at a moment. Pure. */
import type { TimeGroup } from "#contract/device/v1/policy.ts";

const weekdays: readonly string[] = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"];
const dayMinutes = 24 * 60;

/** A moment as clocks of a zone show it. @throws RangeError for a zone that this device does not know */
const localTime = (instant: number, zone: string): { day: number; minute: number } => {
  const parts = new Intl.DateTimeFormat("en-US", {
    ...{ timeZone: zone, hourCycle: "h23" },
    ...{ weekday: "short", hour: "2-digit", minute: "2-digit" },
  }).formatToParts(instant);
  const of = (type: Intl.DateTimeFormatPartTypes) =>
    parts.find((part) => part.type === type)?.value ?? "";
  const day = weekdays.indexOf(of("weekday")) + 1;
  return { day, minute: Number(of("hour")) * 60 + Number(of("minute")) };
};

const minuteOf = (clock: string): number => {
  const [hours, minutes] = clock.split(":").map(Number);
  return (hours ?? 0) * 60 + (minutes ?? 0);
};

/**
 * Ids of the groups that are active at a moment, in their order. Pure. A time that clocks of the zone skip does
 * not come, and one that they show twice comes twice.
 * @param instant ms since 1970
 * @throws RangeError for a zone that this device does not know
 */
export function activeTimes(groups: readonly TimeGroup[], instant: number, zone: string): number[] {
  const { day, minute } = localTime(instant, zone);
  const dayBefore = day === 1 ? 7 : day - 1;
  const isActive = ({ weekdays: days, start: from, end: until }: TimeGroup): boolean => {
    const begins = (on: number) => days.length === 0 || days.includes(on);
    const [start, end] = [minuteOf(from), minuteOf(until)];
    const last = start > end ? dayMinutes : end;
    if (begins(day) && minute >= start && minute < last) return true;
    return start > end && begins(dayBefore) && minute < end;
  };
  return groups.filter(isActive).map(({ id }) => id);
}
