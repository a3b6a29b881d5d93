import { enterpriseCombo } from "@weft/contract/domains/enterprises/enterprise.ts";
import Select from "antd/es/select";
import { useCall } from "#client/use-call.ts";
import { Choice } from "#kernel/form/controls.tsx";
import type { ControlProps } from "#kernel/form/field-props.ts";
import type { FilterProps } from "#kernel/list/filter-bar.tsx";

const useOptions = () => {
  const { data = [] } = useCall(enterpriseCombo, {});
  return data.map(({ groupid, name }) => ({ value: groupid, label: name }));
};

/** Of a form: one of the enterprises that the reader may see. */
export function EnterpriseControl(props: ControlProps) {
  return <Choice {...props} field={{ ...props.field, options: useOptions() }} />;
}

/** The same above a list. */
export function EnterpriseFilter({ label, value, onChange }: FilterProps) {
  return (
    <Select
      aria-label={label}
      placeholder={label}
      allowClear
      showSearch={{ optionFilterProp: "label" }}
      style={{ width: 200 }}
      value={value}
      options={useOptions()}
      onChange={(next) => onChange(next ?? null)}
    />
  );
}
