import { dataScope, dataScopes, roleTypes } from "@weft/contract/domains/access/enums.ts";
import { role, roleEditDraft, roleSetters } from "@weft/contract/domains/access/role.ts";
import { enterpriseCombo } from "@weft/contract/domains/enterprises/enterprise.ts";
import { passwordFields } from "@weft/contract/kernel/field-setters.ts";
import { useSession } from "#client/session.tsx";
import { useCall } from "#client/use-call.ts";
import { EnterpriseControl } from "#domains/enterprises/parts/enterprise/enterprise-control.tsx";
import { useDraftValues } from "#kernel/form/draft-form.tsx";
import { codeOptions, Field, type FieldControl, FieldRow, When } from "#kernel/form/field.tsx";
import { ResourceForm } from "#kernel/form/resource-form.tsx";
import { ManyChoice } from "#parts/fields/many-choice.tsx";
import { OwnPassword } from "#parts/fields/own-password.tsx";
import { PermissionTree } from "./permission-tree.tsx";
import { type RoleRow, type RoleTexts, useRoleTexts } from "./role-texts.ts";

/** The enterprises that a role of scope 4 sees. */
function EnterpriseChoice({ control }: { readonly control: FieldControl<number[]> }) {
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

interface Props {
  readonly open: boolean;
  /** Null: a new role. */
  readonly row: RoleRow | null;
  readonly onClose: () => void;
}

const guarded = passwordFields(roleSetters);

/** Drawer of one role: whose it is, how far it sees, what it permits. */
export function RoleForm({ open, row, onClose }: Props) {
  const t = useRoleTexts();
  const session = useSession();
  const initial = {
    roleCode: "",
    name: "",
    groupid: session.groupid,
    roleType: 2 as const,
    dataScope: dataScope.ownEnterprise,
    groupids: [],
    authorities: [],
    demandFactor: false,
    remark: "",
    oldPsw: null,
  };
  return (
    <ResourceForm
      resource={role}
      open={open}
      row={row}
      width={720}
      title={row ? t("role.editOf", { name: row.name }) : t("role.add")}
      initial={initial}
      onClose={onClose}
      touches={["user"]}
      {...(row !== null && { draft: roleEditDraft })}
    >
      <FieldRow>
        <Field name="name" />
        <Field name="roleCode" help={t("role.codeHelp")} />
      </FieldRow>
      <FieldRow>
        <Field
          name="groupid"
          kind={EnterpriseControl}
          help={t("role.groupidHelp")}
          disabled={row !== null && t("role.groupidFixed")}
        />
        <Field name="roleType" kind="select" options={codeOptions(t, "roleType", roleTypes)} />
      </FieldRow>
      <ScopeFields t={t} />
      <Field name="authorities" help={t("role.permissionsHelp")}>
        {(control) => <PermissionTree control={control} />}
      </Field>
      <Field
        name="demandFactor"
        kind="switch"
        help={t("role.demandFactorHelp")}
        disabled={row !== null && !session.hasMfa && t("role.demandFactorFixed")}
      />
      <Field name="remark" />
      {row !== null && <OwnPassword row={row} fields={guarded} />}
    </ResourceForm>
  );
}

function ScopeFields({ t }: { readonly t: RoleTexts }) {
  const { dataScope: scope } = useDraftValues<{ dataScope: number }>();
  const options = dataScopes.map((value) => ({
    value,
    label: t.code("dataScope", value),
    help: t(`role.scopeHelp${value}`),
  }));
  return (
    <>
      <Field name="dataScope" kind="radio" options={options} />
      {scope === dataScope.custom && (
        <When>
          <Field name="groupids">{(control) => <EnterpriseChoice control={control} />}</Field>
        </When>
      )}
    </>
  );
}
