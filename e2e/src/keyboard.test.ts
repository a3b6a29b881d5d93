/** A person without a pointer, from the log-in to a screen of the menu; room for those who have one. */
import { AxeBuilder } from "@axe-core/playwright";
import type { Locator, Page } from "playwright-core";
import { expect, test } from "vitest";
import { button, shells } from "#test/shell-page.ts";

const { open, installation } = shells();

/** More stops than any way in this test has: whoever needs them all is caught. */
const MOST_STOPS = 120;

const hasFocus = (part: Locator): Promise<boolean> =>
  part.evaluate((one) => one === document.activeElement || one.contains(document.activeElement));

/** Presses Tab until a part, or something in it, has the focus. */
async function tabTo(page: Page, part: Locator): Promise<void> {
  for (let stops = 0; stops < MOST_STOPS; stops++) {
    if ((await part.count()) > 0 && (await hasFocus(part.first()))) return;
    await page.keyboard.press("Tab");
  }
  throw new Error(`no way by Tab to ${part}`);
}

const pathIs = (page: Page, path: string) => page.waitForURL((url) => url.pathname === path);

test("from the log-in to a screen of the menu", async () => {
  const { page } = await open({ path: "/sdwan-system/cpe" });
  await page.context().clearCookies();
  await page.evaluate(() => {
    localStorage.removeItem("access_token");
    sessionStorage.removeItem("access_token");
  });
  await page.goto("/login");
  const name = page.locator('input[autocomplete="username"]');
  await tabTo(page, name);
  await page.keyboard.press("Control+a");
  await page.keyboard.type("admin");
  await tabTo(page, page.locator('input[autocomplete="current-password"]'));
  await page.keyboard.type(installation().password);
  await page.keyboard.press("Enter");
  await page.locator(".w-shell").waitFor();
  await page.locator(".w-page h1").waitFor();

  // The first stop of a page leads past header and menu, and shows itself.
  await page.reload();
  await page.locator(".w-page h1").waitFor();
  await page.keyboard.press("Tab");
  const skip = page.getByRole("link", { name: "Skip to content" });
  expect(await hasFocus(skip)).toBe(true);
  expect((await skip.boundingBox())?.y).toBeGreaterThanOrEqual(0);
  await page.keyboard.press("Enter");
  expect(await hasFocus(page.locator("main#content"))).toBe(true);

  await page.reload();
  await page.locator(".w-page h1").waitFor();
  const menu = page.locator(".w-side nav");
  await tabTo(page, menu);
  const entry = menu.getByRole("link", { name: "POPs", exact: true });
  for (let steps = 0; steps < 20 && !(await hasFocus(entry)); steps++) {
    await page.keyboard.press("ArrowDown");
  }
  await page.keyboard.press("Enter");
  await pathIs(page, "/sdwan-system/pop");
});

/** Targets of less than 24 x 24 px with less room around them than WCAG 2.5.8 asks for. */
async function smallTargets(page: Page): Promise<string[]> {
  const builder = new AxeBuilder({ page }).setLegacyMode(true).withRules("target-size");
  const { violations, passes } = await builder.analyze();
  expect(passes.flatMap(({ nodes }) => nodes).length).toBeGreaterThan(10);
  return violations.flatMap(({ nodes }) => nodes.map(({ html }) => html.slice(0, 160)));
}

test.each([
  ["/sdwan-system/cpe", "Add CPE"],
  ["/system/rolemanage", null],
  ["/sdwan-system/enterprisemanage", null],
])("targets of %s are large enough, and those of its form", async (path, add) => {
  const { page } = await open({ path });
  await page.locator(".w-table .ant-table-row").first().waitFor();
  expect(await smallTargets(page)).toEqual([]);
  if (add === null) return;
  await button(page, add).click();
  await page.locator(".ant-drawer form").waitFor();
  expect(await smallTargets(page)).toEqual([]);
});
