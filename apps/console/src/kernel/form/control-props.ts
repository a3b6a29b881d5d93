import type { ControlProps } from "./field-props.ts";

/** What all controls of the component library are reported. */
export const shared = ({ control }: ControlProps) => ({
  id: control.id,
  disabled: control.disabled,
  "aria-describedby": control.describedBy,
  "aria-invalid": control.isWrong,
  onBlur: control.leave,
  ...(control.isWrong && { status: "error" as const }),
});
