import type { MenuNode } from "@weft/contract/kernel/menu.ts";
import { menu } from "@weft/contract/menu.ts";
import { holds } from "@weft/contract/permissions.ts";
import { sendCallsAhead } from "#client/call.ts";
import { mayOf } from "#client/menus.ts";
import type { Session } from "#client/session.tsx";
import { currentSession, onSessionStart } from "#client/session-state.ts";
import { wantedPath } from "./guard.ts";
import { landings, menuRoutes, rootPath } from "./menu-routes.ts";
import { firstCallsOf, viewOf } from "./views.ts";

/** The router, whose matching this is for paths of the menu, comes later than this is needed. */
const isAt = (path: string, pathname: string): boolean => {
  const given = pathname.split("/");
  const segments = path.split("/");
  return (
    segments.length === given.length &&
    segments.every((segment, at) =>
      segment.startsWith(":") ? given[at] !== "" : segment === given[at],
    )
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

/**
 * What the screen of a session asks for first at an address: the screen that the router will show there, as far as the
 * user may open it.
 */
export const callsAhead = (
  session: Pick<Session, "authorities" | "menus" | "mustAddFactor" | "userId">,
  pathname: string,
  search: string,
): readonly string[] => {
  if (session.mustAddFactor) return [];
  const routes = menuRoutes(session.menus);
  const landing = landings(routes);
  const target = pathname === "/login" ? wantedPath(search, "/") : `${pathname}${search}`;
  const wanted = new URL(target, "http://here.invalid");
  const path = wanted.pathname === "/" ? rootPath(session.menus) : wanted.pathname;
  if (path === null) return [];
  const shown = landing.get(path) ?? path;
  const screen = routes.find((route) => route.kind === "view" && isAt(route.path, shown));
  if (screen?.kind !== "view" || !holds(session, mayOf(screen.path))) return [];
  return firstCallsOf(screen.view)?.(wanted.searchParams) ?? [];
};

const sendFirstCalls = (session: Session): void =>
  sendCallsAhead(callsAhead(session, location.pathname, location.search));

let isSending = false;

/**
 * Sends them as soon as a session is there: beside the code of the screen and not after its first rendering. Nothing is sent
 * before the session is known, as menus and permissions decide which screen it is.
 */
export const sendWithSession = (): void => {
  if (isSending) return;
  isSending = true;
  onSessionStart(sendFirstCalls);
  const started = currentSession();
  if (started) sendFirstCalls(started);
};
