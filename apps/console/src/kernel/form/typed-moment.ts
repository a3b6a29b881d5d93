/** Moments as people type them, in the reader's zone. */

/** 2026-12-31, 2026/12/31, 2026.12.31 or 2026年12月31日, with or without a time. */
const typed = /^(\d{4})-(\d{1,2})-(\d{1,2})(?:[ T]+(\d{1,2}):(\d{1,2})(?::(\d{1,2}))?)?$/;

/** A day without a time is its first moment; null: it is no moment of the calendar. */
export function momentOf(text: string): Date | null {
  const plain = text
    .normalize("NFKC")
    .trim()
    .replaceAll(/[/.年月]/g, "-")
    .replaceAll("日", " ")
    .trim();
  const parts = typed
    .exec(plain)
    ?.slice(1)
    .map((part) => Number(part ?? 0));
  if (!parts) return null;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = parts;
  const at = new Date(year, month - 1, day, hour, minute, second);
  // The 31st of April would be the 1st of May.
  const isThere =
    at.getFullYear() === year &&
    at.getMonth() === month - 1 &&
    at.getDate() === day &&
    hour < 24 &&
    minute < 60 &&
    second < 60;
  return isThere ? at : null;
}

/** What a field holds whose text is no moment: no rule of the contract lets it through. */
export const noMoment = (): Date => new Date(Number.NaN);
