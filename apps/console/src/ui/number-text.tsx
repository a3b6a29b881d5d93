import { Missing } from "./missing.tsx";

/** A number with a fixed number of decimals and groups of three: 1,240. */
export const numberText = (value: number, digits = 0): string =>
  value.toLocaleString("en-GB", { minimumFractionDigits: digits, maximumFractionDigits: digits });

/** Three digits: 8.12, 81.2, 812. */
export const threeDigits = (value: number): string =>
  numberText(value, value === 0 || Math.abs(value) >= 100 ? 0 : Math.abs(value) >= 10 ? 1 : 2);

/** Exponent of 1000 of the unit in which a value is shown, below this number of units. */
export const stepOf = (value: number, units: readonly string[]): number =>
  Math.min(units.length - 1, Math.floor(Math.log10(Math.max(1, Math.abs(value))) / 3));

export const rateUnits = ["bit/s", "kbit/s", "Mbit/s", "Gbit/s", "Tbit/s"] as const;

/** A rate in bit/s for display, in decimal steps: { value: "8.12", unit: "Mbit/s" }. */
export const rateText = (bitsPerSecond: number): { value: string; unit: string } => {
  const step = stepOf(bitsPerSecond, rateUnits);
  return { value: threeDigits(bitsPerSecond / 1_000 ** step), unit: rateUnits[step] ?? "bit/s" };
};

/** bit/s as Mbit/s with three digits, for columns whose header contains the unit. */
export const megabits = (bitsPerSecond: number): string => threeDigits(bitsPerSecond / 1e6);

/** Milliseconds: without decimals from 10. */
export const millisText = (ms: number): string => numberText(ms, ms < 10 ? 1 : 0);

interface Props {
  readonly value: number | null;
  readonly digits?: number | undefined;
  readonly unit?: string | undefined;
  /** Why there is no value. */
  readonly missing?: string | undefined;
}

/** A value with its unit; a missing value is a dash, never 0. */
export function NumberText({ value, digits = 0, unit, missing }: Props) {
  if (value === null) return <Missing reason={missing} />;
  return (
    <span style={{ whiteSpace: "nowrap" }}>
      {numberText(value, digits)}
      {unit !== undefined && <span className="w-quiet"> {unit}</span>}
    </span>
  );
}
