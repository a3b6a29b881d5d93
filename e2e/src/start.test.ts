import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Display, desk, launchBrowser, logIn, visit } from "./browser.ts";
import { press, rowOf } from "./console.ts";
import { type Installation, startInstallation } from "./installation.ts";

/** A site without troubles: the list starts with those that have some, and these change. */
const site = `/sdwan-system/cpe?alias=${encodeURIComponent("温州门店-01")}`;

/** The default of most systems: reduced motion is not requested. */
const asAnyone: Display = { ...desk, motion: true };

describe("npm start", () => {
  let installation: Installation;
  let browser: Browser;

  beforeAll(async () => {
    installation = await startInstallation();
    browser = await launchBrowser();
    // A first start builds the console and a month of the past; other browsers run beside it.
  }, 360_000);

  afterAll(async () => {
    await browser?.close();
    await installation?.close();
  }, 30_000);

  test("reports that it is ready", async () => {
    expect((await fetch(`${installation.url}/healthz`)).status).toBe(200);
    expect((await fetch(`${installation.url}/readyz`)).status).toBe(200);
  });

  test("admin logs in and sees a connected fleet, in both languages and modes", async () => {
    const texts = { zh_cn: "在线", en_gb: "Online" } as const;
    for (const language of ["zh_cn", "en_gb"] as const) {
      for (const dark of [false, true]) {
        const display: Display = { ...asAnyone, language, dark };
        const { page, context, errors } = await visit(browser, installation.url, display);
        await logIn(page, "admin", installation.password);
        await page.goto(site);
        await rowOf(page, "温州门店-01").getByText(texts[language]).waitFor({ timeout: 180_000 });
        expect(errors).toEqual([]);
        await context.close();
      }
    }
  }, 300_000);

  test("a first visit fetches one program until the user types, and shows an error if the rest cannot be loaded", async () => {
    const { page, context } = await visit(browser, installation.url, asAnyone);
    const fetched: string[] = [];
    page.on("request", (request) => {
      const part = /\/assets\/([a-z-]+)-[\w-]{8}\.js$/.exec(request.url())?.[1];
      if (part !== undefined) fetched.push(part);
    });
    // The last request without an action of the user.
    const site = page.waitForResponse("**/api/config");
    await page.goto("/login");
    await site;
    expect(fetched.sort()).toEqual(["rolldown-runtime", "start"]);
    const enter = async (): Promise<void> => {
      await page.locator('[name="loginName"]').fill("admin");
      await page.locator('[name="password"]').fill(installation.password);
      await page.locator('button[type="submit"]').click();
    };
    const calls = /\/assets\/calls-/;
    await page.route(calls, (route) => route.abort());
    await enter();
    await page.getByText("ChunkLoadError").waitFor();
    await page.unroute(calls);
    await page.getByRole("button", { name: "Reload" }).click();
    await enter();
    await page.waitForURL((to) => to.pathname !== "/login");
    await context.close();
  });

  test("nothing moves under the pointer while the state of a node is loading", async () => {
    const { page, context, errors } = await visit(browser, installation.url, asAnyone);
    await logIn(page, "admin", installation.password);
    let answer = () => {};
    const held = new Promise<void>((resolve) => {
      answer = resolve;
    });
    await page.route("**/customer/nodeState/getById**", async (route) => {
      await held;
      await route.continue();
    });
    await page.goto(site);
    await rowOf(page, "温州门店-01").getByRole("link", { name: "Configure" }).click();
    const add = page.getByRole("button", { name: "Add WAN link" }).first();
    await page.getByRole("heading", { name: "温州门店-01" }).waitFor();
    // Nothing can be clicked before its position is known.
    expect(await add.count()).toBe(0);
    answer();
    await add.waitFor();
    const before = await add.boundingBox();
    await page.getByText("Running", { exact: true }).locator("..").getByText("#").waitFor();
    await page.waitForLoadState("networkidle");
    expect(await add.boundingBox()).toEqual(before);
    expect(errors).toEqual([]);
    await context.close();
  });

  test("a controller that hangs makes what is shown old; calls end, and the next ones work", async () => {
    const { page, context } = await visit(browser, installation.url, asAnyone);
    await logIn(page, "admin", installation.password);
    await page.goto("/sdwan-system/cpe");
    const configure = page.getByRole("link", { name: "Configure" });
    const details = page.getByText("Last contact", { exact: true });
    const opened = await configure.first().getAttribute("href");
    // The code of the next screen is there then: for a file of the console 120 s are given (section 7.4).
    await page.locator(`a[href="${opened}"]`).getByText("Configure").click();
    await details.waitFor();
    await page.goBack();
    // The list is sorted again meanwhile, and of a node that was open already the page has its last answer.
    const another = configure.and(page.locator(`:not([href="${opened}"])`)).first();
    await another.waitFor();
    const old = page.getByText(/Not updated since/);
    expect(await old.count()).toBe(0);
    installation.process.kill("SIGSTOP");
    try {
      // No answer is an answer of its own: two intervals, or the end of a call, whichever is first.
      await old.first().waitFor({ timeout: 60_000 });
      expect(await another.isVisible()).toBe(true);
      await another.click();
      await page.getByText("did not answer within 10 s").first().waitFor({ timeout: 30_000 });
    } finally {
      installation.process.kill("SIGCONT");
    }
    // What refreshes itself may be answered first: then there is nothing left to retry.
    await Promise.race([
      page.getByRole("button", { name: "Retry" }).first().click(),
      details.waitFor(),
    ]);
    await details.waitFor();
    await page.goBack();
    await another.waitFor();
    await old.first().waitFor({ state: "detached" });
    await context.close();
  });

  test("leaving the demonstration starts an empty installation with the same login", async () => {
    const { page, context } = await visit(browser, installation.url, asAnyone);
    await logIn(page, "admin", installation.password);
    await page.getByRole("button", { name: "Demo", exact: true }).click();
    await page.getByRole("button", { name: "Leave the demonstration" }).click();
    await page.getByRole("dialog", { name: "Leave the demonstration?" }).waitFor();
    await press(page, "Leave the demonstration");
    await page.waitForURL("**/login**", { timeout: 60_000 });
    await logIn(page, "admin", installation.password);
    await page.goto("/sdwan-system/cpe");
    await page.getByRole("button", { name: "Add CPE" }).first().waitFor();
    expect(await page.getByText("温州门店-01").count()).toBe(0);
    expect(await page.getByRole("button", { name: "Demo", exact: true }).count()).toBe(0);
    await context.close();
  });

  test("shuts down in order on a signal", async () => {
    installation.process.kill("SIGTERM");
    const code = await new Promise((resolve) => installation.process.once("exit", resolve));
    expect(code).toBe(0);
  });
});
