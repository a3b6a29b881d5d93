import DatePicker from "antd/es/date-picker";
import dayjs from "dayjs";
import "#client/date-languages.ts";
import { shared } from "./control-props.ts";
import type { ControlProps } from "./field-props.ts";

/** A moment, to the second. */
export function Moment(props: ControlProps) {
  const { control, field } = props;
  const { "aria-invalid": _, ...common } = shared(props);
  return (
    <DatePicker
      {...common}
      showTime
      value={control.value instanceof Date ? dayjs(control.value) : null}
      format="YYYY-MM-DD HH:mm:ss"
      style={{ width: "100%" }}
      {...(field.placeholder !== undefined && { placeholder: field.placeholder })}
      onChange={(value) => control.set(value ? value.toDate() : null)}
    />
  );
}
