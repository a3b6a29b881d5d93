import { user, userEditEnable, user as users } from "@weft/contract/domains/access/user.ts";
import { useOpened } from "#client/opened.ts";
import { useMay } from "#client/session.tsx";
import { EnterpriseFilter } from "#domains/enterprises/parts/enterprise/enterprise-control.tsx";
import { ListPage } from "#kernel/list/list-page.tsx";
import { useResourceList } from "#kernel/list/use-list.ts";
import { useSelection } from "#kernel/list/use-selection.ts";
import { CallDialog } from "#parts/call-dialog.tsx";
import { OwnPassword } from "#parts/fields/own-password.tsx";
import { PasswordReset } from "./password-reset.tsx";
import { useUserActions } from "./user-actions.ts";
import { userColumns } from "./user-columns.tsx";
import { UserForm } from "./user-form.tsx";
import { type UserRow, useUserTexts } from "./user-texts.ts";

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
export default function UserPage() {
  const t = useUserTexts();
  const may = useMay();
  const list = useResourceList(user);
  const selection = useSelection<UserRow>("userId", list);
  const { opened, open, close } = useOpened();
  const { rowActions, batchActions } = useUserActions(open);
  const add = { label: t("user.add"), may: "sysUserAdd" as const, run: () => open("add") };
  const row = list.rows.find((one) => one.userId === opened?.id) ?? null;
  const editing = opened?.what === "edit" && row !== null;
  return (
    <ListPage
      title={t("user.title")}
      list={list}
      rowKey="userId"
      columns={userColumns(t)}
      filters={[
        { key: "loginName", kind: "text", label: t("user.search") },
        {
          key: "enable",
          kind: "select",
          label: t.field("enable"),
          options: [true, false].map((value) => ({ value, label: t.code("enable", value) })),
        },
        { key: "groupid", kind: EnterpriseFilter, label: t.field("groupid") },
      ]}
      add={add}
      actions={rowActions}
      {...(may("sysUserRemove") && {
        selection,
        batch: (rows: readonly UserRow[]) => batchActions(rows, selection.clear),
      })}
      empty={{ text: t("user.empty"), action: add }}
    >
      <UserForm
        open={opened?.what === "add" || editing}
        row={editing ? row : null}
        onClose={close}
      />
      {opened?.what === "enable" && row && <UserEnable user={row} onClose={close} />}
      {opened?.what === "reset" && row && <PasswordReset user={row} onClose={close} />}
    </ListPage>
  );
}
