/** Which time groups are active at a moment. Pure. */
import type { TimeGroup } from "#contract/device/v1/policy.ts";

const weekdays: readonly string[] = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"];
const dayMinutes = 24 * 60;

const clocks = new Map<string, Intl.DateTimeFormat>();

/** The clock of a zone; one is slow to make. @throws RangeError for a zone that this device does not know */
function clockOf(zone: string): Intl.DateTimeFormat {
  const known = clocks.get(zone);
  if (known) return known;
  const made = new Intl.DateTimeFormat("en-US", {
    timeZone: zone,
    hourCycle: "h23",
    weekday: "short",
    hour: "2-digit",
    minute: "2-digit",
  });
  clocks.set(zone, made);
  return made;
}

/** A moment as clocks of a zone show it. @throws RangeError for a zone that this device does not know */
const localTime = (instant: number, zone: string): { day: number; minute: number } => {
  const parts = clockOf(zone).formatToParts(instant);
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

const minuteLength = 60_000;
/** Days within which a group switches, if it ever does: one week, and the day on which a group of the last day ends. */
const daysAhead = 8;

/**
 * When a group becomes active or stops being so. Pure.
 * @param instant ms since 1970
 * @returns ms since 1970, a full minute after `instant`; null: it never switches
 * @throws RangeError for a zone that this device does not know
 */
export function nextSwitch(group: TimeGroup, instant: number, zone: string): number | null {
  const isActive = (at: number) => activeTimes([group], at, zone).length > 0;
  const now = isActive(instant);
  const from = Math.floor(instant / minuteLength) * minuteLength;
  const { minute } = localTime(from, zone);
  const ends = [group.start, group.end].map((clock) => minuteOf(clock) - minute);
  const wanted = Array.from({ length: daysAhead + 1 }, (_, day) => day * dayMinutes)
    .flatMap((day) => ends.map((end) => day + end))
    .filter((ahead) => ahead > 0)
    .toSorted((a, b) => a - b);
  let before = from;
  for (const ahead of wanted) {
    // An hour later as well: the clock of the zone may be put back in between.
    for (const at of [from + ahead * minuteLength, from + (ahead + 60) * minuteLength]) {
      if (at <= before) continue;
      if (isActive(at) !== now) return firstOther(isActive, before, at);
      before = at;
    }
  }
  return null;
}

/** The first minute of a span whose state is that of its end. Pure. */
function firstOther(isActive: (at: number) => boolean, first: number, last: number): number {
  const wanted = isActive(last);
  let [before, after] = [first, last];
  while (after - before > minuteLength) {
    const steps = Math.floor((after - before) / minuteLength / 2);
    const middle = before + steps * minuteLength;
    if (isActive(middle) === wanted) after = middle;
    else before = middle;
  }
  return after;
}
