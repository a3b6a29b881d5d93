/** The notice panel as the built page renders it: the tones of its dates, and its place on a phone. */
import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { answered } from "#e2e/wire.ts";
import { type Opening, shells, soon } from "#test/shell-page.ts";

const { open } = shells();
const day = 86_400_000;
const at = (days: number) =>
  `${new Date(Date.now() + days * day).toISOString().slice(0, 10)} 00:00:00`;
const item = (id: number, days: number) => ({ id, alias: `A-${id}`, expireTime: at(days) });
const answer = {
  code: 0,
  msg: "",
  data: { cpeList: [item(1, -3), item(2, 3)], popList: [], clientList: [] },
};

const panel = (page: Page) => page.locator(".ant-popover:not(.ant-popover-hidden)");

const opened = async (opening: Opening) => {
  const prepare = (page: Page) => answered(page, "**/temp/expireDevice**", answer);
  const { page } = await open({ ...opening, path: "/blank", prepare });
  const bell = page.getByRole("button", { name: "Expiry notices 2" });
  await bell.waitFor();
  if ((opening.width ?? 1_440) < 768) await bell.click();
  await panel(page).getByText("A-1").waitFor();
  return page;
};

/** Red, green and blue of the date in the row of this device, 0 to 255. */
const toneOf = (page: Page, name: string) =>
  panel(page)
    .locator("li", { hasText: name })
    .locator("span")
    .last()
    .evaluate((span) => getComputedStyle(span).color.match(/\d+/g)?.map(Number) ?? []);

describe("dates of the notice panel", () => {
  test.each([false, true])(
    "are red when past and amber when due, in the built page; dark: %s",
    async (darkMode) => {
      const page = await opened({ theme: { darkMode } });
      const [red = 0, green = 0, blue = 0] = await toneOf(page, "A-1");
      expect(red - Math.max(green, blue)).toBeGreaterThan(100);
      const [amberRed = 0, amberGreen = 0, amberBlue = 0] = await toneOf(page, "A-2");
      // Amber lies between red and yellow: more red than green, and hardly any blue.
      expect(amberRed).toBeGreaterThan(amberGreen);
      expect(amberGreen - amberBlue).toBeGreaterThan(70);
    },
  );
});

/** Of pages on a phone, as well as of what opens above them; px. */
const margin = 4;
describe("the notice panel on a phone", () => {
  test.each([320, 375, 640])("keeps a margin in a window of %d px", async (width) => {
    const page = await opened({ width });
    const shown = panel(page).locator(".ant-popover-container");
    await soon(async () => {
      const frame = await shown.boundingBox();
      return frame !== null && frame.x >= margin && frame.x + frame.width <= width - margin;
    }).toBe(true);
  });
});

test("a panel whose file does not come is offered again, and the page stays", async () => {
  const file = "**/notice-panel-*.js*";
  const prepare = async (page: Page) => {
    await answered(page, "**/temp/expireDevice**", answer);
    await page.route(file, (route) => route.abort());
  };
  const { page } = await open({ path: "/blank", prepare });
  const bell = page.getByRole("button", { name: "Expiry notices 2" });
  await bell.click();
  await page.getByText("The console was updated, or the network failed").waitFor();
  expect(await bell.isVisible()).toBe(true);
  await page.unroute(file);
  await bell.click();
  await panel(page).getByText("A-1").waitFor();
});
