/** Values of charts with their units. */
import { figureText, millisText, rateText, threeDigits } from "#ui/figure.tsx";

/** @param value bit/s */
const rateValue = (value: number): string => {
  const { value: figure, unit } = rateText(value);
  return `${figure} ${unit}`;
};
const millisValue = (value: number): string => `${millisText(value)} ms`;
const percentValue = (value: number): string => `${figureText(value, value < 10 ? 1 : 0)} %`;

const byteUnits = ["B", "kB", "MB", "GB", "TB", "PB"] as const;

/** How many thousands make one of the unit in which a value is said. */
const stepOf = (value: number, most: number): number =>
  Math.min(most, Math.max(0, Math.floor(Math.log10(Math.max(1, value)) / 3)));

/** @param value bytes, decimal steps */
export const volumeValue = (value: number): string => {
  const step = stepOf(value, byteUnits.length - 1);
  return `${threeDigits(value / 1_000 ** step)} ${byteUnits[step] ?? "B"}`;
};

/** What a chart measures. */
export interface Measure {
  /** A value with its unit. */
  text(value: number): string;
  /** The one unit of an axis that ends at this value, and how large it is in units of the values. */
  unitOf(most: number): { readonly unit: string; readonly size: number };
}

const bitUnits = ["bit/s", "kbit/s", "Mbit/s", "Gbit/s", "Tbit/s"] as const;

const inSteps = (units: readonly string[]) => (most: number) => {
  const step = stepOf(most, units.length - 1);
  return { unit: units[step] ?? "", size: 1_000 ** step };
};

/** bit/s */
export const rates: Measure = { text: rateValue, unitOf: inSteps(bitUnits) };
/** Bytes. */
export const volumes: Measure = { text: volumeValue, unitOf: inSteps(byteUnits) };
/** ms */
export const millis: Measure = { text: millisValue, unitOf: () => ({ unit: "ms", size: 1 }) };
/** Of a hundred. */
export const percents: Measure = { text: percentValue, unitOf: () => ({ unit: "%", size: 1 }) };
