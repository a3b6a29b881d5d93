import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { pictureFailures } from "#test/picture-of-failure.ts";
import { launchBrowser, logIn, visit } from "./browser.ts";
import { choose, dialog, fill, press, rowOf, save } from "./console.ts";
import { type Installation, startDemonstration } from "./installation.ts";
import { openReceivers, type Receivers, robotSecret } from "./receivers.ts";

describe("robots and webhooks in the console", () => {
  let installation: Installation;
  let browser: Browser;
  let page: Page;
  let receivers: Receivers;
  let secret = "";
  beforeAll(async () => {
    receivers = await openReceivers(() => secret);
    installation = await startDemonstration({ WEFT_HOOK_NETWORKS: "127.0.0.0/8" });
    browser = await launchBrowser();
    ({ page } = await visit(browser, installation.url));
    page.setDefaultTimeout(60_000);
    await logIn(page, "admin", installation.password);
  }, 240_000);
  afterAll(async () => {
    await browser?.close();
    await installation?.close();
    await receivers?.close();
  }, 60_000);
  pictureFailures("channels", () => page);

  const takenBy = (by: string) => receivers.taken.filter((one) => one.by === by);

  test("a recipient with a robot is tested, and the page shows what the robot answered", async () => {
    await page.goto("/personalcenter/messageremanage");
    await page.getByRole("button", { name: "Add recipient" }).first().click();
    await fill(page, { Name: "duty-robots" });
    await dialog(page).getByRole("switch", { name: "Receive by e-mail" }).click();
    await dialog(page).getByRole("switch", { name: "Receive by DingTalk" }).click();
    await press(page, "Save");
    // What is switched on has an address.
    await dialog(page).getByText("Required").first().waitFor();
    await fill(page, {
      "DingTalk robot address": receivers.dingtalk,
      "DingTalk signing secret": "SEC-of-another",
    });
    await save(page);
    await rowOf(page, "duty-robots").getByRole("button", { name: "Deliveries" }).click();
    await press(page, "Test DingTalk");
    const shown = dialog(page);
    await shown.getByText("the robot answered 310000: sign not match").waitFor();
    await shown.getByText("Not delivered").waitFor();
    expect(takenBy("dingtalk")).toEqual([]);
    await page.keyboard.press("Escape");
    await rowOf(page, "duty-robots").getByRole("button", { name: "Edit" }).click();
    await dialog(page).getByRole("switch", { name: "Receive by WeChat Work" }).click();
    await fill(page, {
      "DingTalk signing secret": robotSecret,
      "WeChat Work robot address": receivers.wechat,
    });
    await save(page);
    await rowOf(page, "duty-robots").getByRole("button", { name: "Deliveries" }).click();
    await press(page, "Test DingTalk");
    await dialog(page).getByText('200 {"errcode":0,"errmsg":"ok"}').waitFor();
    await press(page, "Test WeChat Work");
    await expect.poll(() => takenBy("wechat").length, { timeout: 60_000 }).toBe(1);
    expect(takenBy("dingtalk").map(({ body }) => body.includes("测试消息"))).toEqual([true]);
  }, 240_000);

  test("a webhook with a generated secret is tested; its receiver finds the signature right", async () => {
    await page.goto("/system/webhook");
    await page.getByRole("button", { name: "Add webhook" }).first().click();
    await fill(page, { Name: "itsm", Address: receivers.webhook });
    await press(page, "Generate");
    const field = dialog(page).getByLabel("Signing secret");
    secret = await field.inputValue();
    expect(secret).toMatch(/^whsec_.{44}$/);
    await choose(page, dialog(page).getByLabel("Events"), "Alarm opened");
    await page.keyboard.press("Tab");
    await save(page);
    await rowOf(page, "itsm").getByRole("button", { name: "Deliveries" }).click();
    await press(page, "Send a test message");
    const row = dialog(page).locator("tr", { hasText: "webhook.test" }).first();
    await row.getByText("200 thank you").waitFor();
    // Alarms of the demonstration come beside it.
    const tests = () => takenBy("webhook").filter(({ body }) => body.includes("webhook.test"));
    expect(tests()).toHaveLength(1);
    // The delivery opens to its attempts and its body, and is replayed with the same id.
    await row.locator(".ant-table-row-expand-icon").click();
    await dialog(page).locator(".ant-table-expanded-row").first().waitFor();
    await row.getByRole("button", { name: "Send again" }).click();
    await expect.poll(() => tests().length, { timeout: 60_000 }).toBe(2);
    const [first, second] = tests();
    expect(second?.body).toBe(first?.body);
  }, 240_000);

  test("an alarm arrives at the DingTalk robot, the WeChat Work robot and the webhook", async () => {
    receivers.taken.length = 0;
    await page.goto("/devopsmonitor/warningpolicy");
    await page.getByRole("button", { name: "Add policy" }).click();
    await fill(page, { Name: "robot-watch" });
    await choose(page, dialog(page).getByLabel("Recipients"), "duty-robots");
    await page.keyboard.press("Tab");
    await save(page);
    await page.getByText("Rules of robot-watch").waitFor();
    await press(page, "Add rule");
    await dialog(page).getByText("Recovery time").waitFor();
    await choose(page, dialog(page).getByLabel("Metric"), "Memory use");
    await choose(page, dialog(page).getByLabel("Comparison"), ">=");
    await fill(page, { Threshold: "0", Duration: "0" });
    await save(page);
    // Devices measure every 15 s, and a notification waits for what belongs to it.
    for (const by of ["dingtalk", "wechat"]) {
      await expect
        .poll(() => takenBy(by).some(({ body }) => body.includes("robot-watch")), {
          timeout: 240_000,
        })
        .toBe(true);
    }
    await expect
      .poll(() => takenBy("webhook").some(({ body }) => body.includes('"policy":"robot-watch"')), {
        timeout: 60_000,
      })
      .toBe(true);
  }, 600_000);
});
