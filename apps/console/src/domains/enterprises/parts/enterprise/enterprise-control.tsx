import { enterpriseCombo } from "@weft/contract/domains/enterprises/enterprise.ts";
import type { OutputOf } from "@weft/contract/kernel/endpoint.ts";
import { useState } from "react";
import { useCall } from "#client/use-call.ts";
import { Choice } from "#kernel/form/choice.tsx";
import type { ControlProps } from "#kernel/form/field-props.ts";
import { ChoiceFilter } from "#ui/choice-filter.tsx";
import type { FilterProps } from "#ui/filter-props.ts";

const optionsOf = (rows: OutputOf<typeof enterpriseCombo> = []) =>
  rows.map(({ groupid, name }) => ({ value: groupid, label: name }));

/** Of a form: one of the enterprises that the reader may see. */
export function EnterpriseControl(props: ControlProps) {
  const { data } = useCall(enterpriseCombo, {});
  return <Choice {...props} field={{ ...props.field, options: optionsOf(data) }} />;
}

/** The same above a list, which does not wait for what is chosen from: it comes once it is needed. */
export function EnterpriseFilter(props: FilterProps) {
  const [wasOpened, setOpened] = useState(false);
  const { data, isFirstLoad } = useCall(
    enterpriseCombo,
    wasOpened || props.value !== null ? {} : null,
  );
  return (
    <ChoiceFilter
      {...props}
      options={optionsOf(data)}
      width={200}
      isSearched
      isLoading={isFirstLoad}
      onOpen={() => setOpened(true)}
    />
  );
}
