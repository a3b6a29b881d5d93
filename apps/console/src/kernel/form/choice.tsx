import Select from "antd/es/select";
import { useTexts } from "#client/texts.ts";
import { shared } from "./control-props.ts";
import type { ControlProps as Props } from "./field-props.ts";

/** One of some choices. */
export function Choice(props: Props) {
  const { control, isNullable, field } = props;
  const t = useTexts();
  return (
    <Select
      {...shared(props)}
      value={control.value as string | number | null | undefined}
      placeholder={field.placeholder ?? t("form.choose")}
      allowClear={isNullable}
      showSearch={{ optionFilterProp: "label" }}
      options={(field.options ?? []).map(({ value, label, disabled }) => ({
        value,
        label,
        disabled: disabled ?? false,
      }))}
      onChange={(value) => control.set(value ?? (isNullable ? null : undefined))}
    />
  );
}
