import { grantedMenus } from "@weft/contract/grants.ts";
import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { button, type Opening, shells, soon } from "#test/shell-page.ts";

const { open: openAt } = shells();
/** The frame is the subject: around the screen that asks for nothing, unless a test names another. */
const open = (opening: Opening = {}) => openAt({ path: "/blank", ...opening });

const sideMenu = (page: Page) => page.locator(".w-side nav");
const headMenu = (page: Page) => page.locator(".w-head-menu");
const isFolded = (page: Page) => page.locator(".w-side").getAttribute("data-folded");
const settings = async (page: Page) => {
  await button(page, "Display settings").click();
  await page.locator(".w-settings .ant-drawer-title").waitFor();
};
describe("the frame", () => {
  test("B-2.5-01, B-2.5-02, B-2.5-22, B-2.5-23, B-2.5-25, B-2.5-57: has all its parts", async () => {
    const { page, errors } = await open();
    for (const part of [".w-header", ".w-side", ".w-tabs", ".w-breadcrumb", "main#content"]) {
      expect(await page.locator(part).count(), part).toBe(1);
    }
    const entries = sideMenu(page).locator("> ul > li > .ant-menu-submenu-title");
    expect(await entries.allTextContents()).toEqual([
      "Site management",
      "Business management",
      "Operations monitoring",
      "System",
      "Transactions",
      "Personal centre",
    ]);
    await page.getByRole("button", { name: "Account admin" }).click();
    const items = page.locator(".ant-dropdown:not(.ant-dropdown-hidden) [role=menuitem]");
    await items.first().waitFor();
    expect(await items.allTextContents()).toEqual(["Change password", "Log out"]);
    await page.keyboard.press("Escape");
    await settings(page);
    const drawer = await page.locator(".w-settings .ant-drawer-section").boundingBox();
    expect(drawer?.width).toBe(280);
    expect(errors).toEqual([]);
  });

  test("B-2.5-73: edit password opens a dialog 460 px wide", async () => {
    const { page } = await open();
    await page.getByRole("button", { name: "Account admin" }).click();
    await page.getByRole("menuitem", { name: "Change password" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.waitFor();
    await soon(async () => (await dialog.boundingBox())?.width).toBe(460);
  });

  test("B-2.5-18, B-2.1-08: an administrator's header has every tool, also at 768", async () => {
    for (const width of [1_280, 768]) {
      const { page, close } = await open({ width });
      for (const name of ["Download", "Full screen", "Wallboard", "Display settings"]) {
        expect(await button(page, name).isVisible(), `${name} at ${width}`).toBe(true);
      }
      expect(await button(page, "Switch language 中").isVisible()).toBe(true);
      expect(await page.getByRole("button", { name: "Account admin" }).isVisible()).toBe(true);
      await close();
    }
  });

  test("B-2.1-09, B-2.1-10, B-2.1-11: the wallboard needs its permission and 768 px", async () => {
    const narrow = await open({ width: 767 });
    expect(await button(narrow.page, "Wallboard").count()).toBe(0);
    await narrow.close();
    const stranger = await open({ session: { userId: 2, authorities: grantedMenus } });
    expect(await button(stranger.page, "Wallboard").count()).toBe(0);
    await stranger.close();
    const { page } = await open({ width: 1_280 });
    await page.setViewportSize({ width: 600, height: 800 });
    await button(page, "Wallboard").waitFor({ state: "detached" });
  });

  test.each([
    ["B-2.1-07", "Wallboard", "/screen"],
    ["B-2.1-23", "Download", "/download.html"],
  ])("%s: %s opens a window beside the console", async (_, name, path) => {
    const { page, context } = await open();
    const here = page.url();
    const other = context.waitForEvent("page");
    await button(page, name).click();
    const window = await other;
    await window.waitForURL((url) => url.pathname === path);
    expect(page.url()).toBe(here);
  });

  test("B-2.5-03: a user without menus sees the root route's children", async () => {
    const { page } = await open({ path: "/", session: { menus: [] } });
    expect(await sideMenu(page).getByRole("link").allTextContents()).toEqual([
      "My profile",
      "Notices",
    ]);
  });

  test("B-9-05: a special system's name is in the sidebar", async () => {
    for (const sysName of ["xspeeder", "sftel", "xiaolong", "jiuxi"]) {
      const { page, close } = await open({ session: { sysName, sysConfig: sysName } });
      expect(await page.locator(".w-logo").textContent()).toBe(sysName);
      await close();
    }
  });
});

describe("the language", () => {
  test("B-1-01, B-1-05: is Chinese when nothing, or nothing known, is remembered", async () => {
    const { page } = await open({ language: "fr" as "en_gb" });
    await page.getByRole("button", { name: "显示设置" }).waitFor();
    await page.evaluate(() => localStorage.removeItem("lang"));
    await page.reload();
    await page.getByRole("button", { name: "显示设置" }).waitFor();
  });

  test("B-1-02, B-1-03, B-1-04, B-2.5-24, B-4-40, B-2.3-10: changes immediately and is remembered", async () => {
    const { page } = await open({ language: "zh_cn" });
    await button(page, "切换语言 EN").click();
    await sideMenu(page).getByText("Site management").waitFor();
    expect(await page.evaluate(() => localStorage.getItem("lang"))).toBe("en_gb");
    const texts: string[] = [];
    await page.exposeFunction("announced", (text: string) => texts.push(text));
    await page.addInitScript(() => {
      const announce = () => {
        const text = document.body?.textContent;
        if (text) (globalThis as unknown as { announced(text: string): void }).announced(text);
      };
      new MutationObserver(announce).observe(document, { childList: true, subtree: true });
    });
    await page.reload();
    await sideMenu(page).getByText("Site management").waitFor();
    expect(texts.join("")).not.toContain("站点管理");
    await button(page, "Switch language 中").click();
    await sideMenu(page).getByText("站点管理").waitFor();
    expect(await page.evaluate(() => localStorage.getItem("lang"))).toBe("zh_cn");
  });
});

describe("the way", () => {
  test("B-2.5-04, B-2.5-07: home and each titled route; home leads home", async () => {
    const { page } = await open({ path: "/business-system/overlay/space" });
    const crumbs = page.locator(".w-breadcrumb > span");
    await soon(() => crumbs.count()).toBe(3);
    expect(await page.locator(".w-breadcrumb").textContent()).toMatch(
      /Business management.*Overlay.*Network space/s,
    );
    const home = (await page.locator(".w-tab").first().getAttribute("href")) ?? "";
    await page.locator(".w-breadcrumb > a").click();
    await page.waitForURL((url) => url.pathname === home.split("?")[0]);
  });
});

describe("the side menu", () => {
  test("B-2.5-08, B-2.5-09: is over the page below 768 px, and beside it from there", async () => {
    const { page } = await open({ width: 800 });
    expect(await page.locator(".w-side").count()).toBe(1);
    await page.setViewportSize({ width: 767, height: 800 });
    await page.locator(".w-side").waitFor({ state: "detached" });
    await page.setViewportSize({ width: 768, height: 800 });
    await page.locator(".w-side").waitFor();
  });

  test("B-2.5-10, B-2.5-11: folds below 992 px by itself", async () => {
    const { page, close } = await open({ width: 1_000 });
    expect(await isFolded(page)).toBeNull();
    await page.setViewportSize({ width: 991, height: 800 });
    await soon(() => isFolded(page)).toBe("true");
    await close();
    const { page: wide } = await open({ width: 992 });
    expect(await isFolded(wide)).toBeNull();
  });

  test("B-2.5-12: many resize events work the layout out once in 300 ms; the last counts", async () => {
    const { page } = await open({ width: 1_000 });
    const changes = await page.evaluate(async () => {
      const side = document.querySelector(".w-side");
      const from = performance.now();
      let seen = 0;
      const observer = new MutationObserver((records) => {
        seen += records.length;
      });
      if (side) observer.observe(side, { attributes: true, attributeFilter: ["data-folded"] });
      // Beyond and below the limit in turn, every 20 ms for 240 ms; beyond it in the end.
      for (let turn = 0; turn <= 12; turn++) {
        Object.defineProperty(window, "innerWidth", {
          value: turn % 2 === 0 ? 991 : 1_000,
          configurable: true,
        });
        dispatchEvent(new Event("resize"));
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
      const tookMs = performance.now() - from;
      await new Promise((resolve) => setTimeout(resolve, 500));
      return { seen, tookMs, folded: side?.hasAttribute("data-folded") };
    });
    // The first event immediately, then one at the end of each pause.
    expect(changes.seen).toBeLessThanOrEqual(1 + Math.ceil(changes.tookMs / 300));
    expect(changes.folded).toBe(true);
  });

  test("B-2.5-13, B-2.5-14: mixed, it has the children of the header's entry", async () => {
    const { page } = await open({ theme: { layoutStyle: 2 }, path: "/system/usermanage" });
    expect(await headMenu(page).getByText("System").isVisible()).toBe(true);
    const side = sideMenu(page).locator("> ul > li");
    await soon(() => side.first().textContent()).toBe("User management");
    await headMenu(page).getByText("Site management").click();
    await soon(() => side.first().textContent()).toBe("Enterprise management");
  });

  test("B-2.5-15: mixed and narrow, it has the whole menu", async () => {
    const { page } = await open({ theme: { layoutStyle: 2 }, width: 700 });
    await button(page, "Unfold the menu").click();
    const menu = page.locator(".w-side-drawer nav > ul > li");
    await soon(() => menu.count()).toBe(7);
  });

  test.each([
    ["B-2.5-16", true],
    ["B-2.5-17", false],
  ])("%s: with one open branch %s", async (_, sideUniqueOpen) => {
    const { page } = await open({ path: "/sdwan-system/cpe", theme: { sideUniqueOpen } });
    const titles = sideMenu(page).locator("> ul > li > .ant-menu-submenu-title");
    const expanded = (at: number) => titles.nth(at).getAttribute("aria-expanded");
    expect(await expanded(0)).toBe("true");
    await titles.nth(3).click();
    await soon(() => expanded(3)).toBe("true");
    await soon(() => expanded(0)).toBe(sideUniqueOpen ? "false" : "true");
  });
});

describe("full screen", () => {
  test("B-2.5-19, B-2.5-21: begins and ends, and the icon follows, also after Escape", async () => {
    const { page } = await open();
    const isFull = () => page.evaluate(() => document.fullscreenElement !== null);
    await button(page, "Full screen").click();
    await button(page, "Leave full screen").waitFor();
    expect(await isFull()).toBe(true);
    await button(page, "Leave full screen").click();
    await button(page, "Full screen").waitFor();
    await button(page, "Full screen").click();
    await button(page, "Leave full screen").waitFor();
    // The browser ends it on Escape; a page cannot press that key for the browser itself.
    await page.evaluate(() => document.exitFullscreen());
    await button(page, "Full screen").waitFor();
  });

  test("B-2.5-20, B-8-08: a browser that has none says so", async () => {
    const { page } = await open({ language: "zh_cn" });
    await page.evaluate(() =>
      Object.defineProperty(document, "fullscreenEnabled", { value: false, configurable: true }),
    );
    await button(page, "全屏").click();
    await page.getByText("您的浏览器不支持全屏模式").waitFor();
  });
});

describe("the logo of a seller", () => {
  const session = { logo: "/img/a.png", logoName: "Blue Sea Networks", icon: "" };
  const iconOf = (page: Page) => page.locator('link[rel="icon"]').getAttribute("href");
  // One dot, as a seller's own server would give it.
  const png = Buffer.from(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGNgYGD4DwABBAEAX+XDSwAAAABJRU5ErkJggg==",
    "base64",
  );

  test("B-7.1-21, B-7.1-22: is rendered from its path, beside its name, and is the page's icon", async () => {
    const prepare = (page: Page) =>
      page.route("**/img/a.png", (route) => route.fulfill({ contentType: "image/png", body: png }));
    const { page } = await open({ session, prepare });
    const logo = page.locator(".w-logo");
    await logo.locator("img").waitFor();
    expect(
      new URL((await logo.locator("img").getAttribute("src")) ?? "", page.url()).pathname,
    ).toBe("/img/a.png");
    expect(await logo.textContent()).toBe("Blue Sea Networks");
    await soon(() => iconOf(page)).toMatch(/\/img\/a\.png$/);
  });

  test("B-7.1-23: that cannot be loaded leaves the name in its place", async () => {
    const prepare = (page: Page) => page.route("**/img/a.png", (route) => route.abort());
    const { page } = await open({ session, prepare });
    const logo = page.locator(".w-logo");
    await logo.getByText("Blue Sea Networks").waitFor();
    await soon(() => logo.locator("img").count()).toBe(0);
  });
});
