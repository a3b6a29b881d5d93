import { user, userSetters } from "@weft/contract/domains/access/user.ts";
import { passwordFields } from "@weft/contract/kernel/field-setters.ts";
import { useMay, useSession } from "#client/session.tsx";
import { EnterpriseControl } from "#domains/enterprises/parts/enterprise/enterprise-control.tsx";
import { Field, FieldRow } from "#kernel/form/field.tsx";
import { ResourceForm } from "#kernel/form/resource-form.tsx";
import { OwnPassword } from "#parts/fields/own-password.tsx";
import { RoleSelect } from "./role-select.tsx";
import { type UserRow, useUserTexts } from "./user-texts.ts";

interface Props {
  readonly open: boolean;
  /** Null: a new user. */
  readonly row: UserRow | null;
  readonly onClose: () => void;
}

const guarded = passwordFields(userSetters);
const editDraft = user.ops.edit.input.omit({ userId: true, rowVersion: true });

/** Drawer of one user. A new one gets a password here; later only a reset or the user sets it. */
export function UserForm({ open, row, onClose }: Props) {
  const t = useUserTexts();
  const session = useSession();
  const may = useMay();
  const isOwn = row?.userId === session.userId;
  const own = isOwn && t("user.own");
  // Whoever sets these has the account, as whoever sets its password.
  const contactFixed = row !== null && !isOwn && !may("sysUserResetPwd") && t("user.contactFixed");
  const initial = {
    loginName: "",
    name: "",
    groupid: session.groupid,
    roleIds: [],
    phone: null,
    email: null,
    remark: "",
    ...(row === null && { password: null }),
    oldPsw: null,
  };
  return (
    <ResourceForm
      resource={user}
      open={open}
      row={row}
      title={row ? t("user.editOf", { name: row.loginName }) : t("user.add")}
      initial={initial}
      onClose={onClose}
      touches={["role"]}
      draft={row === null ? user.ops.add.input : editDraft}
    >
      <FieldRow>
        <Field name="loginName" help={t("user.loginNameHelp")} disabled={contactFixed} />
        <Field name="name" label={t("user.fullName")} />
      </FieldRow>
      {row === null && <Field name="password" kind="password" help={t("user.passwordHelp")} />}
      <Field name="groupid" kind={EnterpriseControl} disabled={own} />
      <Field name="roleIds" help={t("user.rolesHelp")} disabled={own}>
        {(control) => <RoleSelect control={control} />}
      </Field>
      <FieldRow>
        <Field name="phone" disabled={contactFixed} />
        <Field name="email" disabled={contactFixed} />
      </FieldRow>
      <Field name="remark" />
      <OwnPassword row={row} fields={guarded} />
    </ResourceForm>
  );
}
