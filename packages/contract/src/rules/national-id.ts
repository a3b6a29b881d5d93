/**
 * National ID of mainland China: GB 11643-1999, 18 characters with an ISO 7064 MOD 11-2 check
 * character, or the former 15 digits (year without century, no check character).
 */

/** First two digits: province-level regions (GB/T 2260). */
const regions =
  "11 12 13 14 15 21 22 23 31 32 33 34 35 36 37 41 42 43 44 45 46 50 51 52 53 54 61 62 63 64 65 71 81 82".split(
    " ",
  );

export const nationalIdFailures = ["format", "birth", "range", "region", "last"] as const;
/** What is wrong first, in the order of A-26; null: nothing. */
export type NationalIdFailure = (typeof nationalIdFailures)[number];

const weights = [7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2];
const checkCharacters = "10X98765432";

/** The character that must follow these 17 digits. */
const checkCharacter = (digits: string): string =>
  checkCharacters.charAt(
    weights.reduce((sum, weight, place) => sum + weight * Number(digits[place]), 0) % 11,
  );

const isDay = (year: number, month: number, day: number): boolean => {
  const date = new Date(Date.UTC(year, month - 1, day));
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
};

const maxLife = 150;

/**
 * Checks format, birth date, its range (not in the future, at most 150 years ago), region and last
 * character, in this order.
 */
export const nationalIdFailure = (value: string, today: Date): NationalIdFailure | null => {
  const parts = /^(\d{6})(?:(\d{4})(\d{2})(\d{2})\d{3}[\dXx]|(\d{2})(\d{2})(\d{2})\d{3})$/.exec(
    value,
  );
  if (!parts) return "format";
  const [, region = "", longYear, longMonth, longDay, year, month, day] = parts;
  const born = [
    Number(longYear ?? `19${year}`),
    Number(longMonth ?? month),
    Number(longDay ?? day),
  ] as const;
  if (!isDay(...born)) return "birth";
  const age = today.getTime() - Date.UTC(born[0], born[1] - 1, born[2]);
  if (age < 0 || today.getUTCFullYear() - born[0] > maxLife) return "range";
  if (!regions.includes(region.slice(0, 2))) return "region";
  const last = longYear === undefined ? null : value.charAt(17).toUpperCase();
  return last !== null && last !== checkCharacter(value) ? "last" : null;
};
