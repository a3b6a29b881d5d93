/** Parts of the console whose files do not come: the network failed, or another version was deployed meanwhile. */
import { cpe } from "@weft/contract/domains/devices/cpe.ts";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { adminOf } from "#e2e/people.ts";
import { button, shells } from "#test/shell-page.ts";

const { open, installation } = shells();
const patience = { timeout: 60_000 };

const hint = (page: Page) =>
  page.getByText("The console was updated, or the network failed").first();

/** Opens something while its files do not come, then once more. */
async function opensLater(page: Page, file: string, open: () => Promise<void>, name: string) {
  const files = `**/${file}-*.js*`;
  await page.route(files, (route) => route.abort());
  await open();
  await hint(page).waitFor(patience);
  await page.unroute(files);
  await hint(page).waitFor({ state: "hidden" });
  await open();
  const opened = page.getByRole("dialog", { name });
  await opened.waitFor(patience);
  await page.keyboard.press("Escape");
  await opened.waitFor({ state: "hidden" });
}

test("a drawer, the palette and the table of keys are offered again, and the page stays as it was", async () => {
  const { page } = await open({ path: "/sdwan-system/pop" });
  await opensLater(page, "keys-dialog", () => page.keyboard.press("?"), "Keyboard shortcuts");
  await button(page, "Add POP").click();
  const name = page.locator(".ant-drawer").getByLabel("Name").first();
  await name.fill("half done");
  await opensLater(page, "palette", () => page.keyboard.press("Control+k"), "Quick search");
  expect(await name.inputValue()).toBe("half done");
  const settings = button(page, "Display settings");
  await opensLater(
    page,
    "settings-drawer",
    // Below the mask of the form's drawer.
    () => settings.dispatchEvent("click"),
    "Display settings",
  );
  expect(await name.inputValue()).toBe("half done");
});

test("a part of a page says so in its place, and comes with the next attempt", async () => {
  const files = "**/effective-policy-*.js*";
  const prepare = (page: Page) => page.route(files, (route) => route.abort());
  const call = await adminOf(installation());
  const id = (await call(cpe.ops.combo, {})).data[0]?.id ?? 0;
  const { page } = await open({ path: `/sdwan-system/cpe/cpeTable/detail?id=${id}`, prepare });
  const missing = page.getByRole("alert").filter({ has: hint(page) });
  await missing.waitFor(patience);
  const heading = page.getByRole("heading", { name: "Effective policy" });
  expect(await heading.count()).toBe(0);
  await page.unroute(files);
  await missing.getByRole("button", { name: "Retry" }).click();
  await heading.waitFor(patience);
  expect(await missing.count()).toBe(0);
});
