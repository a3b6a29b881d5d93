/**
 * A walk through every route in a real browser. Each is opened once, within the console that is
 * open, for everything that is proven of all of them: by the first administrator in two looks, with
 * axe-core, and by one of the other roles, with pictures in build/walk. `npm run walk:full` loads each
 * again for each role.
 */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { root } from "@weft/lab/world.ts";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { settled } from "#test/settled.ts";
import { violationsOf } from "./axe-scan.ts";
import { type Look, launchBrowser, visit } from "./browser.ts";
import { goOn, load, quiet } from "./go-on.ts";
import { type Installation, startDemonstration } from "./installation.ts";
import { faultsOf } from "./walk/look-at.ts";
import { misplaced } from "./walk/place.ts";
import { countShiftsAnew } from "./walk/shifts.ts";
import {
  adminWalk,
  fullWalk,
  furtherViews,
  isBare,
  leaves,
  namedAs,
  othersWalk,
  type Route,
  routes,
  type Stop,
} from "./walk/stops.ts";
import { type RoleName, type Walker, walkersOf } from "./walk/walkers.ts";

const isWhole = process.env.WEFT_WALK === "full";
const pictures = join(root, "build/walk");

let installation: Installation;
let browser: Browser;
let walkers: Readonly<Record<RoleName, Walker>>;
beforeAll(async () => {
  mkdirSync(pictures, { recursive: true });
  [installation, browser] = await Promise.all([startDemonstration(), launchBrowser()]);
  walkers = await walkersOf(browser, installation);
  await settled(installation);
}, 240_000);
afterAll(async () => {
  await browser?.close();
  await installation?.close();
}, 60_000);

/** What the walk proves of a route beside that it opens. */
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

/** The look in which the console is open on the page of a role; none: it has to be loaded. */
const openIn = new Map<RoleName, Look>();

/** Opens a stop and waits for all of it. */
async function goTo({ route, role, look }: Stop): Promise<void> {
  const walker = walkers[role];
  const { page } = walker;
  const address = await walker.addressOf(route.path);
  if (!isWhole && openIn.get(role) === look && !isBare(route)) {
    await countShiftsAnew(page);
    await goOn(page, address);
  } else {
    await walker.look(look);
    if (isBare(route)) {
      openIn.delete(role);
      await page.goto(address);
      await page.locator("h1").first().waitFor();
    } else {
      openIn.set(role, look);
      await load(page, address);
    }
  }
  await quiet(page);
}

/** Opens a stop and gives all that is wrong with what it shows. */
async function walkTo(stop: Stop): Promise<string[]> {
  const { route, role, look } = stop;
  const walker = walkers[role];
  await walker.received.take();
  await goTo(stop);
  const isBlank = route.path === "/blank";
  return [
    ...(await faultsOf(walker.page, { language: look.language, isBlank })),
    ...(await misplaced(stop, walker)),
    ...(await walker.received.take()),
  ];
}

const picture = ({ page }: Walker, stop: Stop): Promise<unknown> =>
  page.screenshot({
    path: join(pictures, `${stop.route.id}-${namedAs(stop)}.jpg`),
    type: "jpeg",
    quality: 80,
  });

/** Who is logged in never sees these two. */
const isPublic = ({ path }: Route): boolean => path === "/login" || path === "/forget";

async function violationsBeforeLogin({ route, look }: Stop): Promise<string[]> {
  const { page, context } = await visit(browser, installation.url, look);
  await page.goto(route.path);
  await page.locator("h1").first().waitFor();
  const found = await violationsOf(page);
  await context.close();
  return found;
}

/** What axe-core found of an address in a look: groups lead to screens that were asked already. */
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
  const look = async () => [
    ...(await walkTo(stop)),
    ...(await (isPublic(stop.route)
      ? violationsBeforeLogin(stop)
      : violationsAt(walkers.admin.page, stop))),
  ];
  const found = visited.get(stop) ?? look();
  visited.set(stop, found);
  return found;
}

describe.skipIf(isWhole)("to the administrator each route opens", () => {
  test.each(adminWalk.map(titled))(
    "%sroutes:%s as %s: with its title, its place and its tab, no fault and no violation of WCAG",
    async (_, __, ___, stop) => expect(await foundAt(stop)).toEqual([]),
  );

  test("B-2.4-20: each of the 25 further views is a working screen", async () => {
    expect(furtherViews).toHaveLength(25);
    const stops = adminWalk.filter(({ route }) => furtherViews.includes(route));
    expect(stops).toHaveLength(50);
    for (const stop of stops) expect(await foundAt(stop), namedAs(stop)).toEqual([]);
  });
});

describe("each route opens without a fault", () => {
  test.each((isWhole ? fullWalk : othersWalk).map(titled))(
    "%swalk:%s as %s",
    async (_, __, ___, stop) => {
      const faults = await walkTo(stop);
      await picture(walkers[stop.role], stop);
      expect(faults).toEqual([]);
    },
  );
});

test("everyone else comes to every route together, and the administrator twice", () => {
  const ids = (stops: readonly Stop[]) => stops.map(({ route }) => route.id).sort();
  const all = routes.map(({ id }) => id);
  expect(ids(othersWalk)).toEqual(all.toSorted());
  expect(ids(adminWalk)).toEqual([...all, ...all].sort());
  const mixtures = new Set(othersWalk.map(({ look }) => JSON.stringify(look)));
  expect(mixtures.size).toBe(12);
});

/** Rows, points of a picture, facts, or fields that hold something: not the frame of a page alone. */
const data = "tbody tr.ant-table-row, svg text, canvas, dd, form input, form .ant-select, li a";

/** Loads a screen as the first administrator and gives what is missing of it. */
async function missingOf(route: Route): Promise<string[]> {
  const walker = walkers.admin;
  const { page, received } = walker;
  const language = "en_gb";
  await walker.look({ language, dark: false, width: 1_440, height: 900 });
  openIn.delete("admin");
  await received.take();
  await page.goto(await walker.addressOf(route.path));
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
  const title = walker.titleOf(route.path, language);
  // The tab of everything below the CPEs has a title of its own (section 2.5).
  if (title && tab !== title && tab !== "CPE管理") faults.push(`is titled ${tab}, not ${title}`);
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
