import { toBitsPerSecond } from "@weft/contract/rules/conversions.ts";
import InputNumber from "antd/es/input-number";
import { Field } from "#kernel/form/field.tsx";

const bitsOfMegabit = 1_000_000;

/** bit/s as they are entered; null: nothing is entered. */
export const megabitsOf = (bits: number | null): number | null =>
  bits === null ? null : bits / bitsOfMegabit;

/** What is sent for an entry in Mbit/s (A-25: whole, whatever binary fractions make of 8.2). */
export const bitsOf = (megabits: number | null): number | null =>
  megabits === null ? null : toBitsPerSecond(megabits);

const megabitText = (value: unknown): string => `${megabitsOf(value as number | null)} Mbit/s`;

interface Props {
  readonly name: string;
  readonly help?: string;
}

/** A bandwidth, entered in Mbit/s and sent in bit/s. */
export function BandwidthField({ name, help }: Props) {
  return (
    <Field name={name} help={help} format={megabitText}>
      {({ id, value, set, leave, isWrong, describedBy }) => (
        <InputNumber
          id={id}
          aria-describedby={describedBy}
          value={megabitsOf(typeof value === "number" ? value : null)}
          min={0}
          suffix="Mbit/s"
          {...(isWrong && { status: "error" as const })}
          style={{ width: "100%" }}
          onChange={(megabits) => set(bitsOf(megabits))}
          onBlur={leave}
        />
      )}
    </Field>
  );
}
