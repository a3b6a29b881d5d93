import type { role } from "@weft/contract/domains/access/role.ts";
import { formatMessage } from "@weft/contract/kernel/message.ts";
import type { RowOf } from "@weft/contract/kernel/resource.ts";
import { type Permission, permissions } from "@weft/contract/permissions.ts";
import { useTexts } from "#client/texts.ts";
import { roleMessages } from "./messages.ts";
import type { Family } from "./permission-families.ts";

export type RoleRow = RowOf<typeof role>;

/** Texts of this folder. */
export const useRoleTexts = () => useTexts(roleMessages);
export type RoleTexts = ReturnType<typeof useRoleTexts>;

export const familyName = (family: Family, t: RoleTexts): string => t(`role.family.${family}`);

export const permissionName = (code: Permission, t: RoleTexts): string => {
  const { zh, en } = permissions[code];
  return formatMessage([zh, en], t.language);
};
