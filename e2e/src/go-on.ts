/**
 * From screen to screen within the console that is open. Loading it again costs three times as much,
 * and is left to the tests of what is loaded.
 */
import type { Page } from "playwright-core";

/** How long no request may be under way before a screen counts as whole, and how long that may take; ms. */
const quietMs = 150;
const atMost = 6_000;

/** Requests of a page that are under way, and when the last one began or ended. */
interface Traffic {
  readonly pending: Set<object>;
  last: number;
}

const traffic = new WeakMap<Page, Traffic>();

function trafficOf(page: Page): Traffic {
  const known = traffic.get(page);
  if (known) return known;
  const made: Traffic = { pending: new Set(), last: Date.now() };
  traffic.set(page, made);
  const ended = (request: object): void => {
    if (made.pending.delete(request)) made.last = Date.now();
  };
  page.on("request", (request) => {
    // The stream of the live bus has no end.
    if (request.url().includes("/live/events")) return;
    made.pending.add(request);
    made.last = Date.now();
  });
  page.on("requestfinished", ended);
  page.on("requestfailed", ended);
  return made;
}

/** Waits until a page asks for nothing any more; what it asked before it was first waited for is unknown. */
export async function quiet(page: Page): Promise<void> {
  const seen = trafficOf(page);
  const until = Date.now() + atMost;
  seen.last = Date.now();
  while (Date.now() < until && (seen.pending.size > 0 || Date.now() - seen.last < quietMs)) {
    await page.waitForTimeout(50);
  }
}

/** Runs in the page: goes on as a link would. */
const push = (address: string): void => {
  history.pushState({}, "", address);
  dispatchEvent(new PopStateEvent("popstate"));
};

/** Runs in the page: whether the screen of the address bar is there, and no part of it waits for data. */
const isThere = (): boolean => {
  const shown = document.querySelector<HTMLElement>(".w-page[data-address]")?.dataset.address;
  if (shown === undefined) return false;
  const { pathname, search } = new URL(shown, location.href);
  return (
    pathname + search === location.pathname + location.search &&
    document.querySelector('.w-page :is(.w-bars, table[aria-busy="true"])') === null
  );
};

/** Waits until a screen in the frame of the console is the one of the address bar, with its data. */
export const arrived = (page: Page): Promise<unknown> =>
  // By default it is asked once a frame, for which the page has to render all the time.
  page.waitForFunction(isThere, undefined, { polling: 50 });

/** Goes to another screen of the console that is open, and waits until it is there. */
export async function goOn(page: Page, address: string): Promise<void> {
  trafficOf(page);
  await page.evaluate(push, address);
  await arrived(page);
}

/** Loads the console at a screen in its frame, and waits until that is there. */
export async function load(page: Page, address: string): Promise<void> {
  trafficOf(page);
  await page.goto(address);
  await arrived(page);
}

/** Opens a screen: within the console where that is open, else by loading it. */
export async function goTo(page: Page, address: string): Promise<void> {
  const isOpen = (await page.locator(".w-page[data-address]").count()) > 0;
  await (isOpen ? goOn : load)(page, address);
}
