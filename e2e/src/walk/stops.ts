/** What the walk opens: every route of the specification, and how each is looked at. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "@weft/lab/world.ts";
import type { Look } from "#e2e/browser.ts";
import { type RoleName, roleNames } from "./walkers.ts";

/** A route of spec/routes.json, as far as the walk needs it. */
export interface Route {
  readonly id: string;
  readonly path: string;
  readonly layout: string;
  readonly view: string | null;
  readonly redirectTo: string | null;
  readonly origin: string;
  readonly inMenu: boolean;
  readonly hidden: boolean;
}

/** One page: a route, opened as a user who sees it in some way. */
export interface Stop {
  readonly route: Route;
  readonly role: RoleName;
  readonly look: Look;
}

/** A static file that the browser saves: no page of the console. */
const isPage = ({ path }: Route): boolean => path.startsWith("/");

const listed = readFileSync(join(root, "packages/contract/spec/routes.json"), "utf8");

export const routes: readonly Route[] = (JSON.parse(listed) as { routes: Route[] }).routes.filter(
  isPage,
);

/** Entries of the built-in tree that have a screen (section 2.3). */
export const leaves: readonly Route[] = routes.filter(({ inMenu, view }) => inMenu && view);

/** The further views of section 2.4, of which the specification names no path. */
export const furtherViews: readonly Route[] = routes.filter(
  ({ origin }) => origin === "viewFamily",
);

const widths = [390, 1_024, 1_920] as const;
const heights: Readonly<Record<(typeof widths)[number], number>> = {
  390: 844,
  1024: 768,
  1920: 1_080,
};

/** The values of a turn: of each list another one, so that 60 turns bring every mixture. */
function stopAt(route: Route, turn: number): Stop {
  const width = widths[turn % 3] ?? 390;
  return {
    route,
    role: roleNames[turn % roleNames.length] ?? "admin",
    look: {
      language: turn % 2 === 0 ? "zh_cn" : "en_gb",
      dark: turn % 4 > 1,
      width,
      height: heights[width],
    },
  };
}

/** Each route once, with values that go round. */
export const shortWalk: readonly Stop[] = routes.map((route, at) => stopAt(route, at));

/** Each route by each role, and so in each language, mode and width as well. */
export const fullWalk: readonly Stop[] = routes.flatMap((route, at) =>
  roleNames.map((_, turn) => stopAt(route, at + turn)),
);

/** One line of the values of a stop, for titles and names of files. */
export const namedAs = ({ role, look }: Stop): string =>
  [role, look.language, look.dark ? "dark" : "light", look.width].join("-");
