import { roleCombo } from "@weft/contract/domains/access/role.ts";
import Select from "antd/es/select";
import { useEffect } from "react";
import { useCall } from "#client/use-call.ts";
import { useDraftValues } from "#kernel/form/draft-form.tsx";
import type { FieldControl } from "#kernel/form/field.tsx";
import { useApiKeyTexts } from "./api-key-texts.ts";

/** A role of the form's enterprise that the caller may give; one of another enterprise is dropped. */
export function RoleChoice({ control }: { readonly control: FieldControl<number | null> }) {
  const t = useApiKeyTexts();
  const { groupid = null } = useDraftValues<{ groupid?: number | null }>();
  const { data } = useCall(roleCombo, groupid === null ? null : { groupid });
  const { id, value, set } = control;
  useEffect(() => {
    if (data && value != null && !data.some((one) => one.id === value)) set(null);
  }, [data, value, set]);
  return (
    <Select
      id={id}
      style={{ width: "100%" }}
      value={value}
      onChange={set}
      onBlur={control.leave}
      options={(data ?? []).map((one) => ({ value: one.id, label: one.name }))}
      notFoundContent={t("apiKey.noRoles")}
      showSearch={{ optionFilterProp: "label" }}
      loading={data === undefined && groupid !== null}
      aria-describedby={control.describedBy}
      {...(control.isWrong && { status: "error" as const })}
    />
  );
}
