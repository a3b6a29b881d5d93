import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { pictureFailures } from "#test/picture-of-failure.ts";
import { launchBrowser, logIn, visit } from "./browser.ts";
import { choose, dialog, fill, press, rowOf, save } from "./console.ts";
import { type Installation, startDemonstration } from "./installation.ts";
import { countCalls } from "./wire.ts";

describe("alarms in the console", () => {
  let installation: Installation;
  let browser: Browser;
  let page: Page;
  const toRules = async (policy: string): Promise<void> => {
    await page.goto("/devopsmonitor/warningpolicy");
    await rowOf(page, policy).getByRole("button", { name: "Rules" }).click();
    await page.getByText(`Rules of ${policy}`).waitFor();
  };
  const addRule = async (metric: string): Promise<void> => {
    await press(page, "Add rule");
    await dialog(page).getByText("Recovery time").waitFor();
    await choose(page, dialog(page).getByLabel("Metric"), metric);
  };
  beforeAll(async () => {
    installation = await startDemonstration();
    browser = await launchBrowser();
    ({ page } = await visit(browser, installation.url));
    page.setDefaultTimeout(60_000);
    await logIn(page, "admin", installation.password);
  }, 240_000);
  afterAll(async () => {
    await browser?.close();
    await installation?.close();
  }, 60_000);
  pictureFailures("alarms", () => page);

  test("B-1-21: a recipient is added, changed and removed", async () => {
    await page.goto("/personalcenter/messageremanage");
    await page.getByRole("button", { name: "Add recipient" }).first().click();
    await fill(page, { Name: "night-shift" });
    await press(page, "Save");
    // Who is to get mails has an address.
    await dialog(page).getByText("Required").first().waitFor();
    await fill(page, { "E-mail": "night@example.com" });
    await save(page);
    await rowOf(page, "night@example.com").waitFor();
    await rowOf(page, "night-shift").getByRole("button", { name: "Edit" }).click();
    await fill(page, { "E-mail": "later@example.com" });
    await save(page);
    await rowOf(page, "later@example.com").waitFor();
    await rowOf(page, "night-shift").getByRole("button", { name: "Delete" }).click();
    await press(page, "Delete");
    await rowOf(page, "night-shift").waitFor({ state: "detached" });
  });

  test("B-1-19: a policy with a rule is made, and a measured value raises an event", async () => {
    await page.goto("/devopsmonitor/warningpolicy");
    await page.getByRole("button", { name: "Add policy" }).click();
    await fill(page, { Name: "memory-watch" });
    await save(page);
    await page.getByText("Rules of memory-watch").waitFor();
    await addRule("Memory use");
    await choose(page, dialog(page).getByLabel("Comparison"), ">=");
    await fill(page, { Threshold: "0", Duration: "0" });
    await save(page);
    await rowOf(page, "Memory use").waitFor();
    await page.goto("/devopsmonitor/alarm?metric=mem");
    // Devices measure every 15 s, and the first metrics wait for the fleet to be there.
    const found = page.getByText(/Memory use \d/);
    await expect.poll(() => found.count(), { timeout: 240_000 }).toBeGreaterThan(0);
  }, 300_000);

  test("B-5-11: a threshold of 101 is refused with a message, and no call is sent", async () => {
    await toRules("memory-watch");
    await addRule("Packet loss");
    await choose(page, dialog(page).getByLabel("Comparison"), ">");
    const added = countCalls(page, "/customer/alarmRule/add");
    await fill(page, { Threshold: "101" });
    await press(page, "Save");
    await dialog(page).getByText("The alarm threshold must not exceed 100").waitFor();
    expect(added()).toBe(0);
    await fill(page, { Threshold: "100" });
    await save(page);
    expect(added()).toBe(1);
  });

  test("the header counts what no one has acknowledged and leads to it, as the address of old messages does", async () => {
    await page.goto("/sdwan-system/pop");
    await page.getByRole("link", { name: /^Alarms not acknowledged: .*\d/ }).click();
    await page.waitForURL("**/devopsmonitor/alarm?handled=0");
    await rowOf(page, "Memory use").waitFor();
    // A group opens to its alarms, and each can be acknowledged alone.
    await rowOf(page, "Memory use").locator(".ant-table-row-expand-icon").click();
    const alarm = page.locator("li", { hasText: /Memory use \d/ }).first();
    await alarm.getByRole("button", { name: "Acknowledge" }).waitFor();
    await page.goto("/devopsmonitor/warningpolicy?tab=events&metric=mem");
    await page.waitForURL("**/devopsmonitor/alarm?metric=mem");
    await rowOf(page, "Memory use").waitFor();
  });

  test("an event is handled with a remark and shows the user", async () => {
    await page.goto("/devopsmonitor/alarm?metric=mem");
    await rowOf(page, "Memory use").getByRole("button", { name: "Acknowledge" }).click();
    await fill(page, { Remark: "more memory is ordered" });
    await press(page, "Acknowledge");
    await page.getByText("Successful").waitFor();
    // New events may have pushed it to another page meanwhile.
    await page.goto("/devopsmonitor/alarm?all=1&handled=1");
    await rowOf(page, "Memory use").getByText("Acknowledged", { exact: true }).waitFor();
  });

  test("B-1-21: the message about it is read and marked as read", async () => {
    const rows = page.locator("tr", { hasText: "[Weft alarm] memory-watch" });
    const unread = async (): Promise<number> => {
      await page.goto("/user/message?status=0");
      await page.getByText(/^as of/).waitFor();
      return rows.count();
    };
    await expect.poll(unread, { timeout: 90_000 }).toBeGreaterThan(0);
    const marked = page.waitForResponse((one) => one.request().method() === "POST");
    await rows.first().getByRole("button", { name: "Mark as read" }).click();
    // Leaving before that cancels the call.
    await marked;
    await page.goto("/user/message?status=1");
    await rows.first().waitFor();
  });
});
