/**
 * A crawl of every route in a real browser. Each is opened once, within the console that is
 * open, for everything that is proven of all of them: by the first administrator, with axe-core, and by one of
 * the other roles, with pictures in build/crawl; their displays take turns. `npm run crawl:full` opens each in all
 * displays of the administrator, and loads it again for each role.
 */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { root } from "@weft/lab/world.ts";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { settled } from "#test/settled.ts";
import { violationsOf } from "./axe-scan.ts";
import { type Display, launchBrowser, visit } from "./browser.ts";
import { type Crawler, crawlersOf, type RoleName } from "./crawl/crawlers.ts";
import { misplaced } from "./crawl/place.ts";
import { faultsOf } from "./crawl/screen-faults.ts";
import { countShiftsAnew } from "./crawl/shifts.ts";
import {
  adminStops,
  adminStopsFull,
  fullStops,
  furtherViews,
  isBare,
  leaves,
  namedAs,
  othersStops,
  type Route,
  routes,
  type Stop,
} from "./crawl/stops.ts";
import { goOn, load, quiet } from "./go-on.ts";
import { type Installation, startDemonstration } from "./installation.ts";

const isWhole = process.env.WEFT_CRAWL === "full";
const pictures = join(root, "build/crawl");

let installation: Installation;
let browser: Browser;
let crawlers: Readonly<Record<RoleName, Crawler>>;
beforeAll(async () => {
  mkdirSync(pictures, { recursive: true });
  [installation, browser] = await Promise.all([startDemonstration(), launchBrowser()]);
  crawlers = await crawlersOf(browser, installation);
  await settled(installation);
}, 240_000);
afterAll(async () => {
  await browser?.close();
  await installation?.close();
}, 60_000);

/** What the crawl proves of a route beside that it opens. */
const proofs: Readonly<Record<string, string>> = {
  "route.sdwan-system": "B-2.3-02, ",
  "route.business-system": "B-2.3-03, ",
  "route.devopsmonitor": "B-2.3-04, ",
  "route.sdwan-system.mobileTerminal": "B-2.3-05, ",
  "route.business-system.overlay": "B-2.3-06, ",
  "route.business-system.vbrNode.vbrNode": "B-2.3-07, ",
  "route.devopsmonitor.logs": "B-2.3-08, ",
  "route.system.recordmanage": "B-2.3-09, ",
  "route.sdwan-system.cpe.cpeSet.id": "B-2.4-01, ",
  "route.sdwan-system.pop.popSet.id": "B-2.4-09, ",
};
const titled = (stop: Stop) =>
  [proofs[stop.route.id] ?? "", stop.route.id, namedAs(stop), stop] as const;

/** The display in which the console is open on the page of a role; none: it has to be loaded. */
const openIn = new Map<RoleName, Display>();

/** Opens a stop and waits for all of it. */
async function goTo({ route, role, display }: Stop): Promise<void> {
  const crawler = crawlers[role];
  const { page } = crawler;
  const address = await crawler.addressOf(route.path);
  if (!isWhole && openIn.get(role) === display && !isBare(route)) {
    await countShiftsAnew(page);
    await goOn(page, address);
  } else {
    await crawler.show(display);
    if (isBare(route)) {
      openIn.delete(role);
      await page.goto(address);
      await page.locator("h1").first().waitFor();
    } else {
      openIn.set(role, display);
      await load(page, address);
    }
  }
  await quiet(page);
}

/** Opens a stop and gives all that is wrong with what it shows. */
async function visitStop(stop: Stop): Promise<string[]> {
  const { route, role, display } = stop;
  const crawler = crawlers[role];
  await crawler.received.take();
  await goTo(stop);
  const isBlank = route.path === "/blank";
  return [
    ...(await faultsOf(crawler.page, { language: display.language, isBlank })),
    ...(await misplaced(stop, crawler)),
    ...(await crawler.received.take()),
  ];
}

const picture = ({ page }: Crawler, stop: Stop): Promise<unknown> =>
  page.screenshot({
    path: join(pictures, `${stop.route.id}-${namedAs(stop)}.jpg`),
    type: "jpeg",
    quality: 80,
  });

/** Who is logged in never sees these two. */
const isPublic = ({ path }: Route): boolean => path === "/login" || path === "/forget";

async function violationsBeforeLogin({ route, display }: Stop): Promise<string[]> {
  const { page, context } = await visit(browser, installation.url, display);
  await page.goto(route.path);
  await page.locator("h1").first().waitFor();
  const found = await violationsOf(page);
  await context.close();
  return found;
}

/** What axe-core found of an address in a display: groups lead to screens that were asked already. */
const scanned = new Map<string, Promise<string[]>>();

function violationsAt(page: Page, stop: Stop): Promise<string[]> {
  const key = `${namedAs(stop)} ${page.url()}`;
  const found = scanned.get(key) ?? violationsOf(page);
  scanned.set(key, found);
  return found;
}

const visited = new Map<Stop, Promise<string[]>>();

/** All that is wrong with a stop of the administrator, who comes there once. */
function foundAt(stop: Stop): Promise<string[]> {
  const checkStop = async () => [
    ...(await visitStop(stop)),
    ...(await (isPublic(stop.route)
      ? violationsBeforeLogin(stop)
      : violationsAt(crawlers.admin.page, stop))),
  ];
  const found = visited.get(stop) ?? checkStop();
  visited.set(stop, found);
  return found;
}

describe("to the administrator each route opens", () => {
  const stops = isWhole ? adminStopsFull : adminStops;
  test.each(stops.map(titled))(
    "%sroutes:%s as %s: with its title, its place and its tab, no fault and no violation of WCAG",
    async (_, __, ___, stop) => expect(await foundAt(stop)).toEqual([]),
  );

  test("B-2.4-20: each of the 25 further views is a working screen", async () => {
    expect(furtherViews).toHaveLength(25);
    const further = stops.filter(({ route }) => furtherViews.includes(route));
    expect(new Set(further.map(({ route }) => route)).size).toBe(25);
    for (const stop of further) expect(await foundAt(stop), namedAs(stop)).toEqual([]);
  });
});

describe("each route opens without a fault", () => {
  test.each((isWhole ? fullStops : othersStops).map(titled))(
    "%swalk:%s as %s",
    async (_, __, ___, stop) => {
      const faults = await visitStop(stop);
      await picture(crawlers[stop.role], stop);
      expect(faults).toEqual([]);
    },
  );
});

test("the administrator comes to every route, and everyone else together", () => {
  const ids = (stops: readonly Stop[]) => stops.map(({ route }) => route.id).sort();
  const all = routes.map(({ id }) => id);
  expect(ids(othersStops)).toEqual(all.toSorted());
  expect(ids(adminStops)).toEqual(all.toSorted());
  expect(new Set(adminStopsFull.map((stop) => `${stop.route.id} ${namedAs(stop)}`)).size).toBe(
    4 * all.length,
  );
  const mixtures = new Set(othersStops.map(({ display }) => JSON.stringify(display)));
  expect(mixtures.size).toBe(12);
});

/** Rows, points of a picture, facts, or fields that hold something: not the frame of a page alone. */
const data = "tbody tr.ant-table-row, svg text, canvas, dd, form input, form .ant-select, li a";

/** Loads a screen as the first administrator and gives what is missing of it. */
async function missingOf(route: Route): Promise<string[]> {
  const crawler = crawlers.admin;
  const { page, received } = crawler;
  const language = "en_gb";
  await crawler.show({ language, dark: false, width: 1_440, height: 900 });
  openIn.delete("admin");
  await received.take();
  await page.goto(await crawler.addressOf(route.path));
  await page.locator("h1").first().waitFor();
  const shown = page.locator(`main :is(${data})`).first();
  const isThere = await shown.waitFor({ timeout: 20_000 }).then(
    () => true,
    () => false,
  );
  const faults = await faultsOf(page, { language, isBlank: false });
  if ((await page.locator(".w-state-code").count()) > 0) faults.push("is refused");
  if (!isThere) faults.push("shows no data");
  const tab = await page.locator('.w-tab[aria-current="page"]').textContent();
  const title = crawler.titleOf(route.path, language);
  // The tab of everything below the CPEs has a title of its own (section 2.5).
  if (title && tab !== title && tab !== "CPE management")
    faults.push(`is titled ${tab}, not ${title}`);
  const heading = await page.locator("h1").first().textContent();
  if (heading !== title) faults.push(`is headed ${heading}, not ${title}`);
  return [...(await received.take()), ...faults].map((fault) => `${route.path}: ${fault}`);
}

test("B-2.3-11: each leaf of the built-in tree shows its title, its data and no error when it is loaded", {
  timeout: 300_000,
}, async () => {
  expect(leaves.length).toBeGreaterThan(25);
  const missing: string[] = [];
  for (const route of leaves) missing.push(...(await missingOf(route)));
  expect(missing).toEqual([]);
});
