import { describe, expect, test } from "vitest";
import { shiftsOf, watchShifts } from "#e2e/crawl/shifts.ts";
import { pageTime } from "#e2e/page-time.ts";
import { shells, soon } from "#test/shell-page.ts";

const { open } = shells();

describe("the line at the top", () => {
  test("B-2.2-28, B-2.2-29, B-2.2-30: shows while a page is on its way, and 300 ms longer", async () => {
    const { page } = await open({ path: "/system/rolemanage", motion: true, apart: true });
    await page.locator(".w-page h1").waitFor();
    await page.clock.install();
    let answer: () => void = () => undefined;
    const held = new Promise<void>((resolve) => {
      answer = resolve;
    });
    let wasAsked = false;
    // The page's own files: none of them has been needed so far.
    await page.route(/\/assets\/.*\.js/, async (route) => {
      wasAsked = true;
      await held;
      await route.continue();
    });
    const isOn = () => page.locator('[role="progressbar"]').getAttribute("data-on");
    await page.clock.pauseAt(Date.now() + 60_000);
    await page
      .locator(".w-side nav")
      .getByRole("link", { name: "User management", exact: true })
      .click();
    await soon(async () => wasAsked).toBe(true);
    // What takes less than 200 ms shows nothing. Files are fetched from the pointer's arrival on, the page is on its way
    // from the press on: on a busy machine time must not have passed in between.
    await soon(async () => {
      await page.clock.runFor(200);
      return isOn();
    }).toBe("true");
    answer();
    await page.waitForURL((url) => url.pathname === "/system/usermanage");
    await page.locator(".w-page h1", { hasText: "User management" }).waitFor();
    await page.clock.runFor(299);
    expect(await isOn()).toBe("true");
    // The 300 ms begin with an effect of the page, which may come after its heading.
    await soon(async () => {
      await page.clock.runFor(1);
      return isOn();
    }).toBeNull();
  });
});

describe("reduced motion", () => {
  test("lists of selects and menus open all the same, and immediately", async () => {
    const { page, errors } = await open({ path: "/sdwan-system/cpe" });
    const selects = page.locator(".w-filters .ant-select");
    await selects.first().waitFor();
    const count = await selects.count();
    expect(count).toBeGreaterThan(0);
    for (let turn = 0; turn < 2; turn++) {
      for (let at = 0; at < count; at++) {
        await selects.nth(at).click();
        const list = page.locator(".ant-select-dropdown:not(.ant-select-dropdown-hidden)");
        await soon(() => list.evaluate((one) => getComputedStyle(one).opacity)).toBe("1");
        await soon(async () => (await list.boundingBox())?.height ?? 0).toBeGreaterThan(30);
        await page.keyboard.press("Escape");
        await list.waitFor({ state: "detached" });
      }
    }
    await page.getByRole("button", { name: "Account admin" }).click();
    await page.getByRole("menuitem", { name: "Log out" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Cancel" }).click();
    await page.getByRole("dialog").waitFor({ state: "detached" });
    expect(errors).toEqual([]);
  });
});

/** How long after its rows a list may still move, in ms of the page: what else it asks for has come by then. */
const settled = 500;

describe("a list that loads slowly", () => {
  test.each([
    ["/sdwan-system/cpe", "**/customer/cpe/findAll?**"],
    ["/sdwan-system/enterprisemanage", "**/customer/enterprise/list?**"],
    ["/business-system/overlay/linkManage", "**/customer/link/list?**"],
    ["/system/recordmanage/operaRecord", "**/customer/operaRecord/list?**"],
  ])("%s moves nothing by more than 0.02", async (path, rows) => {
    const { page, context } = await open({
      path: "/system/rolemanage",
      motion: true,
      apart: true,
    });
    await watchShifts(context);
    for (const width of [1_440, 390]) {
      await page.setViewportSize({ width, height: 800 });
      let answer: () => void = () => undefined;
      const held = new Promise<void>((resolve) => {
        answer = resolve;
      });
      await page.route(rows, async (route) => {
        await held;
        await route.continue();
      });
      await page.goto(path);
      await page.locator(".w-list .w-bars").waitFor();
      answer();
      await page.locator(".w-table .ant-table-row, .w-row-card").first().waitFor();
      await pageTime(page, settled);
      const { sum, moved } = await shiftsOf(page);
      expect(sum, `at ${width}: ${moved.join(", ")}`).toBeLessThanOrEqual(0.02);
      await page.unroute(rows);
    }
  });
});
