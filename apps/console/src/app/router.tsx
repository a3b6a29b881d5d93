import { formatMessage } from "@weft/contract/kernel/message.ts";
import { holds } from "@weft/contract/permissions.ts";
import type { ComponentType } from "react";
import {
  createBrowserRouter,
  type DataRouter,
  type LoaderFunction,
  type RouteObject,
  redirect,
  replace,
} from "react-router";
import { entrance } from "#client/entrance.ts";
import { useCurrentLanguage } from "#client/language.ts";
import { builtInScreens, mayOf } from "#client/menus.ts";
import { paths } from "#client/paths.ts";
import type { Session } from "#client/session.tsx";
import { isVisitTab } from "#client/visit.ts";
import { LoginPage } from "#domains/access/session/login.tsx";
import { Bars } from "#ui/bars.tsx";
import { loading } from "./frame.ts";
import { loginFor, opensWithoutToken, wantedPath } from "./guard.ts";
import { loadSignedIn } from "./load-shell.ts";
import { loadView } from "./load-view.ts";
import { landings, menuRoutes, opensNothing, rootPath } from "./menu-routes.ts";
import { Starting } from "./starting.tsx";
import { BrokenPage, ForbiddenPage, NoMenusPage, NotFoundPage } from "./state-pages.tsx";
import { kernelView, viewOf } from "./views.ts";

/** Inside of the shell, while the code of its first screen is on its way: what the frame shows in this place. */
function Opening() {
  return (
    <div className="w-opening" aria-busy="true">
      <p className="w-frame-title">{formatMessage(loading, useCurrentLanguage())}</p>
      <div className="w-card w-loading">
        <Bars count={10} />
      </div>
    </div>
  );
}

/** Fetched when the user goes there; a failed fetch is shown in its place. */
const lazily = (
  load: Parameters<typeof loadView>[0],
  HydrateFallback: ComponentType = Starting,
): Partial<RouteObject> => ({
  lazy: async () => ({ Component: (await loadView(load)).default }),
  HydrateFallback,
  ErrorBoundary: BrokenPage,
});

/** Pages about what went wrong; they need no token. */
const exceptions = ["Exception403", "Exception404", "Exception500"].map((view) => ({
  path: `/exception/${view.slice(-3)}`,
  view,
}));

const forget = () => import("#domains/access/session/forget.tsx");
const visitor = () => import("./visitor-page.tsx").then((page) => ({ default: page.VisitorPage }));
const signedIn = () => loadSignedIn().then((SignedIn) => ({ default: SignedIn }));
const appearance = () => import("./appearance.tsx").then((page) => ({ default: page.Appearance }));

/**
 * Leads on to a screen. An address that the browser shows already (typed, or come back to) gives its
 * place in the history away, else Back would lead to what leads on again. It leads to a screen and
 * never to what leads on itself: the router forgets between two steps which place it took.
 */
const leadOn = (request: Request, to: string): Response => {
  const { pathname, search } = new URL(request.url);
  const isShown = pathname + search === window.location.pathname + window.location.search;
  return isShown ? replace(to) : redirect(to);
};

/** Without a session: the whitelist; everything else leads to the login. */
const publicRoutes = (): RouteObject[] => [
  { path: "/login", Component: LoginPage, ErrorBoundary: BrokenPage },
  { path: "/forget", ...lazily(forget) },
  { path: entrance.templates, ...lazily(visitor) },
  ...exceptions.flatMap(({ path, view }): RouteObject[] => {
    const load = viewOf(view);
    return load ? [{ path, ...lazily(load) } as RouteObject] : [];
  }),
  {
    path: "*",
    HydrateFallback: Starting,
    loader: ({ request }) => {
      const { pathname, search } = new URL(request.url);
      // `/login/` and the like: the router takes them for the page, the whitelist does not.
      if (opensWithoutToken(pathname)) return null;
      // Who came by a link wanted no other page.
      return leadOn(request, isVisitTab() ? entrance.login : loginFor(pathname, search));
    },
  },
];

type Screen = Readonly<{ path: string; view: string }>;

/** The screen of a menu entry: not there, not allowed, or fetched when it is opened. */
const screenOf = (
  session: Session,
  { path, view }: Screen,
  HydrateFallback: ComponentType,
): RouteObject => {
  const load = viewOf(view);
  if (!load) {
    console.warn(`menu ${path} names a view that is not here: ${view}`);
    return { path, Component: NotFoundPage };
  }
  const may = mayOf(path);
  if (!holds(session, may)) return { path, element: <ForbiddenPage may={may} /> };
  return { path, ...lazily(load, HydrateFallback) } as RouteObject;
};

/** Screens that the menus leave out because the user may not open them: their addresses say so. */
const forbiddenRoutes = (session: Session, shown: readonly Screen[]): RouteObject[] => {
  const there = new Set(shown.map(({ path }) => path));
  return builtInScreens
    .filter((path) => !there.has(path) && !holds(session, mayOf(path)))
    .map((path) => ({ path, element: <ForbiddenPage may={mayOf(path)} /> }));
};

/** Screens that fill the window: no header, menu or tabs around them. */
const isBare = ({ path }: Screen): boolean => path === paths.screen();

/** Leads on with the query: the tabs of a report are about the same `id`. */
const leadTo =
  (path: string): LoaderFunction =>
  ({ request }) =>
    leadOn(request, `${path}${new URL(request.url).search}`);

/** The shell. With its code it is rendered while that of the screen inside of it is on its way. */
const shellRoute = (Shell: ComponentType | null): Partial<RouteObject> =>
  Shell === null
    ? lazily(signedIn)
    : { Component: Shell, HydrateFallback: Starting, ErrorBoundary: BrokenPage };

/** With a session: the menus of the server, inside of the shell. */
const sessionRoutes = (session: Session, Shell: ComponentType | null): RouteObject[] => {
  const routes = menuRoutes(session.menus);
  const screens = routes.filter((route) => route.kind === "view");
  const inShell = screens.filter((screen) => !isBare(screen));
  const landing = landings(routes);
  // An empty list of messages would say nothing to a person without a role.
  const root = opensNothing(session) ? null : rootPath(session.menus);
  const home = root === null ? null : (landing.get(root) ?? root);
  const wanted = (search: string): string => {
    const path = wantedPath(search, home ?? "/");
    const { pathname, search: query } = new URL(path, "http://here.invalid");
    return `${pathname === "/" ? (home ?? "/") : (landing.get(pathname) ?? pathname)}${query}`;
  };
  return [
    {
      path: "/login",
      loader: ({ request }) => leadOn(request, wanted(new URL(request.url).search)),
      HydrateFallback: Starting,
    },
    { path: "/forget", ...lazily(forget) },
    {
      ...lazily(appearance),
      children: screens.filter(isBare).map((screen) => screenOf(session, screen, Starting)),
    },
    {
      ...shellRoute(Shell),
      children: [
        home === null
          ? { path: "/", element: <NoMenusPage roles={session.roles} /> }
          : { path: "/", loader: ({ request }) => leadOn(request, home) },
        ...inShell.map((screen) => screenOf(session, screen, Opening)),
        ...forbiddenRoutes(session, screens),
        ...[...landing].map(([path, to]): RouteObject => ({ path, loader: leadTo(to) })),
        { path: "/dev/kernel", ...lazily(kernelView, Opening) } as RouteObject,
        { path: "*", Component: NotFoundPage },
      ],
    },
  ] as RouteObject[];
};

/**
 * A router over the address bar; recreated when a session starts, ends or gets other menus.
 * @param Shell what a session's screens are inside of; null: its code is not there, and the router asks for it
 */
export const createRouter = (session: Session | null, Shell: ComponentType | null): DataRouter =>
  createBrowserRouter(session === null ? publicRoutes() : sessionRoutes(session, Shell));
