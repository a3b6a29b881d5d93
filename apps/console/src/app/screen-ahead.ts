import type { MenuNode } from "@weft/contract/kernel/menu.ts";
import { menu } from "@weft/contract/menu.ts";
import { wantedPath } from "./guard.ts";
import { viewOf } from "./views.ts";

/** The router, whose matching this is for paths of the menu, comes later than this is needed. */
const isAt = (path: string, pathname: string): boolean => {
  const given = pathname.split("/");
  const segments = path.split("/");
  return (
    segments.length === given.length &&
    segments.every((one, at) => (one.startsWith(":") ? given[at] !== "" : one === given[at]))
  );
};

const viewAt = (nodes: readonly MenuNode[], pathname: string): string | null => {
  for (const { path, view, children = [] } of nodes) {
    if (view !== undefined && isAt(path, pathname)) return view;
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

/** Fetches the files of the screen that an address most likely shows, before the menus of the session name it. */
export const fetchScreen = async (pathname: string, search: string): Promise<void> => {
  const view = likelyView(pathname, search);
  await (view === null ? undefined : viewOf(view)?.());
};
