/** Lengths of the preset ranges, in hours. */
const hours = { "1h": 1, "6h": 6, "24h": 24, "7d": 168, "30d": 720 } as const;

export type Preset = keyof typeof hours;
export const presets = Object.keys(hours) as Preset[];

const hourMs = 3_600_000;
/** Last moment that a Date can hold (ECMA-262, 21.4.1.1). */
const lastMs = 8.64e15;

export interface Range {
  readonly startTime: Date;
  readonly endTime: Date;
}

/** The range in the URL: a preset's key, or two times in milliseconds, "a~b". */
export type RangeKey = Preset | `${number}~${number}`;

export const isPreset = (key: string): key is Preset => Object.hasOwn(hours, key);

/** Whole seconds, the resolution of the wire format. */
const second = (ms: number): Date => new Date(Math.floor(ms / 1000) * 1000);

/**
 * The range of a key in the URL. Logs are never queried without one: an invalid key selects the
 * default.
 * @param now end of a preset's range, in milliseconds
 */
export function toRange(
  key: string | null,
  now: number,
  fallback: Preset = "1h",
): { key: RangeKey; range: Range } {
  const [from, to] = (key ?? "").split("~").map(Number);
  if (from !== undefined && to !== undefined && from > 0 && from <= to && to <= lastMs) {
    return { key: `${from}~${to}`, range: { startTime: second(from), endTime: second(to) } };
  }
  const preset = key !== null && isPreset(key) ? key : fallback;
  const endTime = second(now);
  const startTime = new Date(endTime.getTime() - hours[preset] * hourMs);
  return { key: preset, range: { startTime, endTime } };
}

/** The key for two times, in any order. */
export const spanKey = (one: Date, other: Date): RangeKey => {
  const [from, to] = [one.getTime(), other.getTime()].sort((a, b) => a - b) as [number, number];
  return `${from}~${to}`;
};
