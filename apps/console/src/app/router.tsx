import type { ServerMenuNode } from "@weft/contract/calls/session.ts";
import { createBrowserRouter, type DataRouter, type RouteObject, redirect } from "react-router";
import { homePath, menuRoutes } from "./menu-routes.ts";
import { BrokenPage, NoMenusPage, NotFoundPage } from "./state-pages.tsx";
import { viewOf } from "./views.ts";
import { Waiting } from "./waiting.tsx";

const loginRoute = (): RouteObject => ({
  path: "/login",
  lazy: async () => ({
    Component: (await import("#features/session/login.tsx")).default,
  }),
  HydrateFallback: Waiting,
  ErrorBoundary: BrokenPage,
});

const forgetRoute = (): RouteObject => ({
  path: "/forget",
  lazy: async () => ({ Component: (await import("#features/session/forget.tsx")).default }),
  HydrateFallback: Waiting,
  ErrorBoundary: BrokenPage,
});

/** The page somebody wanted before the log-in; only paths of this console. */
const wantedPath = (url: string, home: string): string => {
  const here = new URL(url);
  const from = here.searchParams.get("from") ?? "";
  // Browsers read `/\\host` as another site: what they would make of it decides, not its text.
  const to = URL.canParse(from, here) ? new URL(from, here) : null;
  const isOurs = from.startsWith("/") && to?.origin === here.origin;
  return isOurs && !to.pathname.startsWith("/login") ? `${to.pathname}${to.search}` : home;
};

/** Without a session: only the log-in; everything else leads there and remembers what was wanted. */
const publicRoutes = (): RouteObject[] => [
  loginRoute(),
  forgetRoute(),
  {
    path: "*",
    HydrateFallback: Waiting,
    loader: ({ request }) => {
      const { pathname, search } = new URL(request.url);
      const from = pathname === "/" ? "" : `?from=${encodeURIComponent(pathname + search)}`;
      return redirect(`/login${from}`);
    },
  },
];

/** A word that this console does not know becomes the page "not there", and a warning. */
const screenOf = (path: string, view: string): RouteObject => {
  const load = viewOf(view);
  if (!load) {
    console.warn(`menu ${path} names a view that is not here: ${view}`);
    return { path, Component: NotFoundPage };
  }
  return {
    path,
    lazy: async () => ({ Component: (await load()).default }),
    ErrorBoundary: BrokenPage,
  };
};

/** With a session: the menus of the server, inside of the shell. */
const sessionRoutes = (menus: readonly ServerMenuNode[]): RouteObject[] => {
  const home = homePath(menus);
  const screens = menuRoutes(menus).map(
    (route): RouteObject =>
      route.kind === "view"
        ? screenOf(route.path, route.view)
        : { path: route.path, loader: () => redirect(route.to) },
  );
  return [
    {
      path: "/login",
      loader: ({ request }) => redirect(wantedPath(request.url, home ?? "/")),
      HydrateFallback: Waiting,
    },
    forgetRoute(),
    {
      lazy: async () => ({ Component: (await import("./signed-in.tsx")).SignedIn }),
      HydrateFallback: Waiting,
      ErrorBoundary: BrokenPage,
      children: [
        home === null
          ? { path: "/", Component: NoMenusPage }
          : { path: "/", loader: () => redirect(home) },
        ...screens,
        { path: "*", Component: NotFoundPage },
      ],
    },
  ];
};

/** A router over the address bar; made anew when a session begins, ends or gets other menus. */
export const createRouter = (menus: readonly ServerMenuNode[] | null): DataRouter =>
  createBrowserRouter(menus === null ? publicRoutes() : sessionRoutes(menus));
