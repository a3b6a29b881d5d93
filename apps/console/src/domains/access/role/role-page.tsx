import { roleTypes } from "@weft/contract/domains/access/enums.ts";
import { role } from "@weft/contract/domains/access/role.ts";
import { useOpened } from "#client/opened.ts";
import { EnterpriseFilter } from "#domains/enterprises/parts/enterprise/enterprise-control.tsx";
import { useRemove } from "#feedback/use-remove.ts";
import { codeOptions } from "#kernel/form/field.tsx";
import { ListPage } from "#kernel/list/list-page.tsx";
import type { RowAction } from "#kernel/list/row-actions.tsx";
import { useResourceList } from "#kernel/list/use-list.ts";
import { roleColumns } from "./role-columns.tsx";
import { RoleDetails } from "./role-details.tsx";
import { RoleForm } from "./role-form.tsx";
import { type RoleRow, type RoleTexts, useRoleTexts } from "./role-texts.ts";

function useRoleActions(t: RoleTexts, open: (what: string, id: number) => void) {
  const remove = useRemove(role, {
    title: ([first]) => t("role.removeTitle", { name: first.name }),
    body: () => t("role.removeBody"),
  });
  return (row: RoleRow): RowAction[] => {
    const stronger = row.manageable ? null : t("role.stronger");
    const used = row.users > 0 ? t("role.used", { count: row.users }) : null;
    return [
      { key: "details", label: t("act.details"), run: () => open("details", row.roleId) },
      {
        key: "edit",
        label: t("act.edit"),
        may: "sysUserEdit",
        disabledReason: stronger,
        run: () => open("edit", row.roleId),
      },
      {
        key: "remove",
        label: t("act.remove"),
        may: "sysUserRemove",
        danger: true,
        disabledReason: stronger ?? used,
        run: () => void remove([row]),
      },
    ];
  };
}

/** Roles: what users may do, and how far they see (section 6). */
export default function RolePage() {
  const t = useRoleTexts();
  const list = useResourceList(role);
  const { opened, open, close } = useOpened();
  const actions = useRoleActions(t, open);
  const add = { label: t("role.add"), may: "sysUserAdd" as const, run: () => open("add") };
  const row = list.rows.find((one) => one.roleId === opened?.id) ?? null;
  const editing = opened?.what === "edit" && row !== null;
  return (
    <ListPage
      title={t("role.title")}
      list={list}
      rowKey="roleId"
      columns={roleColumns(t)}
      filters={[
        { key: "name", kind: "text", label: t("role.search") },
        {
          key: "roleType",
          kind: "select",
          label: t.field("roleType"),
          options: codeOptions(t, "roleType", roleTypes),
        },
        { key: "groupid", kind: EnterpriseFilter, label: t.field("groupid") },
      ]}
      add={add}
      actions={actions}
      empty={{ text: t("role.empty"), action: add }}
    >
      <RoleForm
        open={opened?.what === "add" || editing}
        row={editing ? row : null}
        onClose={close}
      />
      {opened?.what === "details" && row && <RoleDetails role={row} onClose={close} />}
    </ListPage>
  );
}
