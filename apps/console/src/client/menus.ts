import type { ServerMenuNode } from "@weft/contract/domains/access/session.ts";
import { neededAt } from "@weft/contract/grants.ts";
import type { MenuNode } from "@weft/contract/kernel/menu.ts";
import { menu } from "@weft/contract/menu.ts";
import type { Needed } from "@weft/contract/permissions.ts";
import { treeOf } from "./tree.ts";

/** Entries that lead out of the console open in a new window and are no routes (section 2.2). */
export const isExternal = (path: string): boolean => /^(?:https?:|\/\/)/i.test(path);

/** An address inside of this console. Browsers read `/\` as `//`, which leads outside. */
const isInside = (path: string): boolean => /^\/(?![/\\])/.test(path) || path === "";

const isUsable = (path: string): boolean => isInside(path) || isExternal(path);

/** Nodes of all levels as rows; a node below another names it as its parent, whatever it named itself. */
const rowsOf = (nodes: readonly ServerMenuNode[], parentId: number | null): ServerMenuNode[] =>
  nodes.flatMap((node) => [
    { ...node, parentId: parentId ?? node.parentId, children: [] },
    ...rowsOf(node.children, node.menuId),
  ]);

/**
 * The menus as a tree, whether the server sent them flat or nested. Entries with an address
 * that is neither of this console nor of the web (`javascript:`) are left out with all below them.
 */
export const menuTree = (nodes: readonly ServerMenuNode[]): ServerMenuNode[] => {
  const clean = (some: readonly ServerMenuNode[]): ServerMenuNode[] =>
    some
      .filter((node) => isUsable(node.path))
      .map((node) => ({ ...node, children: clean(node.children) }));
  const rows = rowsOf(nodes, null);
  return clean(treeOf(rows, { id: (row) => row.menuId, parent: (row) => row.parentId }));
};

const hiddenIn = (nodes: readonly MenuNode[]): MenuNode[] =>
  nodes.flatMap((node) => (node.hide ? [node] : hiddenIn(node.children ?? [])));

const asServed = ({ path, title, view, children = [] }: MenuNode): ServerMenuNode => ({
  // They have no entry of their own: nothing asks for their id.
  menuId: 0,
  parentId: 0,
  icon: "",
  hide: true,
  path,
  url: view ?? "",
  menuName: title[0],
  menuNameEn: title[1],
  children: children.map(asServed),
});

const pathsOf = (nodes: readonly ServerMenuNode[]): string[] =>
  nodes.flatMap((node) => [node.path, ...pathsOf(node.children)]);

/** Appends the hidden routes that the server did not send itself (section 2.4). */
export const withHiddenRoutes = (nodes: readonly ServerMenuNode[]): ServerMenuNode[] => {
  const sent = new Set(pathsOf(nodes));
  const missing = (some: readonly ServerMenuNode[]): ServerMenuNode[] =>
    some.flatMap((node) =>
      sent.has(node.path)
        ? missing(node.children)
        : [{ ...node, children: missing(node.children) }],
    );
  return [...nodes, ...missing(hiddenIn(menu).map(asServed))];
};

const searchedIn = (nodes: readonly MenuNode[]): string[] =>
  nodes.flatMap((node) => [
    ...(node.isSearched ? [node.path] : []),
    ...searchedIn(node.children ?? []),
  ]);
const searched: ReadonlySet<string> = new Set(searchedIn(menu));

/** Whether a screen that no menu shows is found by searching for it. */
export const isSearched = (path: string): boolean => searched.has(path);

const screensIn = (nodes: readonly MenuNode[]): string[] =>
  nodes.flatMap((node) => [
    ...(node.view === undefined ? [] : [node.path]),
    ...screensIn(node.children ?? []),
  ]);

/** Paths of all screens of the built-in menu. */
export const builtInScreens: readonly string[] = screensIn(menu);

/** What a screen asks for beyond being in the menus; null: nothing. */
export const mayOf = (path: string): Needed | null => neededAt(path);
