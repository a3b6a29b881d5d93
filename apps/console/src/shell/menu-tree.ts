import type { ServerMenuNode } from "@weft/contract/domains/access/session.ts";
import type { Language, Message } from "@weft/contract/kernel/message.ts";
import { matchPath } from "react-router";
import { paths } from "#client/paths.ts";

/** What a menu node is called. */
export const titleOf = (node: ServerMenuNode, language: Language): string =>
  language === "zh_cn" ? node.menuName : node.menuNameEn || node.menuName;

const rootChild = (menuId: number, path: string, [zh, en]: Message): ServerMenuNode => ({
  menuId,
  parentId: 0,
  menuName: zh,
  menuNameEn: en,
  icon: "person",
  path,
  url: "",
  hide: false,
  children: [],
});

/** Children of the root route that every user has: the menu of a user who was given none. */
const rootChildren: readonly ServerMenuNode[] = [
  rootChild(-1, paths.userInfo(), ["个人信息", "My profile"]),
  rootChild(-2, paths.userMessage(), ["消息通知", "Notices"]),
];

/** The menus to render (section 2.5): the user's, or the root route's children. */
export const shownMenus = (menus: readonly ServerMenuNode[]): readonly ServerMenuNode[] =>
  menus.some((node) => !node.hide) ? menus : rootChildren;

/** All nodes, parents first. */
const flatten = (nodes: readonly ServerMenuNode[]): ServerMenuNode[] =>
  nodes.flatMap((node) => [node, ...flatten(node.children)]);

/** Nodes that match an address: an exact one comes before one with a parameter. */
const matching = (nodes: readonly ServerMenuNode[], pathname: string): ServerMenuNode[] => {
  const named = nodes.filter(({ path }) => path === pathname);
  return named.length > 0 ? named : nodes.filter(({ path }) => matchPath(path, pathname) !== null);
};

/** The node whose screen an address shows; null: none. */
export const nodeAt = (
  nodes: readonly ServerMenuNode[],
  pathname: string,
): ServerMenuNode | null => {
  const withScreen = flatten(nodes).filter(({ url }) => url !== "");
  return matching(withScreen, pathname)[0] ?? null;
};

const isAbove = (path: string, pathname: string): boolean =>
  pathname === path || pathname.startsWith(`${path}/`);

/** Nodes on the way to an address, the outermost first, by path. */
export const wayTo = (nodes: readonly ServerMenuNode[], pathname: string): ServerMenuNode[] => {
  const all = flatten(nodes);
  const here = new Set(matching(all, pathname));
  return all
    .filter((node) => isAbove(node.path, pathname) || here.has(node))
    .sort((a, b) => a.path.length - b.path.length);
};

/** The way as the breadcrumb shows it: what has a title and does not ask to be left out. */
export const crumbsOf = (nodes: readonly ServerMenuNode[], pathname: string): ServerMenuNode[] =>
  wayTo(nodes, pathname).filter(
    ({ menuName, menuNameEn, breadcrumb }) => breadcrumb !== false && menuName + menuNameEn !== "",
  );

/** The first-level entry under which an address is; null: none. */
export const firstLevelAt = (
  nodes: readonly ServerMenuNode[],
  pathname: string,
): ServerMenuNode | null =>
  nodes.find((node) => !node.hide && wayTo([node], pathname).length > 0) ?? null;

/** The visible entry that is marked in the menu while an address is shown. */
export const markedAt = (nodes: readonly ServerMenuNode[], pathname: string): string | null =>
  wayTo(nodes, pathname).findLast((node) => !node.hide && node.children.every(({ hide }) => hide))
    ?.path ?? null;
