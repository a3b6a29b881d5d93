/**
 * A day of a reseller: what the agent does for a customer through the forms, what the agent takes
 * along in a file, and that neither the agent nor the customer ever sees a row of another tenant.
 */
import { readFileSync } from "node:fs";
import { read, utils } from "@e965/xlsx";
import { type ServerMenuNode, session } from "@weft/contract/domains/access/session.ts";
import { pop } from "@weft/contract/domains/devices/pop.ts";
import type { Browser, Page, Response } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { pictureFailures } from "#test/picture-of-failure.ts";
import { soon } from "#test/shell-page.ts";
import { addRowsOf, type Marks } from "./agents/rows.ts";
import { addSeller, type Seller } from "./agents/seller.ts";
import { desk, launchBrowser, logIn, type Visit, visit } from "./browser.ts";
import { choose, confirm, dialog, open, press, rowOf, save } from "./console.ts";
import { declineClaim, fillForm } from "./crud/hand.ts";
import { goTo, quiet } from "./go-on.ts";
import { type Installation, startDemonstration } from "./installation.ts";
import { adminOf, password as ownPassword, visitAs } from "./people.ts";

/* The screens of an agent: all of the menu, and the lists that other screens lead to. */

/** Lists that are in no menu. */
const beside = [
  "/business-system/cug",
  "/business-system/saasquickly/domain",
  "/business-system/saasquickly/dpi",
  "/business-system/saasquickly/ip",
  "/business-system/saasquickly/app",
  "/sdwan-system/cpe/dialTask",
  "/sdwan-system/enterprisemanage/companyAudit",
  "/system/blacklist",
];

const leaves = (nodes: readonly ServerMenuNode[]): string[] =>
  nodes
    .filter(({ hide }) => !hide)
    .flatMap(({ path, children }) => {
      const below = leaves(children);
      return below.length > 0 ? below : [path];
    });

/** Paths of all that this agent's menu leads to, and of the lists beside it. */
async function screensOf({ call }: Seller): Promise<string[]> {
  return [...leaves((await call(session, {})).data.menus), ...beside];
}

/** Goes to a screen, waits until it has what it shows, and gives its text. */
async function openScreen(page: Page, path: string): Promise<string> {
  await goTo(page, path);
  await quiet(page);
  return (await page.locator("body").textContent()) ?? "";
}

/** Types a text into each text search of the open list and waits for the answers. */
async function searchFor(page: Page, text: string): Promise<void> {
  for (const field of await page.locator("main input[data-search]").all()) {
    const answered = page.waitForResponse((one) => decodeURIComponent(one.url()).includes(text));
    await field.fill(text);
    await (await answered).finished();
    await field.fill("");
  }
}

/** What the calls of a page answer, kept as text: a row that is never rendered has leaked all the same. */
interface ResponseLog {
  /** Path of each call since it was asked last whose answer contains one of these texts. */
  callsWith(texts: readonly string[]): Promise<string[]>;
}

const isCall = (response: Response): boolean =>
  new URL(response.url()).pathname.startsWith("/customer/") &&
  (response.headers()["content-type"] ?? "").includes("json");

function listenTo(page: Page): ResponseLog {
  let answers: Promise<{ path: string; text: string }>[] = [];
  page.on("response", (response) => {
    if (!isCall(response)) return;
    const path = new URL(response.url()).pathname;
    // A page that is left takes its answers along.
    const text = response.text().catch(() => "");
    answers.push(text.then((body) => ({ path, text: body })));
  });
  return {
    async callsWith(texts) {
      const received = await Promise.all(answers);
      answers = [];
      return received
        .filter(({ text }) => texts.some((one) => text.includes(one)))
        .map(({ path }) => path);
    },
  };
}

const customer = "江南茶业";
const site = "苏州茶园";
const password = "Tee-2468";
const phones = Array.from({ length: 10 }, (_, at) => {
  const number = String(at + 1).padStart(2, "0");
  return { loginName: `tea${number}`, alias: `茶园手机-${number}` };
});
const foreign: Marks = { name: "南岭", latin: "nanling" };
/** Another customer of the same agent: the agent's, and not the first customer's. */
const sibling: Marks = { name: "织锦", latin: "zhijin" };

let installation: Installation;
let browser: Browser;
let agent: Seller;
let other: Seller;
let person: Visit;
let responses: ResponseLog;
beforeAll(async () => {
  [installation, browser] = await Promise.all([startDemonstration(), launchBrowser()]);
  const operator = await adminOf(installation);
  const { data: pops } = await operator(pop.ops.combo, {});
  agent = await addSeller(installation, "江南代理", "jiangnan");
  other = await addSeller(installation, `${foreign.name}通信`, foreign.latin);
  await addRowsOf(agent, operator, sibling, pops[0]?.id ?? 0);
  await addRowsOf(other, operator, foreign, pops[1]?.id ?? 0);
  person = await visit(browser, installation.url, { ...desk, motion: true });
  person.page.setDefaultTimeout(60_000);
  responses = listenTo(person.page);
}, 240_000);
afterAll(async () => {
  await browser?.close();
  await installation?.close();
}, 60_000);
pictureFailures("day", () => person.page);

const add = (page: Page, name: string) =>
  page.getByRole("button", { name, exact: true }).first().click();

/** Adds a row through the form that a button opens. */
async function make(page: Page, name: string, fields: Parameters<typeof fillForm>[1]) {
  await add(page, name);
  await fillForm(page, fields);
  await save(page);
}

describe("an agent", () => {
  test("logs in, makes an enterprise of its own and recharges it", async () => {
    const { page } = person;
    await logIn(page, agent.loginName, "e2e-start1");
    await open(page, "Enterprise management");
    await make(page, "Add enterprise", { Name: customer, Contact: "陆羽" });
    const row = rowOf(page, customer);
    await row.getByText(agent.name).first().waitFor();
    await row.getByRole("button", { name: "Recharge", exact: true }).click();
    await dialog(page).getByLabel("Amount").fill("1234.50");
    await press(page, "Recharge");
    await row.getByText("1,234.50").waitFor();
    await open(page, "Recharge records");
    await rowOf(page, customer).getByText("1,234.50").first().waitFor();
  });

  test("makes a site with two lines and a LAN section", async () => {
    const { page } = person;
    await open(page, "CPE management");
    const own = { Alias: site, "Serial number": "TEA-0001", Enterprise: customer };
    await make(page, "Add CPE", own);
    await declineClaim(page);
    await rowOf(page, site).getByRole("link", { name: "Configure" }).click();
    const wan = { Slot: "wan1", Interface: "wan1", Name: "电信", Carrier: "telecom" };
    const fixed = { "Address/prefix": "198.51.100.77/24", Gateway: "198.51.100.1" };
    await make(page, "Add WAN link", { ...wan, Addressing: "Static", ...fixed });
    const second = { Slot: "wan2", Interface: "wan2", Name: "联通", Addressing: "DHCP" };
    await make(page, "Add WAN link", second);
    await soon(() => page.locator("main tbody tr", { hasText: /wan[12]/ }).count()).toBe(2);
    await page.getByRole("link", { name: /^LAN sections/ }).click();
    const section = { Interface: "lan1", "IPv4 address/prefix": "10.88.1.1/24" };
    await make(page, "Add LAN section", section);
    await rowOf(page, "10.88.1.1/24").waitFor();
  });

  test("puts the site into a network space on a POP of the operator", async () => {
    const { page } = person;
    await open(page, "Network space");
    await add(page, "Add space");
    await fillForm(page, { Name: "茶叶网", Enterprise: customer });
    for (const name of ["上海-01", site]) {
      await dialog(page).getByRole("checkbox", { name }).check();
    }
    await save(page);
    await rowOf(page, "茶叶网").getByText(customer).first().waitFor();
  });

  test("sells a circuit and ten mobile accounts", async () => {
    const { page } = person;
    await open(page, "Circuit management");
    const ends = { "One end": site, "Other end": "上海-01", Bandwidth: "2" };
    await make(page, "Add circuit", { Enterprise: customer, Name: "茶园-上海", ...ends });
    await rowOf(page, "茶园-上海").getByText(customer).first().waitFor();

    await open(page, "Account management");
    await page.getByRole("heading", { name: "Account management", level: 1 }).waitFor();
    await choose(page, page.locator(".w-filters").getByLabel("Enterprise"), customer);
    await page.waitForURL((url) => url.searchParams.has("groupid"));
    await add(page, "Import / export");
    await page.getByRole("menuitem", { name: /^Import from/ }).click();
    const lines = phones.map(({ loginName, alias }) => `${loginName},${alias},6`);
    const csv = `loginName,alias,terminalType\n${lines.join("\n")}\n`;
    await dialog(page)
      .locator('input[type="file"]')
      .setInputFiles({ name: "phones.csv", mimeType: "text/csv", buffer: Buffer.from(csv) });
    await press(page, /10/);
    for (const { alias } of phones) await rowOf(page, alias).getByText(customer).first().waitFor();
  });

  test("B-9-17 takes the list along as an xlsx file with one sheet of its rows", async () => {
    const { page } = person;
    const saved = page.waitForEvent("download");
    await add(page, "Import / export");
    await page.getByRole("menuitem", { name: /xlsx/i }).click();
    const file = await (await saved).path();
    const book = read(readFileSync(file));
    expect(book.SheetNames).toEqual(["sheet1"]);
    const rows = utils.sheet_to_json<Record<string, unknown>>(book.Sheets.sheet1 ?? {});
    const names = (of: (one: Record<string, unknown>) => unknown) => rows.map(of).sort();
    expect(names((row) => row["Login name"])).toEqual(phones.map((phone) => phone.loginName));
    expect(names((row) => row.Alias)).toEqual(phones.map((phone) => phone.alias));
    expect(new Set(rows.map((row) => row.Enterprise))).toEqual(new Set([customer]));
  });

  test("gives the customer a user", async () => {
    const { page } = person;
    await open(page, "Role management");
    await add(page, "Add role");
    await fillForm(page, {
      Name: "茶业管理员",
      "Role code": "teaAdmin",
      Enterprise: customer,
      "Role type": "Enterprise",
    });
    await dialog(page).getByRole("button", { name: "Default for the type" }).click();
    await save(page);
    await open(page, "User management");
    const account = { "Login name": "luyu", Name: "陆羽", Password: password };
    await add(page, "Add user");
    await fillForm(page, {
      ...account,
      Enterprise: customer,
      Roles: ["茶业管理员"],
      "Your password": ownPassword,
    });
    await save(page);
    await rowOf(page, "luyu").getByText("茶业管理员").waitFor();
  });
});

describe("what is another agent's", () => {
  const marks = Object.values(foreign);
  /** Show no row that an agent made. */
  const bare = new Set([
    "/sdwan-system/pop",
    "/devopsmonitor/logs/cpe",
    "/devopsmonitor/logs/pop",
    // Devices and links become active only with an edge.
    "/sdwan-system/enrolment",
    "/business-system/overlay/linkManage",
    "/devopsmonitor/linkMonitor",
    "/devopsmonitor/alarm",
    "/dealmanage/dealrecord",
    "/personalcenter/stationmessage",
  ]);

  test("is on no page, in no search and in no answer", { timeout: 400_000 }, async () => {
    const { page } = person;
    const paths = await screensOf(agent);
    expect(paths.length).toBeGreaterThan(35);
    await responses.callsWith(marks);
    const leaks: string[] = [];
    for (const path of paths) {
      const text = await openScreen(page, path);
      if (marks.some((mark) => text.includes(mark))) leaks.push(`on ${path}`);
      await searchFor(page, foreign.name);
      leaks.push(...(await responses.callsWith(marks)).map((call) => `${call} on ${path}`));
    }
    expect(leaks).toEqual([]);
  });

  test("is there for whose it is", { timeout: 400_000 }, async () => {
    const owner = await visitAs(browser, installation.url, other.token);
    const unseen: string[] = [];
    for (const path of await screensOf(other)) {
      if (bare.has(path)) continue;
      await goTo(owner.page, path);
      const shown = owner.page
        .locator("main")
        .getByText(foreign.name)
        .or(owner.page.locator("main").getByText(foreign.latin));
      const isSeen = shown.first().waitFor({ timeout: 30_000, state: "attached" });
      await isSeen.catch(() => unseen.push(path));
    }
    await owner.context.close();
    expect(unseen).toEqual([]);
  });
});

describe("the customer", () => {
  const strangers = [...Object.values(foreign), ...Object.values(sibling), "蓝海零售", "海通物流"];
  let own: Visit;
  let received: ResponseLog;
  beforeAll(async () => {
    own = await visit(browser, installation.url);
    own.page.setDefaultTimeout(60_000);
    received = listenTo(own.page);
  });

  test("logs in and sees exactly its own rows", { timeout: 120_000 }, async () => {
    const { page } = own;
    await logIn(page, "luyu", password);
    for (const [path, name, count] of [
      ["/sdwan-system/enterprisemanage", customer, 1],
      ["/sdwan-system/cpe", site, 1],
      ["/business-system/overlay/space", "茶叶网", 1],
      ["/business-system/circuitmanage", "茶园-上海", 1],
      ["/sdwan-system/mobileTerminal/account", "茶园手机-07", 10],
      ["/system/usermanage", "luyu", 1],
      ["/system/rolemanage", "茶业管理员", 1],
      ["/dealmanage/rechargerecord", "1,234.50", 1],
    ] as const) {
      await goTo(page, path);
      await rowOf(page, name).waitFor();
      const rows = page.locator("main tbody tr.ant-table-row");
      await expect.poll(() => rows.count(), { timeout: 20_000, message: path }).toBe(count);
    }
    expect(await received.callsWith(strangers)).toEqual([]);
  });

  test("B-4-27 is shown as disabled once the agent disables it, and its user cannot log in", async () => {
    const { page } = person;
    await open(page, "Enterprise management");
    await rowOf(page, customer).getByRole("button", { name: "Details", exact: true }).click();
    await press(page, /^Disable$/);
    await confirm(page, "Disable");
    await rowOf(page, customer).getByText("Disabled").waitFor();
    // The session ends as well.
    await own.page.goto("/sdwan-system/cpe");
    await own.page.waitForURL((url) => url.pathname === "/login");
    await own.page.locator('input[autocomplete="username"]').fill("luyu");
    await own.page.locator('input[autocomplete="current-password"]').fill(password);
    await own.page.locator('button[type="submit"]').click();
    // The same text as for a wrong password: outsiders do not learn which accounts exist.
    await own.page.getByText("Login name or password is wrong").waitFor();
    expect(new URL(own.page.url()).pathname).toBe("/login");
  });
});
