/** What a client does to a value before it is sent (section 5 and 9). */
import { cpeTypeBits } from "#domains/devices/enums.ts";

/** Ids joined by commas without blanks, in the given order; empty ones left out. */
export const joinIds = (ids: readonly (number | string | null | undefined)[]): string =>
  ids.filter((id) => id !== null && id !== undefined && String(id).trim() !== "").join(",");

/** -1 ("no end" in the form) is sent as 1; every other value as it is. */
export const toExpire = <Value>(value: Value): Value | 1 =>
  (value as unknown) === -1 || (value as unknown) === "-1" ? 1 : value;

/** An untouched field is sent as the empty string or 0. */
export const toFilled = <Value>(kind: "text" | "number", value: Value | null | undefined) =>
  value ?? (kind === "text" ? "" : 0);

const defaultPageSize = 10;

/** Page size as typed: trimmed, empty means 10, at most 1000; null: keep the size there is. */
export const toPageSize = (typed: string): number | null => {
  const text = typed.trim();
  if (text === "") return defaultPageSize;
  return /^[1-9]\d*$/.test(text) ? Math.min(Number(text), 1_000) : null;
};

/** Mbit/s as entered -> bit/s as sent; whole, whatever binary fractions make of 8.2. */
export const toBitsPerSecond = (mbps: number): number => Math.round(mbps * 1_000_000);

/** Province, city, region: joined, and apart under the wire's own spelling. */
export const toRegions = (selected: readonly string[]) => {
  const [provice = "", city = "", region = ""] = selected;
  return { regions: selected.join(","), provice, city, region };
};

/** 1 or 0. */
export const toFlag = (value: unknown): 0 | 1 => (value ? 1 : 0);

/** Names of the bits of a CPE type; unknown when none is set that is known. */
export const cpeTypeNames = (mask: number): string[] => {
  const names = cpeTypeBits.filter(([bit]) => (mask & bit) !== 0).map(([, name]) => name);
  return names.length > 0 ? names : ["unknown"];
};

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

export type RelativeTime =
  | "justNow"
  | "fullDate"
  | { readonly unit: "minute" | "hour" | "day"; readonly value: number };

/** Section 9: over 31 days the full date, then days, hours, minutes from 3; else just now. */
export const relativeTime = (elapsedMs: number): RelativeTime => {
  if (elapsedMs > 31 * day) return "fullDate";
  if (elapsedMs >= day) return { unit: "day", value: Math.floor(elapsedMs / day) };
  if (elapsedMs >= hour) return { unit: "hour", value: Math.floor(elapsedMs / hour) };
  if (elapsedMs >= 3 * minute) return { unit: "minute", value: Math.floor(elapsedMs / minute) };
  return "justNow";
};

/**
 * Tone and label of an expiry date (section 2.6). A date without a time is good until the end of
 * that day in the reader's time; no date is never past.
 */
export const noticeDate = (now: Date, expire: string) => {
  const end = /^\d{4}-\d{2}-\d{2}$/.test(expire) ? `${expire}T23:59:59.999` : expire;
  const past = end !== "" && new Date(end).getTime() < now.getTime();
  return past
    ? ({ tone: "red", label: "expired" } as const)
    : ({ tone: "amber", label: "due date" } as const);
};
