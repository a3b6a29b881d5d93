import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { logIn } from "#e2e/browser.ts";
import { arrived } from "#e2e/go-on.ts";
import { pageTime } from "#e2e/page-time.ts";
import {
  activeTab,
  button,
  forgetLogIn,
  type Opening,
  shells,
  soon,
  tabsOf,
} from "#test/shell-page.ts";

const { open, installation } = shells();

describe("tabs", () => {
  const paths = {
    A: "/system/usermanage",
    B: "/system/rolemanage",
    C: "/system/recordmanage/loginRecord",
  };
  const go = (page: Page, path: string) =>
    page.evaluate((to) => {
      history.pushState(null, "", to);
      dispatchEvent(new PopStateEvent("popstate"));
    }, path);
  /** Opens home, A, B, C and activates B. */
  const openThree = async (opening: Opening = {}) => {
    const shell = await open(opening);
    const { page } = shell;
    for (const [at, path] of [paths.A, paths.B, paths.C].entries()) {
      await go(page, path);
      await soon(async () => (await tabsOf(page)).length).toBe(at + 2);
    }
    await page.locator(".w-tab", { hasText: "Role management" }).click();
    await soon(() => activeTab(page)).toBe("Role management");
    return shell;
  };
  const act = async (page: Page, name: string) => {
    await button(page, "Tab actions").click();
    await page.getByRole("menuitem", { name }).click();
  };

  test("B-2.5-26, B-2.5-28, B-2.5-30: the home tab stays; a page opens one tab", async () => {
    const { page } = await openThree();
    const home = page.locator(".w-tab-box").first();
    expect(await home.locator(".w-tab-close").count()).toBe(0);
    await go(page, paths.A);
    await soon(() => activeTab(page)).toBe("User management");
    expect(await tabsOf(page)).toHaveLength(4);
  });

  test("a filter that was just typed does not lead back from the page that is being loaded", async () => {
    const { page } = await open({ path: paths.A });
    const search = page.locator("search input").first();
    await search.waitFor();
    // The next page takes longer than a pause in typing.
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route(/\/assets\/.*\.js$/, async (route) => {
      await held;
      await route.continue();
    });
    await search.fill("nobody");
    await go(page, paths.B);
    // Longer than the pause in typing: that nothing happens can only be waited for.
    await pageTime(page, 600);
    release();
    await soon(() => activeTab(page)).toBe("Role management");
    expect(new URL(page.url()).pathname).toBe(paths.B);
  });

  test("B-2.5-29: a page without a title opens none", async () => {
    const { page } = await open();
    const before = await tabsOf(page);
    await go(page, "/nowhere/at/all");
    await page.getByText("404").waitFor();
    expect(await tabsOf(page)).toEqual(before);
  });

  test.each([
    ["B-2.5-35", "Close left", ["Role management", "Login log"]],
    ["B-2.5-36", "Close right", ["User management", "Role management"]],
    ["B-2.5-37", "Close others", ["Role management"]],
    ["B-2.5-38, B-2.5-27", "Close all", []],
  ])("%s: %s", async (_, action, left) => {
    const { page } = await openThree();
    const [home = ""] = await tabsOf(page);
    await act(page, action);
    await soon(() => tabsOf(page)).toEqual([home, ...left]);
    if (left.length === 0) await soon(() => activeTab(page)).toBe(home);
  });

  test("B-2.5-42, B-2.5-43, B-2.5-44: closing a tab leads to a neighbour, or home", async () => {
    const { page } = await openThree();
    const close = (title: string) => button(page, `Close ${title}`).click();
    await close("User management");
    await soon(() => activeTab(page)).toBe("Role management");
    await close("Role management");
    await soon(() => activeTab(page)).toBe("Login log");
    await page.waitForURL((url) => url.pathname === paths.C);
    await close("Login log");
    const [home = ""] = await tabsOf(page);
    await soon(() => activeTab(page)).toBe(home);
  });

  test("B-2.5-39, B-2.5-40, B-2.5-41: the active tab renders again, another one opens its page", async () => {
    const { page } = await openThree();
    const calls: string[] = [];
    page.on("request", (request) => calls.push(new URL(request.url()).pathname));
    await page.locator(".w-page h1").evaluate((title) => title.setAttribute("data-counter", "1"));
    await page.locator(".w-tab", { hasText: "Role management" }).click();
    await page.locator(".w-page h1[data-counter]").waitFor({ state: "detached" });
    await page.locator('[role="progressbar"][data-on]').waitFor({ state: "detached" });
    calls.length = 0;
    await page.locator(".w-tab", { hasText: "User management" }).click();
    await page.waitForURL((url) => url.pathname === paths.A);
    await arrived(page);
    expect(calls.filter((path) => path === "/customer/user/list").length).toBeLessThanOrEqual(1);
  });

  test.each([
    ["B-2.5-31", 1, 1_440, 1],
    ["B-2.5-32", 0, 1_440, 0],
    ["B-2.5-33", 2, 1_440, 0],
    ["B-2.5-34", 1, 700, 0],
  ])("%s: layout %d at %d px offers refresh %d times", async (_, layoutStyle, width, count) => {
    const { page } = await open({ theme: { layoutStyle }, width });
    await button(page, "Tab actions").click();
    await page.getByRole("menuitem", { name: "Close all" }).waitFor();
    expect(await page.getByRole("menuitem", { name: "Reload" }).count()).toBe(count);
  });

  test("B-2.5-45, B-2.5-46, B-2.5-47, B-2.5-48, B-2.5-49: all of CPE share one tab", async () => {
    const { page } = await open({ path: "/sdwan-system/cpe/cpeTable/flow" });
    const cpeTabs = async () => (await tabsOf(page)).filter((title) => title === "CPE management");
    await soon(cpeTabs).toHaveLength(1);
    await go(page, "/sdwan-system/cpe");
    await soon(() => activeTab(page)).toBe("CPE management");
    await go(page, "/sdwan-system/cpe/cpeSet/5");
    const cpeTab = page.locator(".w-tab", { hasText: "CPE management" });
    await soon(() => cpeTab.getAttribute("href")).toBe("/sdwan-system/cpe/cpeSet/5");
    expect(await cpeTabs()).toHaveLength(1);
    await go(page, "/sdwan-system/pop");
    await soon(() => activeTab(page)).toBe("POP management");
    await cpeTab.click();
    await page.waitForURL((url) => url.pathname === "/sdwan-system/cpe/cpeSet/5");
    const before = (await tabsOf(page)).length;
    await go(page, "/sdwan-system/pop/popLog/log");
    await soon(async () => (await tabsOf(page)).length).toBe(before + 1);
  });

  test("B-4-05, B-2.5-50, B-2.5-51: after logging out the next user has the home tab only", async () => {
    const { page } = await openThree();
    await page.getByRole("button", { name: "Account admin" }).click();
    await page.getByRole("menuitem", { name: "Log out" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Log out" }).click();
    await page.waitForURL((url) => url.pathname === "/login");
    forgetLogIn();
    // In the same page: nothing of the old shell may remain.
    await logIn(page, "admin", installation().password);
    await page.locator(".w-tab").first().waitFor();
    expect(await tabsOf(page)).toHaveLength(1);
  });
});
