import { dataScope } from "@weft/contract/domains/access/enums.ts";
import {
  type Column,
  nameColumn,
  numberColumn,
  textColumn,
  timeColumn,
} from "#kernel/list/columns.tsx";
import type { RoleRow, RoleTexts } from "./role-texts.ts";

/** How far a role sees; for selected enterprises, how many. */
export const scopeText = (row: RoleRow, t: RoleTexts): string => {
  const label = t.code("dataScope", row.dataScope);
  if (row.dataScope !== dataScope.custom) return label;
  return `${label} (${t("role.enterprises", { count: row.groupids.length })})`;
};

/** Columns of the list of roles. */
export const roleColumns = (t: RoleTexts): Column<RoleRow>[] => [
  nameColumn("name", t.field("name"), (row: RoleRow) => ({ text: row.name, note: row.roleCode }), {
    sort: true,
  }),
  textColumn("enterpriseName", t.field("enterpriseName"), (row: RoleRow) => row.enterpriseName, {
    width: 160,
  }),
  textColumn("roleType", t.field("roleType"), (row: RoleRow) => t.code("roleType", row.roleType), {
    width: 112,
  }),
  textColumn("dataScope", t.field("dataScope"), (row: RoleRow) => scopeText(row, t), {
    width: 240,
  }),
  numberColumn("authorities", t("role.permissions"), (row: RoleRow) => row.authorities.length),
  numberColumn("users", t.field("users"), (row: RoleRow) => row.users),
  textColumn("remark", t.field("remark"), (row: RoleRow) => row.remark || null, { optional: true }),
  timeColumn("createTime", t.field("createTime"), (row: RoleRow) => row.createTime, {
    sort: true,
    optional: true,
  }),
];
