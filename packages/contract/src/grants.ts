/** What a role can give: permission codes, and entries of the menu that have no code. */
import type { Grant } from "#contract/access.ts";
import { type GrantedMenu, menu } from "#contract/menu.ts";
import {
  defaultPermissions,
  type Needed,
  type Permission,
  permissionCodes,
  permissions,
  templatePermissions,
} from "#contract/permissions.ts";
import type { MenuNode, RoleType } from "#kernel/menu.ts";
import type { Message } from "#kernel/message.ts";

const flat = (nodes: readonly MenuNode[]): MenuNode[] =>
  nodes.flatMap((node) => [node, ...flat(node.children ?? [])]);

const nodes: ReadonlyMap<string, MenuNode> = new Map(flat(menu).map((node) => [node.path, node]));

/** Entries that roles grant, in the order of the menu. */
export const grantedMenus: readonly GrantedMenu[] = [...nodes.values()]
  .filter(({ roles }) => roles !== undefined)
  .map(({ path }) => path as GrantedMenu);

/** Everything that a role can give. */
export const grantCodes: readonly Grant[] = [...permissionCodes, ...grantedMenus];

const known: ReadonlySet<string> = new Set(grantCodes);

/** Whether this release of Weft knows the code: another may have written it. */
export const isGrant = (code: string): code is Grant => known.has(code);

/** What a grant is called. An entry of the menu may be called like a permission. */
export function grantText(code: Grant): Message {
  const node = nodes.get(code);
  if (node) return [`${node.title[0]}（菜单）`, `${node.title[1]} (menu)`];
  const { zh, en } = permissions[code as keyof typeof permissions];
  return [zh, en];
}

/** What a fresh installation's role of this type gives. */
export const defaultGrants = (roleType: RoleType): Grant[] => [
  ...defaultPermissions(roleType),
  ...grantedMenus.filter((path) => nodes.get(path)?.roles?.includes(roleType)),
];

const templatesEntry: GrantedMenu = "/business-system/templatemanage";

/** What a visitor by a link for templates holds (section 2.1): their entry, and of their permissions what its issuer holds. */
export const visitorGrants = (issuer: readonly string[]): Grant[] => [
  ...issuer.filter((code): code is Permission =>
    templatePermissions.some((templatePermission) => templatePermission === code),
  ),
  templatesEntry,
];

/** The granted entry that a path is below, the nearest first; null: none. */
const entryAbove = (path: string): GrantedMenu | null => {
  const end = path.lastIndexOf("/");
  if (end <= 0) return null;
  const above = path.slice(0, end);
  return nodes.get(above)?.roles ? (above as GrantedMenu) : entryAbove(above);
};

/** What a screen of the built-in menu asks for; null: nothing. A hidden one asks for the entry that opens it. */
export function neededFor({ path, view, may, roles, within, hide }: MenuNode): Needed | null {
  if (may !== undefined) return may;
  if (roles !== undefined) return path as GrantedMenu;
  if (within !== undefined) return within;
  return hide && view !== undefined ? entryAbove(path) : null;
}

/** What the screen at a path asks for; null: nothing, or there is no such screen. */
export const neededAt = (path: string): Needed | null => {
  const node = nodes.get(path);
  return node ? neededFor(node) : null;
};
