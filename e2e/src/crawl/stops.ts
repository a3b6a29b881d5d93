/** What the crawl opens: every route of the specification, and how each is displayed. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "@weft/lab/world.ts";
import type { Display } from "#e2e/browser.ts";
import { type RoleName, roleNames } from "./crawlers.ts";

/** A route of spec/routes.json, as far as the crawl needs it. */
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
  readonly display: Display;
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

/** Fills the window, without the frame of the console: what comes before or after it is loaded again. */
export const isBare = ({ path }: Route): boolean => path === "/screen" || path === "/forget";

const framedFirst = (some: readonly Route[]): readonly Route[] =>
  some.toSorted((a, b) => Number(isBare(a)) - Number(isBare(b)));

const heights = { 390: 844, 1024: 768, 1440: 900, 1920: 1_080 } as const;
type Width = keyof typeof heights;

const displayOf = (language: Display["language"], dark: boolean, width: Width): Display => ({
  language,
  dark,
  width,
  height: heights[width],
});

const displaysOfAdmin = [
  displayOf("zh_cn", false, 1440),
  displayOf("en_gb", true, 390),
  displayOf("en_gb", false, 390),
  displayOf("zh_cn", true, 1440),
];

/** Routes by the first administrator, those of one display in a row: nothing is loaded twice. */
const byAdmin = (takes: (at: number, turn: number) => boolean): readonly Stop[] =>
  displaysOfAdmin.flatMap((display, turn) =>
    framedFirst(routes.filter((_, at) => takes(at, turn))).map(
      (route): Stop => ({ route, role: "admin", display }),
    ),
  );

/** Each route once; the displays take turns. */
export const adminStops = byAdmin((at, turn) => at % displaysOfAdmin.length === turn);

/** Each route in each display. */
export const adminStopsFull = byAdmin(() => true);

const widths = [390, 1_024, 1_920] as const;

/** Languages, modes and widths in twelve mixtures, of which each of the others has three. */
const displaysOfOthers = roleNames
  .filter((role) => role !== "admin")
  .map((role, at) => ({
    role,
    displays: widths.map((width, turn) =>
      displayOf(
        (at + turn) % 2 === 0 ? "zh_cn" : "en_gb",
        (Math.floor(at / 2) + turn) % 2 === 1,
        width,
      ),
    ),
  }));

/** Each route once by one of the others; the roles and their displays take turns. */
export const othersStops: readonly Stop[] = displaysOfOthers.flatMap(({ role, displays }, who) =>
  displays.flatMap((display, turn) =>
    framedFirst(
      routes.filter(
        (_, at) =>
          at % displaysOfOthers.length === who &&
          Math.floor(at / displaysOfOthers.length) % displays.length === turn,
      ),
    ).map((route): Stop => ({ route, role, display })),
  ),
);

/** Each route by each role, with values that go round. */
export const fullStops: readonly Stop[] = routes.flatMap((route, at) =>
  roleNames.map((role, who): Stop => {
    const turn = at + who;
    const language = turn % 2 === 0 ? "zh_cn" : "en_gb";
    return { route, role, display: displayOf(language, turn % 4 > 1, widths[turn % 3] ?? 390) };
  }),
);

/** One line of what is looked at how, for titles and names of files. */
export const namedAs = ({ role, display }: Stop): string =>
  [role, display.language, display.dark ? "dark" : "light", display.width].join("-");
