import {
  routerTemplate,
  routerTemplateIssue,
} from "@weft/contract/domains/templates/router-template.ts";
import type { Browser, Page, Request } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { pictureFailures } from "#test/picture-of-failure.ts";
import { soon } from "#test/shell-page.ts";
import { launchBrowser, logIn, type Visit, visit } from "./browser.ts";
import { choose, dialog, fill, press, rowOf, save } from "./console.ts";
import { goTo } from "./go-on.ts";
import { type Installation, startDemonstration } from "./installation.ts";
import { adminOf, tokenOf, visitAs } from "./people.ts";

const templates = "/business-system/templatemanage";

/** Sites of the demonstration that run. */
const runningSites = ["杭州门店-01", "宁波门店-01", "温州门店-01"];
/** Ms for all of them to be connected, to apply a state and to confirm it on a busy machine. */
const patienceMs = 300_000;

/** Fields that a call carried, of its query or of its form. */
function fieldsOf(request: Request): Record<string, string> {
  const query = Object.fromEntries(new URL(request.url()).searchParams);
  const form = [...(request.postData() ?? "").matchAll(/name="(\w+)"\r\n\r\n([^\r]*)/g)];
  return { ...query, ...Object.fromEntries(form.map(([, name, value]) => [name, value])) };
}

describe("router templates in the console", () => {
  let installation: Installation;
  let browser: Browser;
  let person: Visit;
  let page: Page;
  const asked: Request[] = [];
  const lastOf = (path: string): Record<string, string> | null => {
    const found = asked.findLast((one) => new URL(one.url()).pathname === `/customer/${path}`);
    return found ? fieldsOf(found) : null;
  };
  const countOf = (path: string): number =>
    asked.filter((one) => new URL(one.url()).pathname === `/customer/${path}`).length;
  const toList = async (search = ""): Promise<void> => {
    await goTo(page, `/business/template${search}`);
    await page.getByRole("heading", { name: "Template management" }).waitFor();
  };
  const idOf = (name: string): Promise<string> =>
    rowOf(page, name)
      .getByRole("link", { name: "Template" })
      .getAttribute("href")
      .then((href) => new URL(href ?? "", installation.url).searchParams.get("templateId") ?? "");
  const action = (name: string, label: string) =>
    rowOf(page, name).getByRole("button", { name: label, exact: true });
  const openBatch = async (): Promise<void> => {
    await page.getByRole("button", { name: /^Bulk actions/ }).click();
    await page.getByRole("menuitem", { name: "Delete" }).waitFor();
  };
  const batch = async (label: string, ...names: readonly string[]): Promise<void> => {
    for (const name of names) await rowOf(page, name).getByRole("checkbox").check();
    await openBatch();
    await page.getByRole("menuitem", { name: label }).click();
    await press(page, label);
  };
  const openLog = (name: string) =>
    page.getByRole("button", { name: `Open the log of template ${name}` }).click();
  const log = () => page.locator("[data-template-log]");

  beforeAll(async () => {
    installation = await startDemonstration();
    browser = await launchBrowser();
    person = await visit(browser, installation.url);
    page = person.page;
    page.setDefaultTimeout(60_000);
    page.on("request", (request) => {
      if (request.url().includes("/customer/")) asked.push(request);
    });
    await logIn(page, "admin", installation.password);
    // These are about templates that they make themselves, from the first on.
    const call = await adminOf(installation);
    const all = { temName: null, templateName: null, orderByColumn: null, isAsc: null };
    const paging = { page: 1, size: 100, limit: null };
    const { data } = await call(routerTemplate.ops.list, { ...all, ...paging } as never);
    await call(routerTemplate.ops.remove, { ids: data.map(({ templateId }) => templateId) });
  }, 240_000);
  afterAll(async () => {
    await browser?.close();
    await installation?.close();
  }, 60_000);
  pictureFailures("template", () => page);

  test("B-2.7-25, B-2.7-28: the list is requested with page 1 and 10 rows", async () => {
    await toList();
    await page.getByText("No templates yet").waitFor();
    const call = lastOf("routerTemplate/list");
    expect(call).toMatchObject({ page: "1", size: "10" });
    // A call that is sent ahead of the screen leaves out what is empty.
    expect(call?.temName ?? "").toBe("");
  });

  test("B-2.7-09, B-2.7-11, B-2.7-34: a template is added by name and remark", async () => {
    await page.getByRole("button", { name: "Add template" }).first().click();
    const name = dialog(page).getByLabel("Template name");
    await name.waitFor();
    expect([await name.inputValue(), await dialog(page).getByLabel("Remark").inputValue()]).toEqual(
      ["", ""],
    );
    await fill(page, { "Template name": "T1", Remark: "shops" });
    const before = countOf("routerTemplate/list");
    await press(page, "Save");
    await page.getByText("Successful").waitFor();
    await rowOf(page, "T1").waitFor();
    expect(lastOf("routerTemplate/add")).toMatchObject({ templateName: "T1", remark: "shops" });
    expect(countOf("routerTemplate/list")).toBeGreaterThan(before);
    await dialog(page).waitFor({ state: "hidden" });
  });

  test("B-2.7-35: a refused template keeps its window and its contents", async () => {
    await page.getByRole("button", { name: "Add template" }).click();
    await fill(page, { "Template name": "T1", Remark: "again" });
    await press(page, "Save");
    await dialog(page)
      .getByText(/taken|already/i)
      .first()
      .waitFor();
    expect(await dialog(page).getByLabel("Remark").inputValue()).toBe("again");
    await fill(page, { "Template name": "T2" });
    await press(page, "Save");
    await rowOf(page, "T2").waitFor();
  });

  test("B-2.7-04, B-2.7-07, B-2.7-13: columns and actions", async () => {
    const heads = await page.locator("thead th").allTextContents();
    const shown = heads.map((text) => text.trim()).filter((text) => text !== "");
    expect(shown).toEqual([
      "No.",
      "Template name",
      "CPEs completed",
      "Created",
      "Remark",
      "Actions",
    ]);
    const texts = await rowOf(page, "T1").locator(".w-row-actions > *").allTextContents();
    expect(texts).toEqual(["CPE", "Template", "Edit", "Delete"]);
  });

  test("B-2.7-10, B-2.7-12: modify starts with the row and sends its id", async () => {
    const id = await idOf("T1");
    await action("T1", "Edit").click();
    const name = dialog(page).getByLabel("Template name");
    await name.waitFor();
    await soon(() => name.inputValue()).toBe("T1");
    expect(await dialog(page).getByLabel("Remark").inputValue()).toBe("shops");
    await fill(page, { Remark: "shops 2" });
    await press(page, "Save");
    await rowOf(page, "shops 2").waitFor();
    expect(lastOf("routerTemplate/edit")).toMatchObject({
      templateId: id,
      templateName: "T1",
      remark: "shops 2",
    });
  });

  test("B-2.7-01, B-2.7-02: search by name, and its reset", async () => {
    await page.locator("input[data-search]").fill("T1");
    await rowOf(page, "T2").waitFor({ state: "detached" });
    expect(lastOf("routerTemplate/list")).toMatchObject({ temName: "T1", page: "1" });
    await rowOf(page, "T1").waitFor();
    await page.getByRole("button", { name: /^Clear/ }).click();
    await rowOf(page, "T2").waitFor();
  });

  test("B-2.7-03, B-2.7-29, B-2.7-30, B-5-10: the batch menu without a selected row shows a message", async () => {
    for (const item of ["Publish", "Delete"]) {
      await openBatch();
      const items = page.locator(".ant-dropdown-menu:visible .ant-dropdown-menu-item");
      await soon(() => items.allTextContents()).toEqual(["Publish", "Delete"]);
      await items.filter({ hasText: item }).click();
      await page.getByText("Select at least one").first().waitFor();
    }
    expect(countOf("routerTemplate/issue") + countOf("routerTemplate/remove")).toBe(0);
  });

  test("B-2.7-14, B-2.7-18, B-7.4-13: two CPEs are staged and saved with one call", async () => {
    const id = await idOf("T1");
    await action("T1", "CPE").click();
    const left = dialog(page).getByRole("group").first().getByRole("list");
    const right = dialog(page).getByRole("group").last().getByRole("list");
    await left.getByRole("checkbox").nth(1).waitFor();
    expect(countOf("enterprise/combo")).toBeGreaterThan(0);
    await left.getByRole("checkbox").nth(0).check();
    await left.getByRole("checkbox").nth(1).check();
    await press(page, /^Add \(2\)/);
    await right.getByText("new").first().waitFor();
    expect(countOf("routerTemplateRel/add")).toBe(0);
    await press(page, /^Save \+2/);
    await dialog(page).waitFor({ state: "hidden" });
    expect(lastOf("routerTemplateRel/add")).toMatchObject({
      templateId: id,
      cpeIds: expect.stringMatching(/^\d+,\d+$/),
    });
    await rowOf(page, "T1").getByText("0 / 2").waitFor();
  });

  test("B-2.7-15, B-2.7-16, B-2.7-17: the transfer filters, and names another template", async () => {
    await action("T2", "CPE").click();
    const left = dialog(page).getByRole("group").first().getByRole("list");
    await left.getByText("already in “T1”").first().waitFor();
    await dialog(page).getByLabel("Available CPEs CPE alias").fill("no-such-cpe");
    await left.getByText("No CPEs to choose from").waitFor();
    expect(lastOf("routerTemplate/getAllCpeList")).toMatchObject({ alias: "no-such-cpe" });
    await dialog(page).getByLabel("Available CPEs CPE alias").fill("");
    const enterprise = dialog(page).getByRole("combobox", { name: "Enterprise", exact: true });
    await enterprise.click();
    const option = page.locator(".ant-select-item-option:visible").first();
    const name = (await option.textContent()) ?? "";
    await choose(page, enterprise, name);
    await soon(async () => lastOf("routerTemplate/getAllCpeList")).toMatchObject({
      groupid: expect.stringMatching(/^\d+$/),
      alias: "",
    });
    await press(page, "Cancel");
    await dialog(page).waitFor({ state: "hidden" });
  });

  test("B-2.7-19: one CPE is moved back", async () => {
    const id = await idOf("T1");
    await action("T1", "CPE").click();
    const right = dialog(page).getByRole("group").last().getByRole("list");
    await right.getByRole("checkbox").first().check();
    await press(page, /Remove \(1\)/);
    await press(page, /^Save \+0/);
    await dialog(page).waitFor({ state: "hidden" });
    expect(lastOf("routerTemplateRel/remove")).toMatchObject({
      templateId: id,
      cpeIds: expect.stringMatching(/^\d+$/),
    });
  });

  test("B-2.7-08, B-2.4-06, B-2.4-07, B-2.4-08: the configuration holds the template", async () => {
    await rowOf(page, "T1").getByRole("link", { name: "Template" }).click();
    await page.waitForURL(/\/business\/template\/add\?templateId=/);
    await page.getByRole("heading", { name: "T1" }).waitFor();
    const sections = page.getByRole("navigation", { name: "Sections of the template" });
    await sections.getByRole("link", { name: "WAN" }).waitFor();
    const { search } = new URL(page.url());
    await page.goto(`/business/template/wan${search}`);
    await page.getByText("WAN").first().waitFor();
    await page.goto(`/business/template/nothing${search}`);
    await page.getByText("A template has no such section").waitFor();
    await page.goto("/business/template/add");
    await page.waitForURL((url) => url.pathname === "/business/template");
  });

  test("B-1-22: a template is added, given CPEs, published and completed", {
    timeout: patienceMs + 120_000,
  }, async () => {
    await toList();
    await page.getByRole("button", { name: "Add template" }).click();
    await fill(page, { "Template name": "Outlets" });
    await press(page, "Save");
    await rowOf(page, "Outlets").waitFor();
    await action("Outlets", "CPE").click();
    const left = dialog(page).getByRole("group").first().getByRole("list");
    for (const site of runningSites) {
      await dialog(page).getByLabel("Available CPEs CPE alias").fill(site);
      await soon(() => left.getByRole("checkbox").count()).toBe(1);
      await left.getByRole("checkbox", { name: site }).check();
      await press(page, /^Add \(1\)/);
    }
    await press(page, /^Save \+3/);
    await rowOf(page, "Outlets").getByText("0 / 3").waitFor();
    const templateId = await idOf("Outlets");
    await batch("Publish", "Outlets");
    await page.getByText("Published; the template log shows the progress").waitFor();
    expect(lastOf("routerTemplate/issue")).toMatchObject({ templateId });
    // The devices fetch, apply and confirm; those of a fleet that has only just started take longest.
    await rowOf(page, "Outlets").getByText("3 / 3").waitFor({ timeout: patienceMs });
  });

  test("B-2.7-05, B-2.7-20: the completed CPEs lead to the log, whose list is 500 high", async () => {
    await openLog("Outlets");
    await soon(() => log().locator(".ant-table-row", { hasText: "Completed" }).count()).toBe(3);
    await page.locator(".ant-modal-title", { hasText: "Outlets" }).waitFor();
    // The dialog grows into its place.
    await soon(async () => (await log().boundingBox())?.height).toBe(500);
    expect(lastOf("routerTemplateLog/list")).toMatchObject({ templateId: await idOf("Outlets") });
  });

  test("B-2.7-21: refresh loads the log again and shows new states", async () => {
    const call = await adminOf(installation);
    await call(routerTemplateIssue, {
      templateId: [Number(await idOf("Outlets"))],
      fromVersion: null,
    });
    const before = countOf("routerTemplateLog/list");
    await press(page, "Refresh");
    await soon(async () => countOf("routerTemplateLog/list")).toBeGreaterThan(before);
    await log().getByText("Outlets #2").first().waitFor();
    await page.keyboard.press("Escape");
    await dialog(page).waitFor({ state: "hidden" });
  });

  test("B-2.7-06, B-2.7-26, B-2.7-27: the index runs on over pages; a size begins at page 1", async () => {
    const call = await adminOf(installation);
    for (let number = 1; number <= 9; number += 1) {
      await call(routerTemplate.ops.add, { templateName: `Page-${number}`, remark: "" });
    }
    await toList("?page=2");
    await rowOf(page, "Page-9").waitFor();
    const index = page.locator(".ant-table-row").first().locator("td").nth(1);
    expect(await index.textContent()).toBe("11");
    await page.locator(".w-page-size input").click();
    const sizes = page.locator(".ant-select-item-option:visible");
    const texts = ["10 / page", "20 / page", "30 / page", "40 / page"];
    await soon(() => sizes.allTextContents()).toEqual(texts);
    await sizes.nth(1).click();
    await rowOf(page, "T1").waitFor();
    expect(lastOf("routerTemplate/list")).toMatchObject({ page: "1", size: "20" });
    expect(await index.textContent()).toBe("1");
  });

  test("B-2.7-33: delete asks for confirmation and sends nothing before", async () => {
    await action("Page-1", "Delete").click();
    await dialog(page).getByText("Delete template “Page-1”?").waitFor();
    await press(page, "Cancel");
    await dialog(page).waitFor({ state: "hidden" });
    expect(countOf("routerTemplate/remove")).toBe(0);
    await action("Page-1", "Delete").click();
    await press(page, "Delete");
    await rowOf(page, "Page-1").waitFor({ state: "detached" });
    expect(countOf("routerTemplate/remove")).toBe(1);
  });

  test("B-2.7-32: two selected templates are deleted with one call", async () => {
    const ids = [await idOf("Page-3"), await idOf("Page-5")];
    await batch("Delete", "Page-3", "Page-5");
    await rowOf(page, "Page-5").waitFor({ state: "detached" });
    expect(lastOf("routerTemplate/remove")).toMatchObject({ ids: ids.join() });
  });

  test("endpoints:routerTemplate.visit: a link opens the templates alone and shows when it ends", async () => {
    const { url, password } = installation;
    const issuer = await visitAs(browser, url, await tokenOf(url, "admin", password));
    const visitor = await visit(browser, url);
    for (const one of [issuer, visitor]) one.page.setDefaultTimeout(30_000);
    await issuer.page.goto(templates);
    await issuer.page.getByRole("button", { name: "Visitor link" }).press("Enter");
    await dialog(issuer.page).getByText("with these permissions and no others").waitFor();
    await press(issuer.page, "End all links given out");
    await issuer.page.getByText("No link was open").waitFor();
    await dialog(issuer.page).getByRole("button", { name: "Make the link" }).press("Enter");
    const link = await dialog(issuer.page).locator("pre").textContent();

    const guest = visitor.page;
    await guest.goto(link ?? "");
    await guest.getByRole("heading", { name: "Template management" }).waitFor();
    expect(guest.url()).toBe(`${url}${templates}`);
    await guest.getByText(/^Visitor · templates only · until \d\d:\d\d$/).waitFor();
    const menu = guest.locator("aside nav").getByRole("link");
    expect(await menu.allTextContents()).toEqual(["Template management"]);
    for (const name of [/^Account/, "Visitor link"])
      expect(await guest.getByRole("button", { name }).count()).toBe(0);
    await guest.getByRole("button", { name: "Add template" }).first().click();
    await fill(guest, { "Template name": "By-a-visitor" });
    await save(guest);
    await rowOf(guest, "By-a-visitor").getByRole("link", { name: "Template" }).click();
    await guest.getByRole("heading", { name: /By-a-visitor/ }).waitFor();
    // An error would have been shown.
    expect(
      await guest
        .locator(".ant-notification-notice")
        .getByText(/templates only/)
        .count(),
    ).toBe(0);
    expect(visitor.errors).toEqual([]);
    await guest.goto("/system/usermanage");
    await guest.getByRole("heading", { name: "Permission denied" }).waitFor();

    // The issuer leaves: so does a visitor with the link, to a login that says why.
    await guest.goto(templates);
    await rowOf(guest, "By-a-visitor").waitFor();
    await press(issuer.page, "Done");
    await issuer.page.getByRole("button", { name: "Account admin" }).click();
    await issuer.page.getByRole("menuitem", { name: "Log out" }).click();
    await press(issuer.page, "Log out");
    await issuer.page.waitForURL((address) => address.pathname === "/login");
    await guest.getByRole("button", { name: "Refresh" }).click();
    const ended = guest.getByRole("heading", { name: "This link has expired" });
    await ended.waitFor();
    expect(guest.url()).toBe(`${url}/login`);
    await guest.reload();
    await ended.waitFor();
    await guest.goto(link ?? "");
    await ended.waitFor();
    expect(guest.url()).toBe(`${url}/login`);
    for (const { context } of [issuer, visitor]) await context.close();
  });
});
