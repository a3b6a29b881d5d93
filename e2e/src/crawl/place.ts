/** Where a screen is: in the menu, on the way to it, and in the tabs. */

import type { Crawler } from "./crawlers.ts";
import type { Route, Stop } from "./stops.ts";

interface Place {
  readonly path: string;
  /** Steps of the way to the screen, without the home icon. */
  readonly steps: number;
  readonly tab: string | null;
  readonly heading: string | null;
  /** Entries of the menu that are marked as open. */
  readonly marked: number;
  /** Entries of the menu that lead to the route. */
  readonly entries: number;
  /** A page in the screen's place: refused, not found, broken. */
  readonly isState: boolean;
}

/** Runs in the page. */
const read = (path: string): Place => {
  const all = (selector: string) => document.querySelectorAll(selector);
  const text = (selector: string) => document.querySelector(selector)?.textContent ?? null;
  return {
    path: location.pathname,
    steps: all(".w-breadcrumb > span").length,
    tab: text('.w-tab-box[data-active] [aria-current="page"]'),
    heading: text(".w-content h1"),
    marked: all("aside nav .ant-menu-item-selected").length,
    entries: all(`aside nav a[href="${path}"]`).length,
    isState: all(".w-state-code").length > 0,
  };
};

/** What everything below the CPEs is titled in the tabs (section 2.5). */
const cpes: readonly (string | null)[] = ["CPE管理", "CPE management"];

/** Faults of the place of a route that the administrator sees in the frame, with a menu beside it. */
function faultsOfPlace(route: Route, place: Place, title: string | undefined): string[] {
  const { path, steps, tab, heading, marked } = place;
  const wanted = route.path === "/" ? "/dashboard/workplace" : route.redirectTo;
  // The page of one site or POP is called by its name.
  const isNamed = tab !== null && tab === heading;
  const isCpe = route.path.includes("/sdwan-system/cpe");
  return [
    ...(wanted && path !== wanted ? [`leads to ${path}, not ${wanted}`] : []),
    ...(steps > 0 ? [] : ["has no place in the menus"]),
    ...(tab ? [] : ["has no tab"]),
    ...(isCpe && !tab?.startsWith("CPE") && !isNamed ? [`is titled ${tab} below the CPEs`] : []),
    ...(route.inMenu && marked !== 1 ? [`${marked} entries of the menu are marked`] : []),
    ...(heading ? [] : ["has no heading"]),
    ...(title && tab !== title && !cpes.includes(tab) && !isNamed
      ? [`is titled ${tab}, not ${title}`]
      : []),
  ];
}

/** What is wrong with the place of the screen that is open, and with whom it is shown to. */
export async function misplaced(stop: Stop, crawler: Crawler): Promise<string[]> {
  const { route, role, display } = stop;
  const place = await crawler.page.evaluate(read, route.path);
  const wantsState = route.view?.startsWith("Exception") || !crawler.maySee(route.path);
  const isPlaced =
    role === "admin" &&
    route.layout === "shell" &&
    route.path !== "/blank" &&
    display.width > 1_024;
  return [
    ...(route.hidden && place.entries > 0 ? ["has an entry in the menu"] : []),
    ...(place.isState === wantsState
      ? []
      : [place.isState ? "is refused" : "is shown without permission"]),
    ...(isPlaced ? faultsOfPlace(route, place, crawler.titleOf(place.path, display.language)) : []),
  ];
}
