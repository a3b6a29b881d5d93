/**
 * Every route, in light and in dark, without a violation of WCAG 2.2 AA that axe-core knows of. One
 * page goes through the routes of a look by the console's own router: nothing is loaded twice.
 */
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { quietOf, violationsOf } from "#e2e/axe-scan.ts";
import { type Look, launchBrowser, visit } from "#e2e/browser.ts";
import { type Route, routes } from "#e2e/walk/stops.ts";
import { type Walker, walkersOf } from "#e2e/walk/walkers.ts";
import { demonstration } from "#test/demonstration.ts";

const look = (language: Look["language"], dark: boolean, width: number): Look => ({
  ...{ language, dark, width, height: width < 768 ? 844 : 900 },
});

/** Two ways to look at a route that differ in everything; every other route takes the other two. */
const looks = [
  [look("zh_cn", false, 1_440), look("en_gb", true, 390)],
  [look("en_gb", false, 390), look("zh_cn", true, 1_440)],
] as const;
const namedAs = ({ language, dark, width }: Look): string =>
  [language, dark ? "dark" : "light", width].join("-");

interface Stop {
  readonly route: Route;
  readonly look: Look;
}

/** All stops, those of one look in a row. */
const stops: readonly Stop[] = looks.flatMap((pair, half) =>
  pair.flatMap((one) =>
    routes.filter((_, at) => at % 2 === half).map((route): Stop => ({ route, look: one })),
  ),
);
/** Who is logged in never sees these two. */
const isPublic = ({ path }: Route): boolean => path === "/login" || path === "/forget";

let browser: Browser;
let walker: Walker;
let quiet: () => Promise<void>;
beforeAll(async () => {
  browser = await launchBrowser();
  walker = (await walkersOf(browser, demonstration())).admin;
  quiet = quietOf(walker.page);
}, 240_000);
afterAll(async () => {
  await browser?.close();
}, 60_000);

/** Runs in the page: goes on as a link would. */
const goOn = (address: string): void => {
  history.pushState({}, "", address);
  dispatchEvent(new PopStateEvent("popstate"));
};

let shown: Look | null = null;
/** What was found at an address in the look that is shown: groups lead to screens already seen. */
const seen = new Map<string, Promise<string[]>>();

async function scan({ route, look: wanted }: Stop): Promise<string[]> {
  const { page } = walker;
  const address = await walker.addressOf(route.path);
  if (shown === wanted && route.path !== "/screen") await page.evaluate(goOn, address);
  else {
    await walker.look(wanted);
    await page.goto(address);
    seen.clear();
    shown = route.path === "/screen" ? null : wanted;
  }
  await page.locator("h1, .w-page").first().waitFor();
  await quiet();
  const found = seen.get(page.url()) ?? violationsOf(page);
  seen.set(page.url(), found);
  return found;
}

async function scanPublic({ route, look: wanted }: Stop): Promise<string[]> {
  const { page, context } = await visit(browser, demonstration().url, wanted);
  await page.goto(route.path);
  await page.locator("h1").first().waitFor();
  const found = await violationsOf(page);
  await context.close();
  return found;
}

interface Overlay {
  readonly what: string;
  readonly path: string;
  readonly width?: number;
  open(page: Page): Promise<void>;
}

const press = (page: Page, name: string | RegExp) =>
  page.getByRole("button", { name }).locator("visible=true").first().click();
const inForm = (page: Page) => page.locator(".ant-drawer form").first().waitFor();

/** What opens over a screen. */
const overlays: readonly Overlay[] = [
  {
    what: "every part that screens are made of",
    path: "/dev/kernel",
    async open(page) {
      await page.getByRole("heading", { name: "Parts of the console" }).waitFor();
      await page.locator("canvas").first().waitFor();
    },
  },
  {
    what: "a form that complains",
    path: "/sdwan-system/cpe",
    async open(page) {
      await press(page, "Add CPE");
      await inForm(page);
      await press(page, "Save");
      await page.locator(".w-field-issue").first().waitFor();
    },
  },
  {
    what: "an open choice of a form",
    path: "/sdwan-system/pop",
    async open(page) {
      await press(page, "Add POP");
      await inForm(page);
      await page.locator(".ant-drawer").getByLabel("Enterprise").first().click();
      await page.locator(".ant-select-item-option").first().waitFor();
    },
  },
  {
    what: "a question",
    path: "/sdwan-system/pop",
    async open(page) {
      await press(page, /^Account/);
      await page.getByRole("menuitem", { name: "Log out" }).click();
      await page.locator(".w-confirm").waitFor();
    },
  },
  {
    what: "the display settings",
    path: "/sdwan-system/pop",
    async open(page) {
      await press(page, "Display settings");
      await page.locator(".w-settings .ant-drawer-title").waitFor();
    },
  },
  {
    what: "the palette with results",
    path: "/sdwan-system/cpe",
    async open(page) {
      await page.keyboard.press("Control+k");
      await page.getByRole("combobox", { name: /^Screen/ }).fill("po");
      await page.getByRole("option", { name: /上海/ }).first().waitFor();
    },
  },
  {
    what: "the palette with nothing",
    path: "/sdwan-system/cpe",
    async open(page) {
      await page.keyboard.press("Control+k");
      await page.getByRole("combobox", { name: /^Screen/ }).fill("no such thing");
      await page.getByText("Nothing found for").waitFor();
    },
  },
  {
    what: "the account menu",
    path: "/sdwan-system/cpe",
    async open(page) {
      await press(page, /^Account/);
      await page.getByRole("menuitem", { name: "Log out" }).waitFor();
    },
  },
  {
    what: "the columns of a list",
    path: "/sdwan-system/cpe",
    async open(page) {
      await press(page, "Columns");
      await page.locator(".w-columns-menu").waitFor();
    },
  },
  {
    what: "the narrow menu",
    path: "/sdwan-system/cpe",
    width: 390,
    async open(page) {
      await press(page, "Unfold the menu");
      await page.locator(".w-side-drawer nav").waitFor();
    },
  },
];

/** Motion is over; what fades has no contrast to be measured. */
const shows = (page: Page) =>
  page.waitForFunction(() => document.getAnimations().every((one) => one.playState !== "running"));

test("a violation is found, also where the page changed since it was asked last", async () => {
  const page = await browser.newPage();
  await page.setContent('<html lang="en"><title>t</title><main><h1>t</h1><p></p></main></html>');
  expect(await violationsOf(page)).toEqual([]);
  await page.evaluate('document.querySelector("p").innerHTML = "<img src=\'data:,\'>"');
  expect((await violationsOf(page)).join()).toMatch(/^image-alt: .*<img/);
  await page.close();
});

describe("no violation of what opens", () => {
  test.each(
    overlays.flatMap((one) =>
      [false, true].map((dark) => [one.what, dark ? "dark" : "light", one] as const),
    ),
  )("axe:%s in %s", async (_, mode, { path, width = 1_440, open }) => {
    const { page } = walker;
    await walker.look(look("en_gb", mode === "dark", width));
    await page.goto(path);
    await page.locator("h1").first().waitFor();
    await quiet();
    await open(page);
    await quiet();
    await shows(page);
    expect(await violationsOf(page)).toEqual([]);
  });
});

describe("no violation", () => {
  test.each(stops.map((stop) => [stop.route.id, namedAs(stop.look), stop] as const))(
    "axe:%s as %s",
    async (_, __, stop) =>
      expect(await (isPublic(stop.route) ? scanPublic(stop) : scan(stop))).toEqual([]),
  );
});
