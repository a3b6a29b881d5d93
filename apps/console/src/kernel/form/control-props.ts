import type { ControlState, FieldProps } from "./field-props.ts";

export interface ControlProps {
  readonly control: ControlState;
  /** True: empty is null; false: empty text stays text, an empty number is missing. */
  readonly isNullable: boolean;
  readonly field: FieldProps;
}

/** What all controls of the component library are reported. */
export const shared = ({ control }: ControlProps) => ({
  id: control.id,
  disabled: control.disabled,
  "aria-describedby": control.describedBy,
  "aria-invalid": control.isWrong,
  onBlur: control.leave,
  ...(control.isWrong && { status: "error" as const }),
});
