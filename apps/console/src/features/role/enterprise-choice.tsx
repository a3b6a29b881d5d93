import { enterpriseCombo } from "@weft/contract/resources/enterprise.ts";
import Select from "antd/es/select";
import type { FieldControl } from "#kernel/form/field.tsx";
import { useCall } from "#kernel/use-call.ts";
import { useRoleTexts } from "./role-texts.ts";

/** The enterprises that a role of scope 4 sees. */
export function EnterpriseChoice({ control }: { readonly control: FieldControl<number[]> }) {
  const t = useRoleTexts();
  const { data } = useCall(enterpriseCombo, {});
  return (
    <Select
      id={control.id}
      mode="multiple"
      style={{ width: "100%" }}
      value={control.value}
      onChange={control.set}
      onBlur={control.leave}
      aria-describedby={control.describedBy}
      placeholder={t("role.chooseEnterprises")}
      options={(data ?? []).map(({ groupid, name }) => ({ value: groupid, label: name }))}
      showSearch={{ optionFilterProp: "label" }}
      {...(control.isWrong && { status: "error" as const })}
    />
  );
}
