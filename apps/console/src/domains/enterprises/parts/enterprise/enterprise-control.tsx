import { enterpriseCombo } from "@weft/contract/domains/enterprises/enterprise.ts";
import { useCall } from "#client/use-call.ts";
import { Choice } from "#kernel/form/controls.tsx";
import type { ControlProps } from "#kernel/form/field-props.ts";
import { ChoiceFilter } from "#ui/choice-filter.tsx";
import type { FilterProps } from "#ui/filter-props.ts";

const useOptions = () => {
  const { data = [] } = useCall(enterpriseCombo, {});
  return data.map(({ groupid, name }) => ({ value: groupid, label: name }));
};

/** Of a form: one of the enterprises that the reader may see. */
export function EnterpriseControl(props: ControlProps) {
  return <Choice {...props} field={{ ...props.field, options: useOptions() }} />;
}

/** The same above a list. */
export function EnterpriseFilter(props: FilterProps) {
  return <ChoiceFilter {...props} options={useOptions()} width={200} isSearched />;
}
