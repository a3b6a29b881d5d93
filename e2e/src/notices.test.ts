/** What is due: the bell and its panel against a real fleet, and against answers that only a test gives. */
import { cpe } from "@weft/contract/domains/devices/cpe.ts";
import { pop } from "@weft/contract/domains/devices/pop.ts";
import { mobileAccount } from "@weft/contract/domains/mobile/mobile-account.ts";
import type { Page } from "playwright-core";
import { beforeAll, describe, expect, test } from "vitest";
import { adminOf } from "#e2e/people.ts";
import { answered, countCalls, pathOf } from "#e2e/wire.ts";
import { button, type Opening, ownShells, soon } from "#test/shell-page.ts";
import { pageTime } from "./page-time.ts";

const { open, installation } = ownShells();
const url = "**/temp/expireDevice**";
const day = 86_400_000;
const item = {
  id: 1,
  alias: "Only-one",
  expireTime: `${new Date(Date.now() + day).toISOString().slice(0, 10)} 00:00:00`,
};
const lists = (cpeList: readonly object[]) => ({
  code: 0,
  msg: "",
  data: { cpeList, popList: [], clientList: [] },
});
const panel = (page: Page) => page.locator(".ant-popover:not(.ant-popover-hidden)");
const isOpen = (page: Page) => panel(page).isVisible();

/** The shell with this answer to the notice fetch, once that was answered. */
const withNotices = async (answer: object, opening: Opening = {}) => {
  let fetched: Promise<unknown> | undefined;
  const prepare = async (page: Page): Promise<void> => {
    await answered(page, url, answer);
    fetched = page.waitForResponse(url);
  };
  const shell = await open({ ...opening, path: "/blank", prepare });
  await fetched;
  return shell;
};

describe("the panel", () => {
  test("B-2.6-05, B-2.1-26: opens by itself on a wide screen when something is due, and leads on", async () => {
    const { page } = await withNotices(lists([item]));
    await panel(page).getByText("Only-one").waitFor();
    // It takes no focus.
    expect(await page.evaluate("document.activeElement === document.body")).toBe(true);
    await panel(page).getByRole("link", { name: "View more" }).click();
    await page.waitForURL((to) => to.pathname === "/user/message");
  });

  test.each([
    ["B-2.6-06", 0, 1_440],
    ["B-2.6-07", 1, 700],
  ])("%s: stays closed with %d items at %d px", async (_, count, width) => {
    const { page } = await withNotices(lists([item].slice(0, count)), { width });
    await pageTime(page, 1_000);
    expect(await isOpen(page)).toBe(false);
  });

  test("B-2.6-28: that was closed does not open again with the next fetch", async () => {
    let asked = (): number => 0;
    const prepare = async (page: Page): Promise<void> => {
      await page.clock.install();
      await answered(page, url, lists([item]));
      asked = countCalls(page, "/temp/expireDevice");
    };
    const { page } = await open({ path: "/blank", apart: true, prepare });
    await panel(page).waitFor();
    await page.getByRole("button", { name: /^Expiry notices/ }).click();
    await panel(page).waitFor({ state: "detached" });
    const before = asked();
    await page.clock.fastForward("30:00");
    await soon(async () => asked()).toBeGreaterThan(before);
    await page.clock.runFor(2_000);
    expect(await isOpen(page)).toBe(false);
  });

  test("B-7.1-18, B-8-13: a failed fetch shows no error, and the console keeps working", async () => {
    const refused = { code: 500, msg: "notices are out of order", data: null };
    const { page, errors } = await withNotices(refused);
    await pageTime(page, 1_000);
    expect(await page.getByText("notices are out of order").count()).toBe(0);
    expect([await isOpen(page), errors]).toEqual([false, []]);
    await button(page, "Display settings").click();
    await page.locator(".w-settings").waitFor();
  });
});

describe("a link of the panel", () => {
  const at = (days: number) => new Date(Date.now() + days * day);
  beforeAll(async () => {
    const call = await adminOf(installation());
    const site = {
      groupid: 1,
      enable: true,
      xMode: 0,
      areaId: null,
      timezone: null,
      remark: "",
    } as const;
    const nowhere = { longitude: null, latitude: null };
    for (const [alias, days] of [
      ["Due-A1", 3],
      ["Over-A2", -3],
      ["4", 4],
    ] as const) {
      const sn = `NOTICE${days + 10}`;
      await call(cpe.ops.add, { ...site, ...nowhere, alias, sn, expireTime: at(days) });
    }
    const place = { groupid: 1, regions: "", bandwidth: null, remark: "", ...nowhere };
    await call(pop.ops.add, { ...place, name: "Due-P1", sn: "NOTICEP1", expireTime: at(3) });
    await call(mobileAccount.ops.add, {
      groupid: 1,
      loginName: "notice1",
      alias: "Due-C1",
      terminalType: 6,
      enable: true,
      txbps: null,
      rxbps: null,
      popId: null,
      phone: null,
      email: null,
      remark: "",
      expire: at(3),
    });
  }, 60_000);

  const opened = async (tab: RegExp) => {
    const { page } = await open({ path: "/blank" });
    await panel(page).waitFor();
    await panel(page).getByRole("tab", { name: tab }).click();
    return page;
  };
  const press = (page: Page, name: string) =>
    panel(page).getByRole("tabpanel").getByRole("link", { name, exact: true }).click();

  test.each([
    ["B-2.6-21", /^CPE/, "Due-A1", "/sdwan-system/cpe"],
    ["B-2.6-22", /^POP/, "Due-P1", "/sdwan-system/pop"],
    ["B-2.6-23", /^Client/, "Due-C1", "/sdwan-system/mobileTerminal/account"],
  ])("%s: of %s opens the list with %s alone", async (_, tab, name, path) => {
    const page = await opened(tab);
    await press(page, name);
    await page.waitForURL((to) => to.pathname === path && to.searchParams.get("key") === name);
    await soon(() => page.locator(".w-content tbody tr[data-row-key]").count()).toBe(1);
    expect(await page.locator(".w-content tbody tr[data-row-key]").textContent()).toContain(name);
  });

  test.each([
    ["B-2.6-24", "Due soon", "4", "Due-A1", "Over-A2"],
    ["B-2.6-25", "Expired", "5", "Over-A2", "Due-A1"],
  ])("%s: %s opens the list of that state", async (_, name, key, there, gone) => {
    const page = await opened(/^CPE/);
    await press(page, name);
    await page.waitForURL((to) => to.searchParams.get("key") === key);
    const rows = page.locator(".w-content tbody");
    await rows.getByText(there, { exact: true }).first().waitFor();
    expect(await rows.getByText(gone, { exact: true }).count()).toBe(0);
  });

  test("B-2.6-26: to a device that is called 4 finds it, and not what is about to expire", async () => {
    const page = await opened(/^CPE/);
    const asked = page.waitForRequest((to) => to.url().includes("/customer/cpe/findAll"));
    await press(page, "4");
    const { searchParams } = new URL((await asked).url());
    expect([searchParams.get("alias"), searchParams.get("key") || null]).toEqual(["4", null]);
    await page.locator(".w-content tbody").getByText("4", { exact: true }).first().waitFor();
  });

  test("B-2.6-27: filters the list by exactly that name, also with special characters", async () => {
    const alias = "A&B=1/2";
    const { page } = await withNotices(lists([{ ...item, alias }]));
    const asked = page.waitForRequest((to) => to.url().includes("/customer/cpe/findAll"));
    await press(page, alias);
    expect(new URL((await asked).url()).searchParams.get("key")).toBe(alias);
    expect([pathOf(page), new URL(page.url()).searchParams.get("key")]).toEqual([
      "/sdwan-system/cpe",
      alias,
    ]);
  });
});

describe("notices of every screen", () => {
  test.each([
    ["zh_cn", "保存", "操作成功", "31"],
    ["en_gb", "Save", "Successful", "30"],
  ] as const)(
    "B-8-05: a save in %s is answered with its text",
    async (language, save, done, days) => {
      const { page } = await open({ language, path: "/personalcenter/paramconfig" });
      await page
        .locator("#expireNoticeDays, input[name=expireNoticeDays], .ant-input-number input")
        .first()
        .fill(days);
      await button(page, save).click();
      await page.locator(".ant-message").getByText(done, { exact: true }).waitFor();
    },
  );

  test("B-8-14: a removal asks for confirmation and removes nothing when cancelled", async () => {
    const { page } = await open({ path: "/sdwan-system/cpe?alias=Over-A2" });
    const sent = countCalls(page, "/customer/cpe/remove");
    const row = page.locator(".w-content tbody tr[data-row-key]");
    await row.getByText("Delete", { exact: true }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByText("Over-A2").first().waitFor();
    await dialog.getByRole("button", { name: "Cancel" }).click();
    await dialog.waitFor({ state: "detached" });
    expect([sent(), await row.count()]).toEqual([0, 1]);
  });
});
