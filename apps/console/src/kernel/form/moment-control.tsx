import DatePicker from "antd/es/date-picker";
import dayjs from "dayjs";
import "#client/date-languages.ts";
import { type FocusEvent, type KeyboardEvent, useState } from "react";
import { shared } from "./control-props.ts";
import type { ControlProps } from "./field-props.ts";
import { momentOf, noMoment } from "./typed-moment.ts";

const isMoment = (value: unknown): value is Date =>
  value instanceof Date && !Number.isNaN(value.getTime());

/**
 * A moment, to the second. What is typed is taken when the field is left or Enter is pressed, in any usual form; what is no
 * moment makes the field wrong, and stays to be mended. The component library alone would drop both without a word.
 */
export function Moment(props: ControlProps) {
  const { control, field } = props;
  const { "aria-invalid": _, onBlur, ...common } = shared(props);
  const current = isMoment(control.value) ? control.value : null;
  // While the text is refused the picker keeps what it had: another value would take its text away.
  const [kept, setKept] = useState(current);
  const isRefused = control.value instanceof Date && current === null;
  const shown = isRefused ? kept : current;
  const set = (value: Date | null): void => {
    setKept(value);
    control.set(value);
  };
  const take = (text: string): void => {
    const at = momentOf(text);
    if (at !== null) {
      if (at.getTime() !== current?.getTime()) set(at);
    } else if (text.trim() !== "") {
      setKept(shown);
      control.set(noMoment());
    } else if (control.value instanceof Date) set(null);
  };
  return (
    <DatePicker
      {...common}
      showTime
      preserveInvalidOnBlur
      // A day under the pointer would stand in the field, and be taken for what was typed.
      previewValue={false}
      value={shown && dayjs(shown)}
      format="YYYY-MM-DD HH:mm:ss"
      style={{ width: "100%" }}
      {...(field.placeholder !== undefined && { placeholder: field.placeholder })}
      onChange={(value) => set(value ? value.toDate() : null)}
      onKeyDown={(event: KeyboardEvent) => {
        if (event.key === "Enter" && event.target instanceof HTMLInputElement)
          take(event.target.value);
      }}
      onBlur={(event: FocusEvent) => {
        if (event.target instanceof HTMLInputElement) take(event.target.value);
        onBlur();
      }}
    />
  );
}
