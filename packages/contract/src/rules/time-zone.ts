/** Time zones by their IANA names, and times of day. */
import { z } from "zod";
import { failsWith } from "#kernel/rule.ts";

export const isTimeZone = (value: string): boolean => {
  try {
    new Intl.DateTimeFormat("en", { timeZone: value });
    return true;
  } catch {
    return false;
  }
};

/** IANA name. */
export const timeZone = z.string().min(1).max(64).refine(isTimeZone, failsWith("timezone"));

/** Whether a time of day has any minute in it; an end before the start is one of the next day. */
export const hasTime = (start: string, end: string): boolean =>
  start !== end && !(start === "24:00" && end === "00:00");

/** HH:mm of a day; 24:00 is its end. */
export const isClock = (value: string): boolean =>
  /^(?:(?:[01]\d|2[0-3]):[0-5]\d|24:00)$/.test(value);
