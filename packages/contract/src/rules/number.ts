import { z } from "zod";
import * as codec from "#kernel/codec.ts";
import { failsWith } from "#kernel/rule.ts";

/** Section 5 and 9: ranges that forms, API and data plane share. */
export const ranges = {
  port: [1, 65_535],
  vlan: [0, 4_094],
  mtu: [1_000, 1_450],
  metric: [0, 255],
  linesOfNode: [1, 4],
  nodeLifetime: [0, 65_535],
  hotStandbyPriority: [1, 255],
  /** UDP ports of the tunnels of links. */
  tunnelPort: [51_820, 65_535],
  /** As many ports as tunnels can have follow it. */
  delegatedPrefix: [32, 64],
  subnet6: [0, 65_535],
  publicPort: [1, 51_820],
  /** Of sites that announce one network; each has a community of its own on the wire. */
  sitePreference: [1, 8],
  /** Percent; the specification states the upper end only. */
  alarmThreshold: [0, 100],
  /** A day, of spans that an alarm waits. */
  alarmSeconds: [0, 86_400],
} as const;

export const port = codec.int(...ranges.port, "port");
/** 0 or empty means no tag. */
export const vlan = codec.int(...ranges.vlan, "vlan");
/** Bytes; of the tunnel, so that a full packet still fits the line. */
export const mtu = codec.int(...ranges.mtu, "mtu");
export const metric = codec.int(...ranges.metric, "metric");
/** Decimals are allowed. */
export const alarmThreshold = codec.decimal(...ranges.alarmThreshold, "alarmThreshold");
/** Slowest and fastest of every rate, bit/s (section 5: never below 64 kbit/s). */
export const slowest = 64_000;
export const fastest = 100_000_000_000;
/** The same as every message says them, whatever unit the field has. */
export const shownRates = { least: "64 kbit/s", most: "100 Gbit/s" } as const;

/** bit/s. */
export const bandwidthBps = codec.int(slowest, fastest, "bandwidth", shownRates);
/** kbit/s; guaranteed and maximum are never below 64. */
export const bandwidthKbps = codec.int(slowest / 1e3, fastest / 1e3, "bandwidth", shownRates);

/** A whole number of the range, as a number or as its plain decimal text. */
export const isWholeIn = (value: unknown, [min, max]: readonly [number, number]): boolean => {
  const number = codec.plainInteger(value);
  return Number.isSafeInteger(number) && number >= min && number <= max;
};

/** A number of the range, decimals allowed. */
export const isNumberIn = (value: unknown, [min, max]: readonly [number, number]): boolean => {
  const number = codec.plainNumber(value);
  return number >= min && number <= max;
};

/** typed coordinates need 1 to 6 decimals. */
export const hasCoordinateDecimals = (value: string): boolean =>
  /^-?(?:0|[1-9]\d*)\.\d{1,6}$/.test(value);

const sixDecimals = (value: number): boolean =>
  Math.abs(value * 1e6 - Math.round(value * 1e6)) < 1e-3;

/**
 * Degrees with 1 to 6 decimals. Text without a decimal is refused; a JSON number cannot show
 * 121.0 from 121, so it passes. Written, a whole number carries its `.0`.
 */
const degrees = (limit: number) => {
  const fails = failsWith("coordinate", { min: -limit, max: limit });
  return z.codec(
    z.union([z.string(), z.number()]),
    z
      .custom<number>((value) => typeof value === "number" && Number.isFinite(value), fails)
      .refine((value) => Math.abs(value) <= limit && sixDecimals(value), fails),
    {
      decode: (value) =>
        typeof value === "string" && !hasCoordinateDecimals(value) ? Number.NaN : Number(value),
      encode: (value) => (Number.isInteger(value) ? value.toFixed(1) : value),
    },
  );
};

export const longitude = degrees(180);
export const latitude = degrees(90);
