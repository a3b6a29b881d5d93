/** The palette in a real browser: what it finds, for whom, and where the focus goes. */
import { cpe } from "@weft/contract/domains/devices/cpe.ts";
import { enterpriseCombo } from "@weft/contract/domains/enterprises/enterprise.ts";
import type { Locator, Page } from "playwright-core";
import { expect, test } from "vitest";
import { lastInputOf } from "#e2e/last-input.ts";
import { addPerson, adminOf, tokenOf } from "#e2e/people.ts";
import { button, shells, soon } from "#test/shell-page.ts";

const { open, installation } = shells();

const palette = (page: Page) => page.locator("dialog[open]");
const field = (page: Page) => palette(page).getByRole("combobox");
const options = (page: Page) => palette(page).getByRole("option");
const option = (page: Page, name: string | RegExp) => palette(page).getByRole("option", { name });
const active = (page: Page) => palette(page).locator('[role="option"][aria-selected="true"]');
const pathOf = (page: Page) => new URL(page.url()).pathname;

async function openPalette(page: Page, text = ""): Promise<void> {
  await page.keyboard.press("Control+k");
  await field(page).waitFor();
  if (text !== "") await page.keyboard.type(text);
}

test("opens by its key and its button, and gives the focus back", async () => {
  const { page, errors } = await open({ path: "/sdwan-system/pop" });
  const finder = button(page, "Quick search Ctrl K");
  expect(await finder.textContent()).toBe("Ctrl K");
  expect(await finder.getAttribute("aria-keyshortcuts")).toBe("Control+K");
  const filter = page.locator("[data-search]");
  await filter.focus();
  await openPalette(page);
  expect(await field(page).evaluate((one) => one === document.activeElement)).toBe(true);
  await page.keyboard.press("Escape");
  await palette(page).waitFor({ state: "detached" });
  expect(await filter.evaluate((one) => one === document.activeElement)).toBe(true);

  await finder.click();
  await field(page).waitFor();
  await page.keyboard.press("Control+k");
  await palette(page).waitFor({ state: "detached" });
  expect(await finder.evaluate((one) => one === document.activeElement)).toBe(true);
  await finder.click();
  await page.mouse.click(4, 4);
  await palette(page).waitFor({ state: "detached" });
  // Over a form as well, which stays as it was.
  await button(page, "Add POP").click();
  const name = page.locator(".ant-drawer").getByLabel("Name").first();
  await name.fill("half done");
  await openPalette(page, "links");
  expect(await field(page).inputValue()).toBe("links");
  await page.keyboard.press("Escape");
  await palette(page).waitFor({ state: "detached" });
  expect(await name.evaluate((one) => one === document.activeElement)).toBe(true);
  expect(await name.inputValue()).toBe("half done");
  expect(errors).toEqual([]);
});

test("finds screens that are in no menu, and opens them", async () => {
  const { page, errors } = await open({ path: "/sdwan-system/pop" });
  const hidden = {
    Blacklist: "/system/blacklist",
    "CPE dial tasks": "/sdwan-system/cpe/dialTask",
    "Enterprise info": "/sdwan-system/enterprisemanage/enterpriseInfo",
    "Company audit": "/sdwan-system/enterprisemanage/companyAudit",
  };
  for (const [title, path] of Object.entries(hidden)) {
    await openPalette(page, title);
    await option(page, new RegExp(title)).first().click();
    await soon(async () => pathOf(page)).toBe(path);
    await page.locator("main h1").first().waitFor();
  }
  expect(errors).toEqual([]);
});

test("finds screens by the title of either language, and remembers what was selected", async () => {
  const { page } = await open({ language: "zh_cn", path: "/sdwan-system/pop" });
  await openPalette(page, "circuit m");
  await soon(() => active(page).textContent()).toBe("线路管理Circuit management");
  expect(await active(page).locator("mark").textContent()).toBe("Circuit m");
  await page.keyboard.press("Enter");
  await page.waitForURL((url) => url.pathname === "/business-system/circuitmanage");

  await openPalette(page);
  await soon(() =>
    palette(page).getByRole("group").first().getAttribute("aria-labelledby"),
  ).toContain("recent");
  expect(await options(page).first().textContent()).toContain("线路管理");
  const first = await field(page).getAttribute("aria-activedescendant");
  expect(first).toBe(await options(page).first().getAttribute("id"));
  await page.keyboard.press("ArrowUp");
  expect(await field(page).getAttribute("aria-activedescendant")).toBe(
    await options(page).last().getAttribute("id"),
  );
  await page.keyboard.press("Home");
  expect(await field(page).getAttribute("aria-activedescendant")).toBe(first);
  await page.keyboard.press("ArrowDown");
  expect(await active(page).getAttribute("id")).toBe(await options(page).nth(1).getAttribute("id"));
  await page.keyboard.press("End");
  expect(await active(page).textContent()).toBe("退出登录");
});

test("finds devices by name or serial number, POPs and enterprises", async () => {
  const { page } = await open({ path: "/sdwan-system/pop" });
  await openPalette(page, "demo-cpe-0102");
  await soon(() => active(page).textContent()).toContain("杭州门店-01");
  expect(await active(page).locator("mark").textContent()).toBe("DEMO-CPE-0102");
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: "杭州门店-01" }).waitFor();

  await openPalette(page, "上海-01");
  await option(page, /^上海-01/)
    .first()
    .click();
  await page.waitForURL((url) => url.pathname === "/sdwan-system/pop/popTable/detail");
  await openPalette(page, "蓝海");
  await soon(() => active(page).textContent()).toContain("蓝海零售");
  await page.keyboard.press("Enter");
  await page.waitForURL(
    (url) => url.pathname === "/sdwan-system/enterprisemanage/enterprise/overview",
  );
  await page.getByRole("heading", { level: 1, name: "蓝海零售" }).waitFor();
  // A row is among the last choices too, and leads where it led.
  await openPalette(page);
  expect(await options(page).nth(2).textContent()).toContain("杭州门店-01");
});

test("finds a site by pinyin initials and by an address, and offers what can be done with it", async () => {
  const { page, errors } = await open({ path: "/sdwan-system/pop" });
  await openPalette(page, "wzmd");
  await soon(() => active(page).textContent()).toContain("温州门店-01");
  await page.keyboard.press("ArrowRight");
  await soon(() => options(page).allTextContents()).toEqual([
    "Open",
    "Configure",
    "Logs",
    "Links",
    "Alarms",
    "Changes",
  ]);
  await page.keyboard.press("Escape");
  expect(await field(page).inputValue()).toBe("wzmd");
  await soon(() => active(page).textContent()).toContain("温州门店-01");
  await page.keyboard.press("ArrowRight");
  await page.keyboard.type("chan");
  await soon(() => options(page).allTextContents()).toEqual(["Changes"]);
  await page.keyboard.press("Enter");
  await page.waitForURL((url) => url.pathname === "/system/recordmanage/operaRecord");
  expect(new URL(page.url()).searchParams.get("nodeId")).toMatch(/^[1-9]\d*$/);

  const call = await adminOf(installation());
  const { data } = await call(cpe.ops.list, {
    page: 1,
    limit: 1,
    orderByColumn: null,
    isAsc: null,
    areaId: null,
    key: null,
    alias: "温州门店-01",
    groupid: null,
    linkStatus: null,
    tone: null,
  });
  const host = (data[0]?.lanIp ?? "").replace(/\d+\/\d+$/, "77");
  await openPalette(page, host);
  await soon(() => active(page).textContent()).toMatch(/^温州门店-01.*LAN /);
  expect(errors).toEqual([]);
});

test("offers no user what is not theirs", async () => {
  const call = await adminOf(installation());
  const { data } = await call(enterpriseCombo, {});
  const groupid = data.find(({ name }) => name === "蓝海零售")?.groupid ?? 0;
  await addPerson(call, { name: "finder", groupid, roleType: 2, authorities: ["cpeConfig"] });
  const token = await tokenOf(installation().url, "finder");
  const { page } = await open({ token });
  await openPalette(page, "苏州");
  await palette(page).getByText("Nothing found for “苏州”").waitFor();
  await field(page).fill("杭州");
  await option(page, /杭州总部/).waitFor();
  // Their menus have no approval of devices.
  await field(page).fill("enrolment");
  await palette(page).getByText("Nothing found for “enrolment”").waitFor();
});

test("changes mode and language, opens the own pages, and logs out after a question", async () => {
  const { page, theme } = await open({ path: "/sdwan-system/pop" });
  const pick = async (text: string): Promise<void> => {
    await openPalette(page, text);
    await page.keyboard.press("Enter");
    await palette(page).waitFor({ state: "detached" });
  };
  await pick("dark mode");
  await soon(async () => (await theme()).darkMode).toBe(true);
  await pick("my profile");
  await page.waitForURL((url) => url.pathname === "/user/info");
  await pick("my messages");
  await page.waitForURL((url) => url.pathname === "/user/message");
  await pick("switch language");
  await button(page, "快速查找 Ctrl K").waitFor();
  await pick("退出");
  await page.getByRole("dialog").getByText("退出登录？").waitFor();
  await page.getByRole("dialog").getByRole("button", { name: "取消" }).click();
  expect(pathOf(page)).toBe("/user/message");
});

/** Types into the end of a field, all keys within one turn: no pause between them, whatever the machine does. */
const typeAtOnce = (input: Locator, text: string): Promise<void> =>
  input.evaluate((one, typed) => {
    for (const key of typed) document.execCommand("insertText", false, key);
    if (one !== document.activeElement) throw new Error("the field has no focus");
  }, text);

test("sends one request per pause, aborts outdated ones, and reports the result of a search", async () => {
  const { page } = await open({ path: "/sdwan-system/pop" });
  const asked: string[] = [];
  const given: string[] = [];
  const keyOf = (url: string): string => new URL(url).searchParams.get("text") ?? "";
  page.on("requestfailed", (request) => {
    if (request.failure()?.errorText.includes("ERR_ABORTED")) given.push(keyOf(request.url()));
  });
  let isBroken = false;
  const isPressed = async () => (await lastInputOf(page)).some((one) => /click .*"Retry/.test(one));
  await page.route("**/customer/search/find?**", async (route) => {
    const key = keyOf(route.request().url());
    asked.push(key);
    // Until the button was pressed: the live bus lets the console ask again by itself at any moment.
    if (isBroken && !(await isPressed())) return route.abort();
    // The first search is never answered in time.
    if (key === "slow") return;
    await route.continue();
  });
  await openPalette(page, "slow");
  await soon(async () => asked).toEqual(["slow"]);
  await palette(page).getByText("Searching", { exact: true }).waitFor();
  await typeAtOnce(field(page), "er thing");
  await palette(page).getByText("Nothing found for “slower thing”").waitFor();
  expect(given).toContain("slow");
  expect(asked).toEqual(["slow", "slower thing"]);
  isBroken = true;
  await field(page).fill("杭州");
  await palette(page)
    .getByText(/The search failed: /)
    .waitFor();
  await palette(page).getByRole("button", { name: "Retry" }).click();
  await option(page, /杭州总部/)
    .first()
    .waitFor();
});
