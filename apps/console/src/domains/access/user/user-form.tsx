import { user, userAdd, userEdit } from "@weft/contract/domains/access/user.ts";
import { useMay, useSession } from "#client/session.tsx";
import { EnterpriseControl } from "#domains/enterprises/parts/enterprise/enterprise-control.tsx";
import { useDraftValues } from "#kernel/form/draft-form.tsx";
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

const editDraft = userEdit.input.omit({ userId: true, rowVersion: true });

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
    ...(row === null ? { password: null } : { oldPsw: null }),
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
      {...(row === null
        ? { draft: userAdd.input, add: userAdd }
        : { draft: editDraft, edit: userEdit })}
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
      {isOwn && <OwnPassword row={row} />}
      <Field name="remark" />
    </ResourceForm>
  );
}

const contact = ["loginName", "phone", "email"] as const;

/** The user's own password, once what names or reaches the account differs. */
function OwnPassword({ row }: { readonly row: UserRow }) {
  const t = useUserTexts();
  const values = useDraftValues<Partial<Pick<UserRow, (typeof contact)[number]>>>();
  if (contact.every((name) => (values[name] ?? null) === row[name])) return null;
  return (
    <Field
      name="oldPsw"
      kind="password"
      label={t("user.currentPassword")}
      help={t("user.currentPasswordHelp")}
      autoComplete="current-password"
      required
    />
  );
}
