/** Values of charts with their units. */
import { figureText, millisText, rateText, threeDigits } from "#ui/figure.tsx";

/** @param value bit/s */
export const rateValue = (value: number): string => {
  const { value: figure, unit } = rateText(value);
  return `${figure} ${unit}`;
};
/** @param value ms */
export const millisValue = (value: number): string => `${millisText(value)} ms`;
export const percentValue = (value: number): string => `${figureText(value, value < 10 ? 1 : 0)} %`;

const byteUnits = ["B", "kB", "MB", "GB", "TB", "PB"] as const;

/** @param value bytes, decimal steps */
export const volumeValue = (value: number): string => {
  let [rest, step] = [value, 0];
  while (rest >= 1_000 && step < byteUnits.length - 1) {
    rest /= 1_000;
    step += 1;
  }
  return `${threeDigits(rest)} ${byteUnits[step] ?? "B"}`;
};
