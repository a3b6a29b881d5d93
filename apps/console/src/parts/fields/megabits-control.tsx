import InputNumber from "antd/es/input-number";
import { shared } from "#kernel/form/control-props.ts";
import type { ControlProps } from "#kernel/form/field-props.ts";

const kbpsOfMegabit = 1_000;

/** kbit/s in memory and on the wire, Mbit/s on the screen. */
export function MegabitsControl(props: ControlProps) {
  const { control, isNullable, field } = props;
  const { "aria-invalid": _, ...common } = shared(props);
  const kbps = typeof control.value === "number" ? control.value : null;
  const none = isNullable ? null : undefined;
  return (
    <InputNumber<number>
      {...common}
      value={kbps === null ? null : kbps / kbpsOfMegabit}
      placeholder={field.placeholder}
      suffix={<span className="w-quiet">{field.unit ?? "Mbit/s"}</span>}
      controls={false}
      style={{ width: "100%" }}
      onChange={(value) => control.set(value === null ? none : Math.round(value * kbpsOfMegabit))}
    />
  );
}
