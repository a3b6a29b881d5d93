import { enterpriseCombo } from "@weft/contract/domains/enterprises/enterprise.ts";
import { useCall } from "#client/use-call.ts";
import type { FieldControl } from "#kernel/form/field.tsx";
import { ManyChoice } from "#parts/fields/many-choice.tsx";
import { useRoleTexts } from "./role-texts.ts";

/** The enterprises that a role of scope 4 sees. */
export function EnterpriseChoice({ control }: { readonly control: FieldControl<number[]> }) {
  const t = useRoleTexts();
  const { data } = useCall(enterpriseCombo, {});
  return (
    <ManyChoice
      control={control}
      placeholder={t("role.chooseEnterprises")}
      options={(data ?? []).map(({ groupid, name }) => ({ value: groupid, label: name }))}
    />
  );
}
