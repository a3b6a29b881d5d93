import { enterpriseColumn } from "#domains/enterprises/parts/enterprise/of-enterprise.tsx";
import { type Column, nameColumn, textColumn, timeColumn } from "#kernel/list/columns.tsx";
import { enableColumn } from "#parts/enable-column.tsx";
import type { UserRow, UserTexts } from "./user-texts.ts";

/** Columns of the list of users. */
export const userColumns = (t: UserTexts): Column<UserRow>[] => [
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
