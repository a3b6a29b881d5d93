/** Values of charts with their units. */
import {
  millisText,
  numberText,
  rateText,
  rateUnits,
  stepOf,
  threeDigits,
} from "#ui/number-text.tsx";

/** @param value bit/s */
const rateValue = (value: number): string => {
  const { value: metric, unit } = rateText(value);
  return `${metric} ${unit}`;
};
const millisValue = (value: number): string => `${millisText(value)} ms`;
const percentValue = (value: number): string => `${numberText(value, value < 10 ? 1 : 0)} %`;

const byteUnits = ["B", "kB", "MB", "GB", "TB", "PB"] as const;

/** @param value bytes, decimal steps */
export const volumeValue = (value: number): string => {
  const step = stepOf(value, byteUnits);
  // There is no part of a byte.
  const amount = step === 0 ? numberText(value, 0) : threeDigits(value / 1_000 ** step);
  return `${amount} ${byteUnits[step] ?? "B"}`;
};

/** What a chart measures. */
export interface Measure {
  /** A value with its unit. */
  text(value: number): string;
  /** The one unit of an axis that ends at this value, and how large it is in units of the values. */
  unitOf(max: number): { readonly unit: string; readonly size: number };
}

const inSteps = (units: readonly string[]) => (max: number) => {
  const step = stepOf(max, units);
  return { unit: units[step] ?? "", size: 1_000 ** step };
};

/** bit/s */
export const rates: Measure = { text: rateValue, unitOf: inSteps(rateUnits) };
/** Bytes. */
export const volumes: Measure = { text: volumeValue, unitOf: inSteps(byteUnits) };
/** ms */
export const millis: Measure = { text: millisValue, unitOf: () => ({ unit: "ms", size: 1 }) };
/** Of a hundred. */
export const percents: Measure = { text: percentValue, unitOf: () => ({ unit: "%", size: 1 }) };
/** Of events; beyond a thousand in thousands, "k". */
export const counts: Measure = {
  text: (value) => numberText(value, 0),
  unitOf: inSteps(["", "k", "M", "G"]),
};
