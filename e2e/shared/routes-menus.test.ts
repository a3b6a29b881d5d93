/** Menus of the server, and the routes made of them (specification 2.1 to 2.4); e2e/src/crawl.test.ts opens all. */
import { permissions } from "@weft/contract/permissions.ts";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { desk, launchBrowser } from "#e2e/browser.ts";
import { arrived } from "#e2e/go-on.ts";
import { onPage } from "#e2e/pages.ts";
import { addPerson, adminOf, tokenOf } from "#e2e/people.ts";
import { answered, entry, pathOf, withMenus } from "#e2e/wire.ts";
import { demonstration } from "#test/demonstration.ts";

const installation = demonstration();
let browser: Browser;
let admin: string;
beforeAll(async () => {
  browser = await launchBrowser();
  admin = await tokenOf(installation.url, "admin", installation.password);
  const call = await adminOf(installation);
  const few = { groupid: 1, roleType: 2, authorities: ["cpeEdit"] } as const;
  await addPerson(call, { name: "few", ...few });
  const menus = ["/system/configList"] as const;
  await addPerson(call, { name: "one", groupid: 1, roleType: 2, authorities: [], menus });
}, 240_000);
afterAll(async () => {
  await browser?.close();
});

const on = (run: (page: Page) => Promise<void>, token = admin): Promise<void> => {
  const storage = { lang: desk.language, access_token: token };
  return onPage(browser, { ...desk, url: installation.url, storage }, run);
};

const at = (page: Page, path: string) => page.waitForURL((url) => url.pathname === path);
const side = (page: Page) => page.locator("aside nav");
const code = (page: Page, number: string) =>
  page.locator(".w-state-code").getByText(number, { exact: true }).waitFor();
const roles = (id: number, more = {}) => entry(id, "/system/rolemanage", "RoleManage", more);
const users = (id: number, more = {}) => entry(id, "/system/usermanage", "UserManage", more);

describe("a menu of the server", () => {
  test("B-1-06, B-2.2-12: is all that the sidebar shows, and all that opens", () =>
    on(async (page) => {
      await withMenus(page, [users(1)]);
      await page.goto("/");
      await at(page, "/system/usermanage");
      await side(page).getByRole("link", { name: "Entry 1" }).waitFor();
      expect(await side(page).getByRole("menuitem").count()).toBe(1);
      await page.goto("/system/rolemanage");
      await code(page, "404");
    }));

  test("B-2.2-11, B-2.2-27: opens its screens, under one document title", () =>
    on(async (page) => {
      await withMenus(page, [users(1), roles(2)]);
      await page.goto("/system/rolemanage");
      await page.getByRole("heading", { name: "Role management", level: 1 }).waitFor();
      for (const [name, heading] of [
        ["Entry 1", "User management"],
        ["Entry 2", "Role management"],
      ] as const) {
        await side(page).getByRole("link", { name }).click();
        await page.getByRole("heading", { name: heading, level: 1 }).waitFor();
        expect(await page.title()).toBe("SD-WAN Orchestrator");
      }
    }));

  test("B-2.2-14, B-2.2-15: leads outside in a new window", () =>
    on(async (page) => {
      const outside = `${installation.url}/icon.svg`;
      const relative = outside.replace("http:", "");
      await withMenus(page, [users(1), entry(2, outside, ""), entry(3, relative, "X")]);
      await page.goto("/system/usermanage");
      for (const name of ["Entry 2", "Entry 3"]) {
        const opened = page.waitForEvent("popup");
        await side(page).getByText(name).click();
        await (await opened).waitForURL(outside);
        expect(pathOf(page)).toBe("/system/usermanage");
      }
    }));

  test("B-2.2-17: runs no script", () =>
    on(async (page) => {
      const hostile = "javascript:document.title='evil'";
      await withMenus(page, [users(1), entry(2, hostile, ""), entry(3, hostile, "UserManage")]);
      await page.goto("/system/usermanage");
      await side(page).getByRole("link", { name: "Entry 1" }).waitFor();
      expect(await side(page).getByRole("menuitem").count()).toBe(1);
      expect(await page.locator('a[href^="javascript" i]').count()).toBe(0);
    }));

  test("B-2.2-18, B-2.2-25, B-2.2-26: groups render only their children, hidden entries only open", () =>
    on(async (page) => {
      const children = [users(2, { parentId: 1 }), roles(3, { parentId: 1, hide: true })];
      await withMenus(page, [entry(1, "/system", "", { children })]);
      for (const path of ["/system/usermanage", "/system/rolemanage"]) {
        await page.goto(path);
        await page.locator(".w-content h1").waitFor();
        expect(await page.getByRole("banner").count()).toBe(1);
        expect(await page.locator("main").count()).toBe(1);
        expect(await side(page).getByText("Entry 3").count()).toBe(0);
      }
      await page.getByRole("heading", { name: "Role management", level: 1 }).waitFor();
    }));

  test("B-2.2-19, B-2.2-20: a node leads to the first leaf below its first child", () =>
    on(async (page) => {
      const inner = entry(2, "/system/inner", "", { children: [roles(3)] });
      await withMenus(page, [entry(1, "/system", "", { children: [inner, users(4)] })]);
      await page.goto("/system/inner");
      await at(page, "/system/rolemanage");
      await page.goto("/system");
      await at(page, "/system/rolemanage");
    }));
});

describe("the root", () => {
  const home = "/system/rolemanage";
  test("B-2.2-21: leads to the configured home path", () =>
    on(async (page) => {
      await answered(page, "**/config.json", { BASE_URL: "", HOME_PATH: home });
      await page.goto("/");
      await at(page, home);
    }));

  test("B-2.2-22, B-2.2-23: leads to the first entry that is a route", () =>
    on(async (page) => {
      await withMenus(page, [entry(1, "https://example.com", "X"), roles(2), users(3)]);
      await page.goto("/");
      await at(page, home);
    }));

  test("B-2.2-24: shows a page when the menu is empty", () =>
    on(async (page) => {
      await withMenus(page, []);
      await page.goto("/");
      await code(page, "403");
      expect(pathOf(page)).toBe("/");
    }));
});

describe("pages of their own", () => {
  test("B-2.1-12, routes:route.screen: the wallboard is titled SD-WAN and has no frame", () =>
    on(async (page) => {
      await page.goto("/screen");
      await page.getByRole("heading", { name: "SD-WAN", exact: true }).waitFor();
      expect(await page.locator("aside, .w-header, .w-tabs").count()).toBe(0);
    }));

  test("B-2.1-13, routes:route.catchAll: a path that is no route is the page 404", () =>
    on(async (page) => {
      await page.goto("/no/such/page");
      await code(page, "404");
      await page.getByRole("link", { name: "Go to the first page" }).click();
      await at(page, "/dashboard/workplace");
    }));

  test.each([
    ["B-2.1-14", "403"],
    ["B-2.1-15", "500"],
    ["a page", "404"],
  ])("%s, routes:route.exception.%s: the page is shown, with a link home", (_, number) =>
    on(async (page) => {
      await page.goto(`/exception/${number}`);
      await code(page, number);
      await page.getByRole("link", { name: "Go to the first page" }).click();
      await at(page, "/dashboard/workplace");
    }),
  );

  test("B-2.4-17, routes:route.blank: the blank page is empty, inside of the console", () =>
    on(async (page) => {
      await page.goto("/blank");
      await page.getByRole("banner").waitFor();
      await arrived(page);
      expect(await page.locator(".w-page").textContent()).toBe("");
    }));

  test("a screen whose permission is missing names it", async () => {
    const token = await tokenOf(installation.url, "few");
    await on(async (page) => {
      for (const path of ["/sdwan-system/cpe/cpeSet/1", "/screen"]) {
        await page.goto(path);
        await code(page, "403");
      }
      await page.getByText(`Permission denied: ${permissions.screenView.en}`).waitFor();
    }, token);
  });

  test("A-53: shows a person with one entry that one, at first, and forbids the others by its name", async () => {
    const token = await tokenOf(installation.url, "one");
    await on(async (page) => {
      await page.goto("/");
      await at(page, "/system/configList");
      await page.getByRole("heading", { name: "Config list", level: 1 }).waitFor();
      const links = await side(page).getByRole("menuitem").allTextContents();
      expect(links.join()).not.toContain("Role management");
      for (const [path, name] of [
        ["/system/rolemanage", "Role management (menu)"],
        ["/dashboard/workplace", "Overview (menu)"],
        ["/sdwan-system/cpe/cpeTable/flow", "CPE management (menu)"],
      ] as const) {
        await page.goto(path);
        await code(page, "403");
        await page.getByText(`Permission denied: ${name}`).waitFor();
      }
    }, token);
  });
});

describe("the file of a screen", () => {
  const isRoles = /\/assets\/role-page-[\w-]+\.js$/;

  test("endpoints:asset.viewChunk B-7.4-14: is fetched as a script when the screen is first opened", () =>
    on(async (page) => {
      const scripts: string[] = [];
      page.on("request", (request) => {
        if (request.resourceType() === "script") scripts.push(request.url());
      });
      await page.goto("/system/usermanage");
      await page.locator(".w-content h1").waitFor();
      expect(scripts.some((url) => isRoles.test(url))).toBe(false);
      await side(page).getByRole("link", { name: "Role management", exact: true }).click();
      await page.getByRole("heading", { name: "Role management", level: 1 }).waitFor();
      expect(scripts.some((url) => isRoles.test(url))).toBe(true);
    }));

  test("B-8-12: that did not come is fetched again once the network is back", () =>
    on(async (page) => {
      await page.goto("/system/usermanage");
      await page.locator(".w-content h1").waitFor();
      await page.route(isRoles, (route) => route.abort());
      await side(page).getByRole("link", { name: "Role management", exact: true }).click();
      await code(page, "ChunkLoadError");
      await page.unroute(isRoles);
      await side(page).getByRole("link", { name: "User management", exact: true }).click();
      await page.getByRole("heading", { name: "User management", level: 1 }).waitFor();
      await side(page).getByRole("link", { name: "Role management", exact: true }).click();
      await page.getByRole("heading", { name: "Role management", level: 1 }).waitFor();
    }));
});
