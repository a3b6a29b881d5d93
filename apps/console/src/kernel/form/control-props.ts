import type { ControlProps } from "./field-props.ts";

/** Props of all controls of the component library. */
export const shared = ({ control }: ControlProps) => ({
  id: control.id,
  disabled: control.disabled,
  "aria-describedby": control.describedBy,
  "aria-invalid": control.isWrong,
  onBlur: control.leave,
  ...(control.isWrong && { status: "error" as const }),
});
