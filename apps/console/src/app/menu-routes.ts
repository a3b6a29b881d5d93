import type { ServerMenuNode } from "@weft/contract/domains/access/session.ts";
import type { MenuNode } from "@weft/contract/kernel/menu.ts";
import { menu } from "@weft/contract/menu.ts";
import { isExternal, mayOf } from "#client/menus.ts";
import type { Session } from "#client/session.tsx";
import { startConfig } from "#client/start-config.ts";

/** A screen of the menu, as the router needs it. */
export type MenuRoute =
  | { readonly kind: "view"; readonly path: string; readonly view: string }
  | { readonly kind: "redirect"; readonly path: string; readonly to: string };

/** User 1 holds everything (specification section 6). */
const firstUser = 1;

const builtInPaths: ReadonlySet<string> = (() => {
  const pathsOf = (nodes: readonly MenuNode[]): string[] =>
    nodes.flatMap((node) => [node.path, ...pathsOf(node.children ?? [])]);
  return new Set(pathsOf(menu));
})();
const isBuiltIn = (path: string): boolean => builtInPaths.has(path);

/** Where a group opens, when the built-in tree says another child than the first. */
const builtInRedirects: ReadonlyMap<string, string> = (() => {
  const redirects = new Map<string, string>();
  const visit = (nodes: readonly MenuNode[]): void => {
    for (const node of nodes) {
      if (node.redirect) redirects.set(node.path, node.redirect);
      visit(node.children ?? []);
    }
  };
  visit(menu);
  return redirects;
})();

/** Whether an address can be opened from the menu: inside the console, without a value to fill in. */
const isAddress = ({ path }: ServerMenuNode): boolean => !isExternal(path) && !path.includes(":");

const leadsToScreen = (node: ServerMenuNode): boolean =>
  isAddress(node) && (node.url !== "" || openingChild(node) !== null);

/**
 * Child that a group opens with, hidden ones only when there is no other; null: none has a screen.
 */
const openingChild = (node: ServerMenuNode): ServerMenuNode | null => {
  const children = node.children.filter(leadsToScreen);
  const shown = children.filter((child) => node.hide || !child.hide);
  const wanted = builtInRedirects.get(node.path);
  return shown.find((child) => child.path === wanted) ?? shown[0] ?? children[0] ?? null;
};

/** Screen on which a group opens in the end; null: it has none. */
const screenOf = (node: ServerMenuNode): string | null => {
  if (node.url !== "" && node.path !== "") return node.path;
  const child = openingChild(node);
  return child && screenOf(child);
};

/**
 * Routes of the server's menus. A node with a view is a screen; a group without one leads to its
 * child. Paths are absolute, so nesting says nothing about how screens contain each other.
 */
export const menuRoutes = (nodes: readonly ServerMenuNode[]): MenuRoute[] =>
  nodes.flatMap((node): MenuRoute[] => {
    if (isExternal(node.path)) return [];
    // A group that is no place of its own.
    if (node.path === "") return menuRoutes(node.children);
    const below = menuRoutes(node.children);
    if (node.url !== "") return [{ kind: "view", path: node.path, view: node.url }, ...below];
    const child = openingChild(node);
    return child ? [{ kind: "redirect", path: node.path, to: child.path }, ...below] : below;
  });

/** Where groups lead in the end, by path: one whose first child is a group leads on to its screen. */
export const landings = (routes: readonly MenuRoute[]): ReadonlyMap<string, string> => {
  const next = new Map(
    routes.flatMap((route) => (route.kind === "redirect" ? [[route.path, route.to] as const] : [])),
  );
  const landing = (path: string, passed: readonly string[]): string => {
    const to = next.get(path);
    return to === undefined || passed.includes(to) ? path : landing(to, [...passed, to]);
  };
  return new Map([...next.keys()].map((path) => [path, landing(path, [path])]));
};

/** The first screen of the menus, which the root path leads to; null: the person has none. */
export const homePath = (nodes: readonly ServerMenuNode[]): string | null => {
  for (const node of nodes) {
    if (node.hide || !isAddress(node)) continue;
    const home = screenOf(node);
    if (home !== null) return home;
  }
  return null;
};

/**
 * Nothing but what every session may open: a person without a role, or whose roles give nothing. Menus of another server
 * say by themselves what there is.
 */
export const opensNothing = ({
  userId,
  authorities,
  menus,
}: Pick<Session, "userId" | "authorities" | "menus">): boolean =>
  userId !== firstUser &&
  authorities.length === 0 &&
  shownPaths(menus).every((path) => isBuiltIn(path) && mayOf(path) === null);

const shownPaths = (nodes: readonly ServerMenuNode[]): string[] =>
  nodes.flatMap((node) => (node.hide ? [] : [node.path, ...shownPaths(node.children)]));

/** Where the root leads: what the site configured, else the first screen; null: there is none. */
export const rootPath = (nodes: readonly ServerMenuNode[]): string | null => {
  const { homePath: configured } = startConfig();
  const isThere = menuRoutes(nodes).some(({ path }) => path === configured);
  return isThere ? configured : homePath(nodes);
};
