/**
 * What opens over a screen, in light and in dark, without a violation of WCAG 2.2 AA that axe-core
 * knows of. The screens themselves are checked by the crawl (e2e/src/crawl.test.ts).
 */
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { violationsOf } from "#e2e/axe-scan.ts";
import { launchBrowser } from "#e2e/browser.ts";
import { load, quiet } from "#e2e/go-on.ts";
import { tokenOf, visitAs } from "#e2e/people.ts";
import { demonstration } from "#test/demonstration.ts";

const { url, password } = demonstration();
let browser: Browser;
let page: Page;
beforeAll(async () => {
  browser = await launchBrowser();
  ({ page } = await visitAs(browser, url, await tokenOf(url, "admin", password)));
}, 240_000);
afterAll(async () => {
  await browser?.close();
}, 60_000);

interface Overlay {
  readonly what: string;
  readonly path: string;
  /** It shows the placeholders of what is still loading as a sample, so that it never ends to load. */
  readonly hasBars?: boolean;
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
    hasBars: true,
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
      await page.getByRole("combobox", { name: /^Page, name/ }).fill("po");
      await page.getByRole("option", { name: /上海/ }).first().waitFor();
    },
  },
  {
    what: "the palette with nothing",
    path: "/sdwan-system/cpe",
    async open(page) {
      await page.keyboard.press("Control+k");
      await page.getByRole("combobox", { name: /^Page, name/ }).fill("no such thing");
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
    what: "a halted rollout",
    path: "/business/template",
    async open(page) {
      const row = page.locator("tr", { hasText: "门店上网管控" });
      await row.getByRole("link", { name: "Template" }).click();
      await page.locator("[data-rollout] .ant-table-row").first().waitFor();
    },
  },
  {
    what: "a plan of waves that complains",
    path: "/business/template",
    async open(page) {
      const row = page.locator("tr", { hasText: "医院接入" });
      await row.getByRole("link", { name: "Template" }).click();
      await press(page, "Publish");
      await page.getByRole("radio", { name: /^In waves/ }).check();
      await page.getByRole("textbox", { name: /^Waves/ }).fill("many");
      await press(page, "Start the first wave");
      await page.locator(".w-field-issue").first().waitFor();
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
  const blank = await browser.newPage();
  await blank.setContent('<html lang="en"><title>t</title><main><h1>t</h1><p></p></main></html>');
  expect(await violationsOf(blank)).toEqual([]);
  await blank.evaluate('document.querySelector("p").innerHTML = "<img src=\'data:,\'>"');
  expect((await violationsOf(blank)).join()).toMatch(/^image-alt: .*<img/);
  await blank.close();
});

describe("no violation of what opens", () => {
  test.each(
    overlays.flatMap((overlay) =>
      [false, true].map((dark) => [overlay.what, dark ? "dark" : "light", overlay] as const),
    ),
  )("axe:%s in %s", async (_, mode, { path, hasBars = false, width = 1_440, open }) => {
    await page.setViewportSize({ width, height: width < 768 ? 844 : 900 });
    const theme = JSON.stringify({ version: "1.0.0", darkMode: mode === "dark" });
    await page.evaluate((text) => localStorage.setItem("theme", text), theme);
    await (hasBars ? page.goto(path) : load(page, path));
    await quiet(page);
    await open(page);
    await quiet(page);
    await shows(page);
    expect(await violationsOf(page)).toEqual([]);
  });
});
