import { user, userAdd } from "@weft/contract/domains/access/user.ts";
import { useSession } from "#client/session.tsx";
import { EnterpriseControl } from "#domains/enterprises/parts/enterprise/enterprise-control.tsx";
import { Field, FieldRow } from "#kernel/form/field.tsx";
import { ResourceForm } from "#kernel/form/resource-form.tsx";
import { RoleSelect } from "./role-select.tsx";
import { type UserRow, useUserTexts } from "./user-texts.ts";

interface Props {
  readonly open: boolean;
  /** Null: a new user. */
  readonly row: UserRow | null;
  readonly onClose: () => void;
}

/** Drawer of one user. A new one gets a password here; later only a reset or the user sets it. */
export function UserForm({ open, row, onClose }: Props) {
  const t = useUserTexts();
  const session = useSession();
  const own = row?.userId === session.userId && t("user.own");
  const initial = {
    loginName: "",
    name: "",
    groupid: session.groupid,
    roleIds: [],
    phone: null,
    email: null,
    remark: "",
    ...(row === null && { password: null }),
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
      {...(row === null && { draft: userAdd.input, add: userAdd })}
    >
      <FieldRow>
        <Field name="loginName" help={t("user.loginNameHelp")} />
        <Field name="name" label={t("user.fullName")} />
      </FieldRow>
      {row === null && <Field name="password" kind="password" help={t("user.passwordHelp")} />}
      <Field name="groupid" kind={EnterpriseControl} disabled={own} />
      <Field name="roleIds" help={t("user.rolesHelp")} disabled={own}>
        {(control) => <RoleSelect control={control} />}
      </Field>
      <FieldRow>
        <Field name="phone" />
        <Field name="email" />
      </FieldRow>
      <Field name="remark" />
    </ResourceForm>
  );
}
