/** Versions of templates that go out in waves, as an operator sees and decides them. */
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { pictureFailures } from "#test/picture-of-failure.ts";
import { launchBrowser, logIn, type Visit, visit } from "./browser.ts";
import { confirm, dialog, fill, press, rowOf } from "./console.ts";
import { goTo } from "./go-on.ts";
import { type Installation, startDemonstration } from "./installation.ts";

/** Ms for devices to apply a state and to confirm it on a busy machine. */
const patienceMs = 120_000;

describe("waves in the console", () => {
  let installation: Installation;
  let browser: Browser;
  let person: Visit;
  let page: Page;
  const openTemplate = async (name: string): Promise<void> => {
    await goTo(page, "/business/template");
    await rowOf(page, name).getByRole("link", { name: "Template" }).click();
    await page.getByRole("heading", { name }).waitFor();
  };
  const panel = () => page.locator("[data-rollout]");
  const untilState = (state: string) =>
    page.locator(`[data-rollout="${state}"]`).waitFor({ timeout: patienceMs });
  const button = (name: string) => panel().getByRole("button", { name });
  const issue = () => page.getByRole("button", { name: "Publish", exact: true }).click();
  const member = (name: string) => panel().locator(".ant-table-row", { hasText: name });
  const wave = (number: number) => panel().getByRole("button", { name: `Wave ${number}` });

  beforeAll(async () => {
    installation = await startDemonstration();
    browser = await launchBrowser();
    person = await visit(browser, installation.url);
    page = person.page;
    page.setDefaultTimeout(60_000);
    await logIn(page, "admin", installation.password);
  }, 240_000);
  afterAll(async () => {
    await browser?.close();
    await installation?.close();
  }, 60_000);
  pictureFailures("waves", () => page);

  test("a halted rollout names the gate, the CPE, and the version that is bad", async () => {
    await goTo(page, "/business/template");
    await rowOf(page, "门店上网管控").getByText("v2 · Bad version").waitFor();
    await openTemplate("门店上网管控");
    await untilState("halted");
    await panel().getByText("Wave 2 failed: fewer links up on 1 CPE.").waitFor();
    await member("嘉兴门店-01").getByText("1 link up, 2 before").waitFor();
    await wave(1).press("Enter");
    await member("嘉兴门店-01").waitFor({ state: "detached" });
    await member("金华门店-01").waitFor();
    expect(await wave(1).getAttribute("aria-pressed")).toBe("true");
  });

  test("an operator starts the next wave, halts it, and rolls back what it reached", {
    timeout: patienceMs,
  }, async () => {
    await openTemplate("基础接入");
    await button("Start wave 2").click();
    await dialog(page).getByText("2 CPEs get version 2.").waitFor();
    await confirm(page, "Start wave 2");
    await untilState("running");
    await button("Halt").click();
    await dialog(page)
      .getByText(/Nothing more goes out; \d CPEs? keeps? version 2/)
      .waitFor();
    await confirm(page, "Halt");
    await untilState("halted");
    await panel().getByText("An operator halted it in wave 2").waitFor();
    await button("Roll back").click();
    await dialog(page).getByText("version 2 is marked as bad").waitFor();
    await confirm(page, "Roll back");
    await untilState("rolledBack");
    expect(await button("Roll back").count()).toBe(0);
  });

  test("a version is published in waves that a plan describes, and completes", {
    timeout: 2 * patienceMs,
  }, async () => {
    await openTemplate("医院接入");
    await issue();
    await dialog(page)
      .getByRole("radio", { name: /^In waves/ })
      .check();
    await dialog(page).getByText("3 waves: 1 + 1 + 1 CPEs").waitFor();
    const sizes = dialog(page).getByRole("textbox", { name: /^Waves/ });
    await sizes.fill("1, many");
    await press(page, "Start the first wave");
    await dialog(page).getByText("Must be numbers of CPEs or percentages").waitFor();
    await sizes.fill("1");
    await fill(page, { "Soak time": "5" });
    await dialog(page).getByText("2 waves: 1 + 2 CPEs").waitFor();
    await press(page, "Start the first wave");
    await page.getByText("Started; the overview of the template shows the waves").waitFor();
    await untilState("running");
    await issue();
    await press(page, "Publish");
    await page.getByText("version 1 of template “医院接入” is going out in waves").waitFor();
    await page.keyboard.press("Escape");
    await untilState("completed");
    await panel().getByText("All waves passed: 3 CPEs").waitFor();
    expect(person.errors).toEqual([]);
  });
});
