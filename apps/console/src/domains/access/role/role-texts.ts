import type { Grant } from "@weft/contract/access.ts";
import type { role } from "@weft/contract/domains/access/role.ts";
import { grantText } from "@weft/contract/grants.ts";
import { formatMessage, type Message } from "@weft/contract/kernel/message.ts";
import type { RowOf } from "@weft/contract/kernel/resource.ts";
import { type MenuPath, menu } from "@weft/contract/menu.ts";
import { useTexts } from "#client/texts.ts";
import { roleMessages } from "./messages.ts";
import type { Family } from "./permission-families.ts";

export type RoleRow = RowOf<typeof role>;

/** Texts of this folder. */
export const useRoleTexts = () => useTexts(roleMessages);
export type RoleTexts = ReturnType<typeof useRoleTexts>;

const titles: ReadonlyMap<string, Message> = new Map(menu.map(({ path, title }) => [path, title]));

/** What a group of codes is called; a branch of the menu by its title. */
export const familyName = (family: Family, t: RoleTexts): string => {
  const title = titles.get(family);
  if (title) return t("role.branch", { name: formatMessage(title, t.language) });
  return t(`role.family.${family as Exclude<Family, MenuPath>}`);
};

export const permissionName = (code: Grant, t: RoleTexts): string =>
  formatMessage(grantText(code), t.language);
