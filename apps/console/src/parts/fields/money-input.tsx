import { fromMinor, toMinor } from "@weft/contract/rules/money.ts";
import Input from "antd/es/input/Input";
import { useState } from "react";
import type { FieldControl } from "#kernel/form/field.tsx";

interface Props {
  readonly control: FieldControl<number | null | undefined>;
  readonly isNullable?: boolean;
  readonly placeholder?: string;
  readonly autoFocus?: boolean;
}

/** An amount as people type it; minor units in the form. What is no amount is kept and refused. */
export function MoneyInput({ control, isNullable, placeholder, autoFocus }: Props) {
  const { value } = control;
  const [text, setText] = useState(() => (typeof value === "number" ? fromMinor(value) : ""));
  const change = (next: string): void => {
    setText(next);
    const isEmpty = next.trim() === "";
    control.set(isEmpty ? (isNullable ? null : undefined) : toMinor(next));
  };
  return (
    <Input
      id={control.id}
      value={text}
      inputMode="decimal"
      autoComplete="off"
      autoFocus={autoFocus ?? false}
      disabled={control.disabled}
      {...(placeholder !== undefined && { placeholder })}
      aria-describedby={control.describedBy}
      aria-invalid={control.isWrong}
      {...(control.isWrong && { status: "error" as const })}
      onBlur={control.leave}
      onChange={(event) => change(event.target.value)}
    />
  );
}
