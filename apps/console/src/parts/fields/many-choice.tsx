import Select from "antd/es/select";
import type { KeyboardEvent } from "react";
import type { ControlState } from "#kernel/form/field-props.ts";

interface Props<Value extends string | number> {
  readonly control: ControlState<readonly Value[] | null | undefined>;
  readonly options: readonly { readonly value: Value; readonly label: string }[];
  /** Shown while nothing is selected. */
  readonly placeholder?: string;
  /** The choices are still asked for. */
  readonly loading?: boolean;
  /** Of many choices only as many are shown as fit into one line. */
  readonly inOneLine?: boolean;
}

/**
 * The library takes Tab as another press on the option that was selected last, which takes it out
 * again. A choice is kept when the user goes on by Tab.
 */
const keepTab = (event: KeyboardEvent): void => {
  if (event.key === "Tab") event.stopPropagation();
};

/** Several of a list, found by typing; they stay in the order in which they were selected. */
export function ManyChoice<Value extends string | number>(props: Props<Value>) {
  const { control, options, placeholder, loading = false, inOneLine = false } = props;
  return (
    <Select<Value[]>
      id={control.id}
      mode="multiple"
      style={{ width: "100%" }}
      value={[...(control.value ?? [])]}
      options={options.map(({ value, label }) => ({ value, label }))}
      placeholder={placeholder}
      loading={loading}
      disabled={control.disabled}
      showSearch={{ optionFilterProp: "label" }}
      {...(inOneLine && { maxTagCount: "responsive" as const })}
      onChange={control.set}
      onBlur={control.leave}
      onInputKeyDown={keepTab}
      aria-describedby={control.describedBy}
      {...(control.isWrong && { status: "error" as const })}
    />
  );
}
