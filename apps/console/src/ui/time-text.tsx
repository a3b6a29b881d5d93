import type { Language } from "@weft/contract/kernel/message.ts";
import { useEffect, useState } from "react";
import { Missing } from "./missing.tsx";
import { uiText, useLanguage } from "./ui-text.ts";

const two = (value: number): string => String(value).padStart(2, "0");

/** `YYYY-MM-DD HH:mm:ss` in the reader's zone. */
export const stampText = (at: Date): string =>
  `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())} ${clockText(at)}`;

/** `HH:mm:ss` in the reader's zone. */
export const clockText = (at: Date): string =>
  `${two(at.getHours())}:${two(at.getMinutes())}:${two(at.getSeconds())}`;

/** The reader's offset to UTC: "UTC+08:00". */
export const zoneText = (at: Date): string => {
  const minutes = -at.getTimezoneOffset();
  const size = Math.abs(minutes);
  return `UTC${minutes < 0 ? "-" : "+"}${two(Math.floor(size / 60))}:${two(size % 60)}`;
};

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

/**
 * How long ago, as specification section 9 has it: just now under 3 minutes, then minutes, hours and
 * days; past 31 days the stamp. A moment ahead (clocks differ) counts as now.
 */
export const sinceText = (at: Date, language: Language, now = Date.now()): string => {
  const age = now - at.getTime();
  if (age < 3 * minute) return uiText("justNow", language);
  if (age < hour) return uiText("minutes", language, { n: Math.floor(age / minute) });
  if (age < day) return uiText("hours", language, { n: Math.floor(age / hour) });
  if (age <= 31 * day) return uiText("days", language, { n: Math.floor(age / day) });
  return stampText(at);
};

interface Props {
  readonly value: Date | null;
  /** "since": how long ago, the stamp on hover; "stamp": the stamp, the zone on hover. */
  readonly form?: "stamp" | "since";
  /** Why there is none. */
  readonly missing?: string | undefined;
}

/** A moment. */
export function TimeText({ value, form = "stamp", missing }: Props) {
  const language = useLanguage();
  useMinute(form === "since" && value !== null);
  if (value === null) return <Missing reason={missing} />;
  const stamp = stampText(value);
  const zoned = `${stamp} ${zoneText(value)}`;
  return (
    <time dateTime={value.toISOString()} title={zoned} style={{ whiteSpace: "nowrap" }}>
      {form === "since" ? sinceText(value, language) : stamp}
    </time>
  );
}

/** Rerenders every minute while an age is shown. */
const useMinute = (isOn: boolean): void => {
  const [, tick] = useState(0);
  useEffect(() => {
    if (!isOn) return;
    const timer = setInterval(() => tick((count) => count + 1), minute);
    return () => clearInterval(timer);
  }, [isOn]);
};
