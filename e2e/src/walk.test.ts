/**
 * A walk through every route in a real browser: `npm run walk` opens each once, with roles,
 * languages, modes and widths that go round; `npm run walk:full` each by each role. The pictures
 * are in build/walk.
 */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { root } from "@weft/lab/world.ts";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { settled } from "#test/settled.ts";
import { launchBrowser } from "./browser.ts";
import { type Installation, startDemonstration } from "./installation.ts";
import { faultsOf } from "./walk/look-at.ts";
import {
  fullWalk,
  furtherViews,
  leaves,
  namedAs,
  type Route,
  type Stop,
  shortWalk,
} from "./walk/stops.ts";
import { type RoleName, type Walker, walkersOf } from "./walk/walkers.ts";

const isWhole = process.env.WEFT_WALK === "full";
const stops = isWhole ? fullWalk : shortWalk;
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
  "route.sdwan-system.cpe.cpeSet.id": "B-2.4-01, ",
  "route.sdwan-system.pop.popSet.id": "B-2.4-09, ",
};

/** Opens a stop and gives all that is wrong with what it shows. */
async function walkTo(stop: Stop): Promise<string[]> {
  const { route, role, look } = stop;
  const walker = walkers[role];
  const { page, received } = walker;
  await walker.look(look);
  await received.take();
  await page.goto(await walker.addressOf(route.path));
  // The blank page alone has no heading.
  await page
    .locator(route.path === "/blank" ? ".w-page" : "h1")
    .first()
    .waitFor();
  await page.waitForLoadState("networkidle", { timeout: 4_000 }).catch(() => undefined);
  const faults = await faultsOf(page, {
    language: stop.look.language,
    isBlank: route.path === "/blank",
  });
  const file = `${route.id}-${namedAs(stop)}.jpg`;
  await page.screenshot({ path: join(pictures, file), type: "jpeg", quality: 80 });
  const isState = (await page.locator(".w-state-code").count()) > 0;
  const wantsState = route.view?.startsWith("Exception") || !walker.maySee(route.path);
  const entries = page.locator(`aside nav a[href="${route.path}"]`);
  if (route.hidden && (await entries.count()) > 0) faults.push("has an entry in the menu");
  if (isState !== wantsState) faults.push(isState ? "is refused" : "is shown without permission");
  return [...(await received.take()), ...faults];
}

describe("each route opens without a fault", () => {
  test.each(
    stops.map((stop) => [proofs[stop.route.id] ?? "", stop.route.id, namedAs(stop), stop] as const),
  )("%swalk:%s as %s", async (_, __, ___, stop) => expect(await walkTo(stop)).toEqual([]));
});

/** Rows, points of a picture, facts, or fields that hold something: not the frame of a page alone. */
const data = "tbody tr.ant-table-row, svg text, canvas, dd, form input, form .ant-select, li a";

/** Opens a screen as the first administrator and gives what is missing of it. */
async function missingOf(route: Route, wantsData: boolean): Promise<string[]> {
  const { page, received, look, addressOf, titleOf } = walkers.admin;
  const language = "en_gb";
  await look({ language, dark: false, width: 1_440, height: 900 });
  await received.take();
  await page.goto(await addressOf(route.path));
  await page.locator("h1").first().waitFor();
  const shown = page.locator(`main :is(${data})`).first();
  const isThere = wantsData
    ? await shown.waitFor({ timeout: 20_000 }).then(
        () => true,
        () => false,
      )
    : await page.waitForLoadState("networkidle").then(() => true);
  const faults = await faultsOf(page, { language, isBlank: false });
  if ((await page.locator(".w-state-code").count()) > 0) faults.push("is refused");
  if (!isThere) faults.push("shows no data");
  const tab = await page.locator('.w-tab[aria-current="page"]').textContent();
  const title = titleOf(route.path);
  // The tab of everything below the CPEs has a title of its own (section 2.5).
  if (title && tab !== title && tab !== "CPE管理") faults.push(`is titled ${tab}, not ${title}`);
  const heading = await page.locator("h1").first().textContent();
  if (wantsData && heading !== title) faults.push(`is headed ${heading}, not ${title}`);
  return [...(await received.take()), ...faults].map((fault) => `${route.path}: ${fault}`);
}

async function missingIn(routes: readonly Route[], wantsData: boolean): Promise<string[]> {
  const missing: string[] = [];
  for (const route of routes) missing.push(...(await missingOf(route, wantsData)));
  return missing;
}

describe("to the administrator of the demonstration", () => {
  test("B-2.3-11: each leaf of the built-in tree shows its title, its data and no error", {
    timeout: 300_000,
  }, async () => {
    expect(leaves.length).toBeGreaterThan(25);
    expect(await missingIn(leaves, true)).toEqual([]);
  });

  test("B-2.4-20: each of the 25 further views is a working screen", {
    timeout: 300_000,
  }, async () => {
    expect(furtherViews).toHaveLength(25);
    expect(await missingIn(furtherViews, false)).toEqual([]);
  });
});
