/** Circuits, links, closed user groups and the picture of who is linked with whom. */
import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { choose, confirm, dialog, fill, press, rowOf, save } from "#e2e/console.ts";
import { goTo } from "#e2e/go-on.ts";
import { shells, soon } from "#test/shell-page.ts";

const { open } = shells();
const circuits = "/business-system/circuitmanage";
const links = "/business-system/overlay/linkManage";
const topology = "/devopsmonitor/topology";

const rowAction = (page: Page, row: string, name: string) =>
  rowOf(page, row).getByRole("button", { name, exact: true }).click();
/** What a call answers while something is done. */
const answerOf = async <T>(
  page: Page,
  isIt: (url: URL) => boolean,
  act: () => Promise<unknown>,
): Promise<T> => {
  const answered = page.waitForResponse((one) => isIt(new URL(one.url())));
  await act();
  return (await (await answered).json()) as T;
};

/** The list itself: its counts by state are asked for by the same call. */
const listed = ({ pathname, searchParams }: URL): boolean =>
  pathname === "/customer/link/list" && !searchParams.get("status");
const drawnFrom = ({ pathname }: URL): boolean => pathname === "/customer/top/allInfo";

interface Link {
  readonly name: string;
}

describe("circuits and links", () => {
  test("the overview names a circuit whose term ends soon, and leads to it", async () => {
    const { page } = await open({ path: "/dashboard/workplace" });
    await page.getByRole("link", { name: "苏州工厂-北京", exact: true }).click();
    await rowOf(page, "苏州工厂-北京").waitFor();
    expect(await rowOf(page, "杭州总部-上海").count()).toBe(0);
  });

  test("B-1-15 endpoints:xwanCircuit.list endpoints:xwanCircuit.add endpoints:xwanCircuit.edit endpoints:xwanCircuit.remove a circuit is sold, changed and cancelled", async () => {
    const { page, errors } = await open({ path: circuits });
    await rowOf(page, "杭州总部-上海").waitFor();
    await page.getByRole("button", { name: "Add circuit", exact: true }).first().click();
    await choose(page, dialog(page).getByLabel("Enterprise"), "蓝海零售");
    await fill(page, { Name: "宁波-上海" });
    await choose(page, dialog(page).getByLabel("One end"), "宁波门店-01");
    await choose(page, dialog(page).getByLabel("Other end"), "上海-01");
    await dialog(page).getByLabel("Bandwidth").fill("500");
    await press(page, "Save");
    // More than the lines of the site carry: the field says how much that is.
    await dialog(page)
      .getByText(/40,?000|40000/)
      .first()
      .waitFor();
    await dialog(page).getByLabel("Bandwidth").fill("15");
    await save(page);
    await soon(() => rowOf(page, "宁波-上海").textContent()).toContain("宁波门店-01 – 上海-01");
    await rowAction(page, "宁波-上海", "Edit");
    await dialog(page).getByLabel("Bandwidth").fill("12");
    await save(page);
    await soon(() => rowOf(page, "宁波-上海").textContent()).toContain("12");
    await rowAction(page, "宁波-上海", "Delete");
    await confirm(page, "Delete");
    await soon(() => rowOf(page, "宁波-上海").count()).toBe(0);
    expect(errors).toEqual([]);
  });

  test("B-1-15 endpoints:xwanCircuit.report endpoints:xwanCircuit.reportAll endpoints:xwanCircuit.reportByEnterprise endpoints:xwanCircuit.byteListByGroup the reports show the past day", async () => {
    const { page, errors } = await open({ path: circuits });
    await rowOf(page, "杭州总部-上海").getByRole("link", { name: "Report" }).click();
    await page.getByRole("heading", { name: "Circuit report 杭州总部-上海" }).waitFor();
    // With the unit behind it once there are values.
    for (const title of [/^Traffic/, /^Latency/, /^Loss/]) {
      await page.getByRole("heading", { name: title }).waitFor();
    }
    await goTo(page, `${circuits}/circuitAllTable/line`);
    await page.getByRole("heading", { name: /^Traffic/ }).waitFor();
    await goTo(page, `${circuits}/circuitEnterTable/line`);
    await page.getByRole("heading", { name: /^Volume per step/ }).waitFor();
    expect(errors).toEqual([]);
  });

  test("B-1-15 endpoints:link.edit a link is closed by hand, and the space decides again", {
    timeout: 240_000,
  }, async () => {
    const { page, errors } = await open({ path: links });
    const filter = page.getByPlaceholder("Node name");
    await filter.fill("三亚湾酒店");
    // Its device has to come up first.
    await rowOf(page, "三亚湾酒店").waitFor({ timeout: 90_000 });
    await rowAction(page, "三亚湾酒店", "Edit");
    await dialog(page).getByRole("switch").click();
    await save(page);
    await soon(() => rowOf(page, "Disabled").count()).toBe(1);
    await rowAction(page, "Disabled", "Reset");
    await confirm(page, "Reset");
    await soon(() => rowOf(page, "Disabled").count()).toBe(0);
    expect(errors).toEqual([]);
  });

  test("B-9-06 a closed user group of 8.2 Mbit/s is sent as 8200000", async () => {
    const { page } = await open({ path: "/business-system/cug" });
    await rowOf(page, "门店收银").waitFor();
    await page.getByRole("button", { name: "Add group", exact: true }).first().click();
    await fill(page, { Name: "finance" });
    await dialog(page).getByLabel("Bandwidth").fill("8.2");
    const sent = page.waitForRequest((one) => one.url().includes("/customer/cug/add"));
    await save(page);
    expect((await sent).postData()).toMatch(/name="bandwidth"\s+8200000\s/);
    await soon(() => rowOf(page, "finance").textContent()).toContain("8.2");
  });
});

describe("the topology", () => {
  test("B-1-15 B-9-19 draws the devices and links of the lists, and sends nothing to other hosts", {
    timeout: 300_000,
  }, async () => {
    const { page, errors, context } = await open({ path: "/", apart: true });
    const strangers: string[] = [];
    const own = new URL(page.url()).host;
    await context.route("**/*", async (route) => {
      const url = new URL(route.request().url());
      if (!url.protocol.startsWith("http") || url.host === own) return route.continue();
      strangers.push(url.href);
      return route.abort();
    });
    // Devices of the demonstration still come up: both are asked until they agree on one moment.
    let data: { links: Link[]; nodes: { name: string }[] } = { links: [], nodes: [] };
    const difference = async (): Promise<number> => {
      const list = await answerOf<{ count: number }>(page, listed, () => page.goto(links));
      const top = await answerOf<{ data: typeof data }>(page, drawnFrom, () => page.goto(topology));
      data = top.data;
      return list.count - data.links.length;
    };
    await expect.poll(difference, { timeout: 180_000 }).toBe(0);
    expect(data.links.length).toBeGreaterThan(10);
    const picture = page.locator("svg", { hasText: "Diagram of" }).first();
    await picture.waitFor();
    const namesShown = async () => (await picture.locator("text").allTextContents()).sort();
    await soon(namesShown).toEqual(data.nodes.map(({ name }) => name).sort());
    const titles = (await picture.locator("line title").allTextContents()).join("\n");
    for (const { name } of data.links) expect(titles).toContain(name);
    await picture.getByRole("button", { name: "三亚湾酒店" }).click();
    await page.getByRole("heading", { name: /^Links of 三亚湾酒店/ }).waitFor();
    await page.goto("/screen");
    await page.getByText("POP", { exact: false }).first().waitFor();
    expect(strangers).toEqual([]);
    expect(errors).toEqual([]);
  });
});
