import { roleCombo } from "@weft/contract/domains/access/role.ts";
import { useEffect } from "react";
import { Link } from "react-router";
import { paths } from "#client/paths.ts";
import { useCall } from "#client/use-call.ts";
import { useDraftValues } from "#kernel/form/draft-form.tsx";
import type { FieldControl } from "#kernel/form/field.tsx";
import { ManyChoice } from "#parts/fields/many-choice.tsx";
import { useUserTexts } from "./user-texts.ts";

/** Roles of the form's enterprise that the caller may give; those of another one are dropped. */
export function RoleSelect({ control }: { readonly control: FieldControl<number[]> }) {
  const t = useUserTexts();
  const { groupid = null } = useDraftValues<{ groupid?: number | null }>();
  const { data } = useCall(roleCombo, groupid === null ? null : { groupid });
  const { value, set, disabled } = control;
  useEffect(() => {
    if (!data || disabled) return;
    const known = new Set(data.map((one) => one.id));
    if (value.some((one) => !known.has(one))) set(value.filter((one) => known.has(one)));
  }, [data, disabled, value, set]);
  if (data?.length === 0 && !disabled) {
    return (
      <span>
        {t("user.noRolesThere")} <Link to={paths.role()}>{t("user.toRoles")}</Link>
      </span>
    );
  }
  return (
    <ManyChoice
      control={control}
      options={(data ?? []).map((one) => ({ value: one.id, label: one.name }))}
      loading={data === undefined && groupid !== null}
    />
  );
}
