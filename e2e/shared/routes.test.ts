/** The guard, the session in the browser, and what calls do to it (specification 2.1, 2.2, 4, 8). */
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { desk, launchBrowser, logIn } from "#e2e/browser.ts";
import { press } from "#e2e/console.ts";
import { pageTime } from "#e2e/page-time.ts";
import { openPage } from "#e2e/pages.ts";
import { tokenOf } from "#e2e/people.ts";
import { answered, countCalls, pathOf, sessionUrl, storedTokens } from "#e2e/wire.ts";
import { demonstration } from "#test/demonstration.ts";

const templates = "/business-system/templatemanage";
const roles = "/system/rolemanage";
const heading = (page: Page, name: string) => page.getByRole("heading", { name, level: 1 });

const installation = demonstration();
let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
}, 240_000);
afterAll(async () => {
  await browser?.close();
}, 30_000);

/** Runs on a page of its own: logged in as the administrator, or without a session. */
async function on(
  who: "admin" | "nobody",
  run: (page: Page, token: string) => Promise<void>,
): Promise<void> {
  const { url, password } = installation;
  const token = who === "admin" ? await tokenOf(url, "admin", password) : "";
  const storage = { lang: desk.language, ...(token !== "" && { access_token: token }) };
  const { page, close } = await openPage(browser, { ...desk, url, storage });
  page.setDefaultTimeout(30_000);
  try {
    await run(page, token);
  } finally {
    await close();
  }
}

const atLogin = (page: Page) => page.waitForURL((url) => url.pathname === "/login");

describe("without a token", () => {
  test("B-2.2-06, B-2.2-07, B-2.2-09, B-4-01: everything but the whitelist leads to the login", () =>
    on("nobody", async (page) => {
      const closed = ["/", "/system/usermanage", "/no/such/page", "/login/x", `${templates}x`];
      for (const path of [...closed, "/screen", "/business-system"]) {
        await page.goto(path);
        await atLogin(page);
        await page.locator('input[autocomplete="username"]').waitFor();
      }
    }));

  test("B-2.2-08, B-2.1-06, B-2.1-16, routes:route.login, routes:route.forget: the whitelist opens", () =>
    on("nobody", async (page) => {
      const shown = { "/login": /./, "/forget": /Recover your password/, [templates]: /Temp/ };
      for (const [path, title] of Object.entries(shown)) {
        await page.goto(path);
        await page.getByRole("heading").filter({ hasText: title }).first().waitFor();
        expect(pathOf(page)).toBe(path);
      }
    }));

  test("B-2.2-10, B-2.1-03, B-4-03: after the login comes the page that was wanted", () =>
    on("nobody", async (page) => {
      await page.goto(`${roles}?limit=20`);
      await atLogin(page);
      await page.locator('input[autocomplete="username"]').fill("admin");
      await page.locator('input[autocomplete="current-password"]').fill(installation.password);
      await page.locator('button[type="submit"]').click();
      await heading(page, "Role management").waitFor();
      expect(page.url()).toContain(`${roles}?limit=20`);
      const { local, session, cookie } = await storedTokens(page);
      expect(session).toMatch(/^[\w-]{43}$/);
      expect([local, cookie]).toEqual([null, session]);
    }));

  test("B-4-02, B-4-04: a remembered session outlives the browser", () =>
    on("nobody", async (page) => {
      await page.goto("/login");
      await page.locator('input[name="remember"]').check();
      await page.locator('input[autocomplete="username"]').fill("admin");
      await page.locator('input[autocomplete="current-password"]').fill(installation.password);
      await page.locator('button[type="submit"]').click();
      await page.waitForURL((url) => url.pathname !== "/login");
      const { local, session, cookie } = await storedTokens(page);
      expect(local).toMatch(/^[\w-]{43}$/);
      expect([session, cookie]).toEqual([null, local]);
      // A browser that is closed keeps its local storage; what lasts for a session is gone.
      const { origins } = await page.context().storageState();
      const baseURL = installation.url;
      const later = await browser.newContext({ baseURL, storageState: { cookies: [], origins } });
      const next = await later.newPage();
      await next.goto(roles);
      await heading(next, "Role management").waitFor();
      await later.close();
    }));
});

describe("the menu load", () => {
  test("B-2.2-01, B-2.2-02: comes once, before the page, and not again while one navigates", () =>
    on("admin", async (page) => {
      const loads = countCalls(page, "/customer/session");
      await page.goto(roles);
      await heading(page, "Role management").waitFor();
      expect(loads()).toBe(1);
      for (const name of ["User management", "API keys", "Role management"]) {
        await page.locator("aside nav").getByRole("link", { name, exact: true }).click();
        await heading(page, name).waitFor();
      }
      expect(loads()).toBe(1);
    }));

  const faults: readonly [string, (page: Page) => Promise<unknown>][] = [
    ["B-2.2-03", (page) => answered(page, sessionUrl, { code: 1, msg: "no", data: null })],
    ["B-2.2-04", (page) => answered(page, sessionUrl, { code: 0, msg: "" })],
    ["B-2.2-05", (page) => page.route(sessionUrl, (route) => route.abort())],
  ];
  test.each(faults)(
    "%s, B-8-06: that fails clears the token and opens the login",
    async (_, fault) => {
      for (const path of [roles, templates]) {
        await on("admin", async (page) => {
          await fault(page);
          await page.goto(path);
          await atLogin(page);
          await page.locator('input[autocomplete="username"]').waitFor();
          expect(await storedTokens(page)).toEqual({ local: null, session: null, cookie: null });
        });
      }
    },
  );
});

describe("template management opened from outside", () => {
  const seen = (page: Page) => {
    const tokens: (string | null)[] = [];
    page.on("request", (request) => {
      const { pathname, searchParams } = new URL(request.url());
      if (pathname === "/customer/session") tokens.push(searchParams.get("token"));
    });
    return tokens;
  };

  test("B-2.1-17, B-2.1-18, B-2.1-22: keeps the token of the address, then loads the menus with it", () =>
    on("nobody", async (page) => {
      const token = await tokenOf(installation.url, "admin", installation.password);
      const tokens = seen(page);
      await page.goto(`${templates}?a=1&token=${token}`);
      await page.getByRole("banner").waitFor();
      expect(tokens).toEqual([token]);
      expect((await storedTokens(page)).session).toBe(token);
      expect(page.url()).toBe(`${installation.url}${templates}?a=1`);
      await page.goBack();
      expect(page.url()).not.toContain(token);
    }));

  test("B-2.1-19: takes it in place of the one that was there", () =>
    on("admin", async (page, old) => {
      const token = await tokenOf(installation.url, "admin", installation.password);
      const tokens = seen(page);
      await page.goto(`${templates}?token=${token}`);
      await page.getByRole("banner").waitFor();
      expect(token).not.toBe(old);
      expect(tokens).toEqual([token]);
      const kept = await storedTokens(page);
      expect(kept).toEqual({ local: null, session: token, cookie: token });
    }));

  test("B-2.1-20: keeps the one that was there when the address brings none", () =>
    on("admin", async (page, token) => {
      const tokens = seen(page);
      await page.goto(templates);
      await page.getByRole("banner").waitFor();
      expect([tokens, (await storedTokens(page)).local]).toEqual([[token], token]);
    }));

  test("B-2.1-21: keeps nothing when it is empty", () =>
    on("nobody", async (page) => {
      await page.goto(`${templates}?token=`);
      await page.getByRole("heading", { name: "Template management" }).waitFor();
      expect(await storedTokens(page)).toEqual({ local: null, session: null, cookie: null });
      expect(page.url()).toBe(`${installation.url}${templates}`);
    }));
});

describe("an answer", () => {
  const list = "**/customer/user/list?**";
  const dead = { code: 500, msg: "token无效", data: null };

  test("B-4-06: 500 token无效 ends the session and opens the login", () =>
    on("admin", async (page) => {
      await answered(page, list, dead);
      await page.goto("/system/usermanage");
      await atLogin(page);
      expect(await storedTokens(page)).toEqual({ local: null, session: null, cookie: null });
    }));

  test("B-4-09: five of them make one navigation", () =>
    on("admin", async (page) => {
      await page.goto(roles);
      await heading(page, "Role management").waitFor();
      const gone: string[] = [];
      page.on("framenavigated", (frame) => gone.push(new URL(frame.url()).pathname));
      const held: (() => void)[] = [];
      let isReleased = false;
      await page.route(/\/customer\/(?!session)/, async (route) => {
        await new Promise<void>((resolve) => {
          held.push(resolve);
          isReleased ||= held.length >= 5;
          if (isReleased) for (const go of held.splice(0)) go();
        });
        await route.fulfill({ json: dead });
      });
      // With its session, a page and the frame around it send more than five calls at once.
      await page.goto("/sdwan-system/cpe");
      await atLogin(page);
      await pageTime(page, 500);
      expect(gone.filter((path) => path === "/login")).toHaveLength(1);
    }));

  test("B-4-11: with the header Authorization keeps the new token where the old one was", () =>
    on("nobody", async (page) => {
      await logIn(page, "admin", installation.password);
      const next = await tokenOf(installation.url, "admin", installation.password);
      await page.route(list, async (route) => {
        const response = await route.fetch();
        const headers = { ...response.headers(), authorization: next };
        await route.fulfill({ response, headers });
      });
      await page.goto("/system/usermanage");
      await page.getByRole("cell", { name: "admin" }).first().waitFor();
      const kept = await storedTokens(page);
      expect(kept).toEqual({ local: null, session: next, cookie: next });
    }));

  const refusals: readonly [string, object | null, string | RegExp][] = [
    ["B-4-07", { code: 500, msg: "the store is busy", data: null }, "the store is busy"],
    ["B-4-08", { code: 1, msg: "token无效", data: null }, "token无效"],
    ["B-8-02", { code: 7, msg: "X-7", data: null }, "X-7"],
    ["B-8-03", { code: 7, msg: "<b id=evil>bold</b>", data: null }, "<b id=evil>bold</b>"],
    ["B-8-04", { code: 7, data: null }, "Operation failed"],
    ["B-8-15", null, /^Request failed/],
  ];
  test.each(refusals)(
    "%s: that refuses is shown once, as text, and the token stays",
    (_, body, expected) =>
      on("admin", async (page, token) => {
        await addUser(page, token);
        await page.route("**/customer/user/remove?**", (route) =>
          body === null ? route.abort() : route.fulfill({ json: body }),
        );
        await page.goto("/system/usermanage");
        const row = page.locator("tr", { hasText: "togo@e2e" });
        await row.getByRole("button", { name: "Delete" }).click();
        await press(page, /Delete/);
        const toast = page.locator(".ant-notification-notice");
        await toast.getByText(expected).waitFor();
        expect(await toast.count()).toBe(1);
        expect(await page.locator("#evil").count()).toBe(0);
        expect((await storedTokens(page)).local).toBe(token);
      }),
  );
});

/** A user to remove, once. */
async function addUser(page: Page, token: string): Promise<void> {
  const reply = await page.request.post(`${installation.url}/customer/user/add`, {
    headers: { authorization: token },
    multipart: {
      loginName: "togo@e2e",
      name: "To go",
      groupid: "1",
      roleIds: "",
      phone: "",
      email: "",
      remark: "",
      password: "e2e-start1",
      oldPsw: installation.password,
    },
  });
  // The next ones find the name taken.
  expect([0, 400]).toContain(((await reply.json()) as { code: number }).code);
}

describe("leaving", () => {
  const ask = async (page: Page) => {
    await page.goto(roles);
    await heading(page, "Role management").waitFor();
    await page.getByRole("button", { name: "Account admin" }).click();
    await page.getByRole("menuitem", { name: "Log out" }).click();
    await page.getByRole("dialog").waitFor();
  };

  test("B-2.5-52, B-2.5-53: asks first, and cancelled leaves token and page", () =>
    on("admin", async (page, token) => {
      await ask(page);
      expect((await storedTokens(page)).local).toBe(token);
      await press(page, "Cancel");
      await page.getByRole("dialog").waitFor({ state: "hidden" });
      expect([pathOf(page), (await storedTokens(page)).local]).toEqual([roles, token]);
    }));

  test("B-2.5-54, B-2.5-55, B-2.5-56: confirmed clears the token everywhere, and back stays out", () =>
    on("admin", async (page, token) => {
      await page.goto("/system/usermanage");
      await ask(page);
      await press(page, "Log out");
      await atLogin(page);
      expect(await storedTokens(page)).toEqual({ local: null, session: null, cookie: null });
      await page.goBack();
      await page.locator('input[autocomplete="username"]').waitFor();
      expect(pathOf(page)).toBe("/login");
      const reply = await page.request.get(`${installation.url}/customer/session?token=${token}`);
      expect(await reply.json()).toMatchObject({ code: 500, msg: "token无效" });
    }));

  test("B-2.1-25: the account menu has no profile", () =>
    on("admin", async (page) => {
      await page.goto(roles);
      await page.getByRole("button", { name: "Account admin" }).click();
      const names = await page.locator(".ant-dropdown").getByRole("menuitem").allTextContents();
      expect(names).toEqual(["Change password", "Log out"]);
    }));
});

describe("config.json", () => {
  test("B-7.1-01: is fetched before any other call", () =>
    on("admin", async (page) => {
      const asked: string[] = [];
      page.on("request", (request) => {
        const { pathname } = new URL(request.url());
        // The page preloads it, which browsers do not count as a call.
        if (pathname === "/config.json" || ["fetch", "xhr"].includes(request.resourceType())) {
          asked.push(pathname);
        }
      });
      await page.goto(roles);
      await heading(page, "Role management").waitFor();
      expect(asked.slice(0, 2)).toEqual(["/config.json", "/customer/session"]);
    }));

  test("endpoints:auth.menuLoad B-7.1-02, B-7.1-06: calls go to BASE_URL, and the menus come from MENU_URL", () =>
    on("admin", async (page) => {
      await answered(page, "**/config.json", { BASE_URL: "/weft/", MENU_URL: "/menus" });
      const asked: string[] = [];
      await page.route("**/weft/**", async (route) => {
        const url = new URL(route.request().url());
        // A stream has no end that could be waited for.
        if (url.pathname.includes("/live/events")) return route.abort();
        asked.push(`${route.request().method()} ${url.pathname}`);
        url.pathname = url.pathname.replace("/weft", "").replace(/^\/menus$/, "/customer/session");
        await route.fulfill({ response: await route.fetch({ url: url.href }) });
      });
      const direct = countCalls(page, "/customer/role/list");
      await page.goto(roles);
      await page.getByRole("cell").first().waitFor();
      expect(asked[0]).toBe("GET /weft/menus");
      expect(asked).toContain("GET /weft/customer/role/list");
      expect(direct()).toBe(0);
    }));

  test("B-7.1-03: that cannot be fetched leaves the default address, and the login", () =>
    on("nobody", async (page) => {
      await page.route("**/config.json", (route) => route.abort());
      await page.goto("/");
      await atLogin(page);
      await logIn(page, "admin", installation.password);
      await page.getByRole("banner").waitFor();
    }));
});
