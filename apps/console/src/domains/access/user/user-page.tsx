import { userResetFactors } from "@weft/contract/domains/access/factors.ts";
import { roleCombo } from "@weft/contract/domains/access/role.ts";
import {
  user,
  userEditEnable,
  userResetPwd,
  userSetters,
  user as users,
} from "@weft/contract/domains/access/user.ts";
import { passwordFields } from "@weft/contract/kernel/field-setters.ts";
import { failsWith } from "@weft/contract/kernel/rule.ts";
import Button from "antd/es/button";
import { useEffect, useState } from "react";
import { Link } from "react-router";
import { z } from "zod";
import { call } from "#client/call.ts";
import { paths } from "#client/paths.ts";
import { useMay, useSession } from "#client/session.tsx";
import { codeOptions } from "#client/texts.ts";
import { useCall } from "#client/use-call.ts";
import {
  EnterpriseControl,
  EnterpriseFilter,
} from "#domains/enterprises/parts/enterprise/enterprise-control.tsx";
import { enterpriseColumn } from "#domains/enterprises/parts/enterprise/of-enterprise.tsx";
import { useToast } from "#feedback/toast.tsx";
import { useDraftValues } from "#kernel/form/draft-form.tsx";
import { Field, type FieldControl, FieldGroup, FieldRow } from "#kernel/form/field.tsx";
import { useDraft } from "#kernel/form/use-draft.ts";
import { type Column, nameColumn, textColumn, timeColumn } from "#kernel/list/columns.tsx";
import { resourcePage } from "#kernel/resource-view.tsx";
import { CallDialog } from "#parts/call-dialog.tsx";
import { enableColumn } from "#parts/enable-column.tsx";
import { ManyChoice } from "#parts/fields/many-choice.tsx";
import { OwnPassword } from "#parts/fields/own-password.tsx";
import { FormDialog } from "#parts/form-dialog.tsx";
import { useUserActions } from "./user-actions.ts";
import { type UserRow, type UserTexts, useUserTexts } from "./user-texts.ts";

/** Section 5: twice the same. */
const schema = z
  .object({
    newPsw: userResetPwd.input.shape.newPsw,
    rePsw: z.string().min(1),
    oldPsw: userResetPwd.input.shape.oldPsw,
  })
  .refine((form) => form.newPsw === form.rePsw, failsWith("same", {}, ["rePsw"]));

interface PasswordResetProps {
  readonly user: UserRow;
  readonly onClose: () => void;
}

/** Sets another user's password. */
function PasswordReset({ user, onClose }: PasswordResetProps) {
  const t = useUserTexts();
  const form = useDraft(schema, { newPsw: "", rePsw: "", oldPsw: null });
  const toast = useToast();
  const submit = async ({ newPsw, oldPsw }: z.output<typeof schema>): Promise<void> => {
    const { warnings = [] } = await call(userResetPwd, {
      userId: user.userId,
      newPsw,
      oldPsw,
    });
    toast.done(t("user.resetDone"));
    toast.warned(warnings);
    onClose();
  };
  return (
    <FormDialog
      title={t("user.resetOf", { name: user.loginName })}
      form={form}
      ok={t("user.reset")}
      onSubmit={submit}
      onClose={onClose}
    >
      <p>{t("user.resetBody", { name: user.loginName })}</p>
      <Field name="newPsw" kind="password" />
      <Field name="rePsw" kind="password" />
      <OwnPassword />
      <TakeFactors user={user} />
    </FormDialog>
  );
}

/** For a user who has lost all MFA methods; says first what that means. */
function TakeFactors({ user }: { readonly user: UserRow }) {
  const t = useUserTexts();
  const [isOpen, setOpen] = useState(false);
  const { userId, loginName: name } = user;
  return (
    <FieldGroup title={t("user.factorsLost")}>
      <div>
        <Button danger onClick={() => setOpen(true)}>
          {t("user.factors")}
        </Button>
      </div>
      <CallDialog
        open={isOpen}
        endpoint={userResetFactors}
        title={t("user.factorsTitle", { name })}
        initial={{ userId, oldPsw: null }}
        ok={t("user.factorsOk")}
        touches={[users.name]}
        saved={() => t("user.factorsDone")}
        onClose={() => setOpen(false)}
      >
        <p>{t("user.factorsBody", { name })}</p>
        <OwnPassword />
      </CallDialog>
    </FieldGroup>
  );
}

/** Roles of the form's enterprise that the caller may give; those of another one are dropped. */
function RoleSelect({ control }: { readonly control: FieldControl<number[]> }) {
  const t = useUserTexts();
  const { groupid = null } = useDraftValues<{ groupid?: number | null }>();
  const { data } = useCall(roleCombo, groupid === null ? null : { groupid });
  const { value, set, disabled } = control;
  useEffect(() => {
    if (!data || disabled) return;
    const known = new Set(data.map((role) => role.id));
    if (value.some((id) => !known.has(id))) set(value.filter((id) => known.has(id)));
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
      options={(data ?? []).map((role) => ({ value: role.id, label: role.name }))}
      loading={data === undefined && groupid !== null}
    />
  );
}

const guarded = passwordFields(userSetters);
const editDraft = user.ops.edit.input.omit({ userId: true, rowVersion: true });

/** A new one gets a password here; later only a reset or the user sets it. */
function UserFields({ row }: { readonly row: UserRow | null }) {
  const t = useUserTexts();
  const session = useSession();
  const may = useMay();
  const isOwn = row?.userId === session.userId;
  const ownNote = isOwn && t("user.own");
  // Whoever sets these has the account, as whoever sets its password.
  const contactFixed = row !== null && !isOwn && !may("sysUserResetPwd") && t("user.contactFixed");
  return (
    <>
      <FieldRow>
        <Field name="loginName" help={t("user.loginNameHelp")} disabled={contactFixed} />
        <Field name="name" label={t("user.fullName")} />
      </FieldRow>
      {row === null && <Field name="password" kind="password" help={t("user.passwordHelp")} />}
      <Field name="groupid" kind={EnterpriseControl} disabled={ownNote} />
      <Field name="roleIds" help={t("user.rolesHelp")} disabled={ownNote}>
        {(control) => <RoleSelect control={control} />}
      </Field>
      <FieldRow>
        <Field name="phone" disabled={contactFixed} />
        <Field name="email" disabled={contactFixed} />
      </FieldRow>
      <Field name="remark" />
      <OwnPassword row={row} fields={guarded} />
    </>
  );
}

/** Columns of the list of users. */
const userColumns = (t: UserTexts): Column<UserRow>[] => [
  enableColumn(t),
  nameColumn(
    "loginName",
    t.field("loginName"),
    (row: UserRow) => ({ text: row.loginName, ...(row.name !== "" && { note: row.name }) }),
    { sort: true },
  ),
  textColumn("roleNames", t.field("roleNames"), (row: UserRow) => row.roleNames || null, {
    width: 200,
    missing: t("user.noRoles"),
  }),
  enterpriseColumn<UserRow>(t.field("enterpriseName"), { width: 160 }),
  textColumn("phone", t.field("phone"), (row: UserRow) => row.phone, {
    width: 128,
    optional: true,
  }),
  textColumn("email", t.field("email"), (row: UserRow) => row.email, {
    width: 200,
    optional: true,
  }),
  timeColumn("lastLogin", t.field("lastLogin"), (row: UserRow) => row.lastLogin, {
    form: "since",
    missing: t("user.never"),
  }),
  timeColumn("createTime", t.field("createTime"), (row: UserRow) => row.createTime, {
    sort: true,
    optional: true,
  }),
];

interface UserEnableProps {
  readonly user: UserRow;
  readonly onClose: () => void;
}

/** Lets a disabled user in again. */
function UserEnable({ user: { userId, loginName: name }, onClose }: UserEnableProps) {
  const t = useUserTexts();
  return (
    <CallDialog
      open
      endpoint={userEditEnable}
      title={t("user.enableTitle", { name })}
      initial={{ userId, enable: true, oldPsw: null }}
      ok={t("act.enable")}
      touches={[users.name]}
      onClose={onClose}
    >
      <p>{t("user.enableBody", { name })}</p>
      <OwnPassword />
    </CallDialog>
  );
}

/** Users and their roles: who may log in, and what for (section 2.3). */
export default resourcePage(user, ({ open }) => {
  const t = useUserTexts();
  const may = useMay();
  const { groupid } = useSession();
  const { rowActions, batchActions } = useUserActions(open);
  return {
    title: t("user.title"),
    addLabel: t("user.add"),
    empty: t("user.empty"),
    nameOf: ({ loginName }) => loginName,
    columns: userColumns(t),
    filters: [
      { key: "loginName", kind: "text", label: t("user.search") },
      {
        key: "enable",
        kind: "select",
        label: t.field("enable"),
        options: codeOptions(t, "enable", [true, false]),
      },
      { key: "groupid", kind: EnterpriseFilter, label: t.field("groupid") },
    ],
    form: {
      initial: {
        loginName: "",
        name: "",
        groupid,
        roleIds: [],
        phone: null,
        email: null,
        remark: "",
        password: null,
        oldPsw: null,
      },
      body: (row) => <UserFields row={row} />,
      editTitle: ({ loginName }) => t("user.editOf", { name: loginName }),
      draft: user.ops.add.input,
      editDraft,
      touches: ["role"],
    },
    actions: rowActions,
    ...(may("sysUserRemove") && { batch: batchActions }),
    removal: { body: ({ loginName }) => t("user.removeBody", { names: loginName }) },
    dialogs: ({ what }, row, close) => (
      <>
        {what === "enable" && row && <UserEnable user={row} onClose={close} />}
        {what === "reset" && row && <PasswordReset user={row} onClose={close} />}
      </>
    ),
  };
});
