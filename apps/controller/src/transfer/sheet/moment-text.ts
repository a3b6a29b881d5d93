/** Moments in cells: `yyyy-MM-dd HH:mm:ss` on the clocks of one zone. */

const formats = new Map<string, Intl.DateTimeFormat>();
const formatOf = (zone: string): Intl.DateTimeFormat => {
  const known = formats.get(zone);
  if (known) return known;
  // Swedish writes moments as yyyy-MM-dd HH:mm:ss.
  const made = new Intl.DateTimeFormat("sv-SE", {
    timeZone: zone,
    dateStyle: "short",
    timeStyle: "medium",
  });
  formats.set(zone, made);
  return made;
};

export const momentText = (moment: Date, zone: string): string => formatOf(zone).format(moment);

/** What people and spreadsheets make of it: 2026/1/5 8:30, 2026-01-05. */
const written = /^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})(?:[ T](\d{1,2}):(\d{2})(?::(\d{2}))?)?$/;

/** Milliseconds that the clocks of the zone are ahead of UTC at a moment. */
const aheadAt = (moment: number, zone: string): number =>
  Date.parse(`${momentText(new Date(moment), zone).replace(" ", "T")}Z`) -
  Math.floor(moment / 1_000) * 1_000;

/**
 * The moment at which the clocks of the zone show it; of two, the earlier one. Null: the text is none,
 * or those clocks never show it.
 */
export function momentIn(text: string, zone: string): Date | null {
  const match = written.exec(text);
  if (!match) return null;
  const [year, month, day, hour, minute, second] = match.slice(1).map((part) => Number(part ?? 0));
  const shown = new Date(0);
  shown.setUTCFullYear(year ?? 0, (month ?? 1) - 1, day);
  shown.setUTCHours(hour ?? 0, minute, second);
  const wanted = shown.toISOString().slice(0, 19).replace("T", " ");
  const given = [year, month, day, hour, minute, second];
  // A day that no month has, an hour that no day has became another one.
  if (wanted.split(/[- :]/).some((part, at) => Number(part) !== given[at])) return null;
  const dayLong = 86_400_000;
  const offsets = [-dayLong, dayLong].map((away) => aheadAt(shown.getTime() + away, zone));
  const moments = offsets
    .map((ahead) => new Date(shown.getTime() - ahead))
    .filter((moment) => momentText(moment, zone) === wanted)
    .sort((one, other) => one.getTime() - other.getTime());
  return moments[0] ?? null;
}
