import type { MenuNode } from "@weft/contract/kernel/menu.ts";
import { menu } from "@weft/contract/menu.ts";
import { matchPath } from "react-router";
import { wantedPath } from "./guard.ts";

const viewAt = (nodes: readonly MenuNode[], pathname: string): string | null => {
  for (const { path, view, children = [] } of nodes) {
    if (view !== undefined && matchPath(path, pathname)) return view;
    const below = viewAt(children, pathname);
    if (below !== null) return below;
  }
  return null;
};

/**
 * The view that an address most likely shows: the one of the built-in menus, which the server's menus may change. At the
 * login it is that of the page that was wanted.
 */
export const likelyView = (pathname: string, search: string): string | null => {
  const wanted = pathname === "/login" ? wantedPath(search, "/") : pathname;
  return viewAt(menu, wanted.split("?", 1)[0] ?? wanted);
};
