/** An operator blocks an address group at lunch time for all sites of an enterprise, and allows it again; packets agree. */
import { ipEntry, ipGroup } from "@weft/contract/domains/policies/ip-group.ts";
import { timeGroup } from "@weft/contract/domains/policies/time-group.ts";
import {
  routerTemplate,
  routerTemplateRelAdd,
} from "@weft/contract/domains/templates/router-template.ts";
import { mustExec } from "@weft/lab/enter.ts";
import { ping } from "@weft/lab/ping.ts";
import { joinSitePair, type SitePair } from "@weft/lab/site-pair.ts";
import { defaultLab } from "@weft/lab/spec.ts";
import { eventually, startWorld, type World } from "@weft/lab/world.ts";
import type { Browser, Locator, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { launchBrowser, logIn, type Visit, visit } from "#e2e/browser.ts";
import { choose, confirm, dialog, fill, press, rowOf, save } from "#e2e/console.ts";
import { goTo } from "#e2e/go-on.ts";
import { pictureFailures } from "#test/picture-of-failure.ts";

/** A service of the internet, and another address there that no rule blocks. */
const [blocked, free] = ["100.64.9.10", "100.64.9.11"];
const farHost = { hosta: "10.1.2.100", hostb: "10.1.1.100" } as const;
type Host = keyof typeof farHost;
const hosts = ["hosta", "hostb"] as const;
/** Sites of new enterprises keep this time. */
const zone = "Asia/Shanghai";
const patienceMs = 60_000;

/** Hours from now in the zone of the sites, as a time group has them. */
const clockIn = (hours: number): string =>
  new Intl.DateTimeFormat("en-GB", { timeZone: zone, hour: "2-digit", minute: "2-digit" }).format(
    Date.now() + hours * 3_600_000,
  );

describe("an address group that is blocked at lunch time", () => {
  let world: World;
  let browser: Browser;
  let person: Visit;
  let page: Page;
  let pair: SitePair;
  let templateId: number;

  /** A template with the enterprise's sites in it, and with the groups that colleagues keep. */
  async function prepare(): Promise<void> {
    const { call } = world;
    const of = { templateId, remark: "" };
    const group = await call(ipGroup.template.resource.ops.add, { ...of, name: "Videos" });
    await call(ipEntry.template.resource.ops.add, {
      ...of,
      name: "video-service",
      ipgroupId: group.data.id,
      ip: blocked,
    });
    await call(timeGroup.template.resource.ops.add, {
      ...of,
      name: "Lunch",
      weekdays: [1, 2, 3, 4, 5, 6, 7],
      startTime: clockIn(-1),
      endTime: clockIn(2),
    });
  }

  beforeAll(async () => {
    world = await startWorld(defaultLab());
    pair = await joinSitePair(world);
    const { call } = world;
    await mustExec(world.lab, "saas", ["ip", "addr", "add", `${free}/24`, "dev", "eth0"]);
    const added = await call(routerTemplate.ops.add, { templateName: "Shops", remark: "" });
    templateId = added.data.id;
    await call(routerTemplateRelAdd, { templateId, cpeIds: [pair.cpe1, pair.cpe2] });
    await prepare();
    browser = await launchBrowser();
    person = await visit(browser, world.url);
    page = person.page;
    page.setDefaultTimeout(60_000);
    await logIn(page, "admin", world.password);
  }, 240_000);
  afterAll(async () => {
    await browser?.close();
    await world?.close();
  });
  pictureFailures("lunch", () => page);

  const answers = async (from: Host, to: string): Promise<boolean> =>
    (await ping(world.lab, from, to, { count: 2, intervalMs: 100 })).received === 2;
  /** Hosts whose packets the blocked service answers. Everything else must be answered at all times. */
  const served = async (): Promise<Host[]> => {
    for (const host of hosts) {
      expect(await answers(host, free)).toBe(true);
      expect(await answers(host, farHost[host])).toBe(true);
    }
    const open = await Promise.all(hosts.map((host) => answers(host, blocked)));
    return hosts.filter((_, at) => open[at]);
  };
  const servedAre = (wanted: readonly Host[]) =>
    eventually(
      async () => String(await served()) === String(wanted),
      `served: ${wanted}`,
      patienceMs,
    );
  const section = (name: string) =>
    goTo(page, `/business/template/${name}?templateId=${templateId}`);
  const overview = () => goTo(page, `/business/template/add?templateId=${templateId}`);
  const panel = (state: string): Locator => page.locator(`[data-rollout="${state}"]`);
  const issue = () => page.getByRole("button", { name: "Publish", exact: true }).click();

  test("nothing is blocked before", async () => {
    await servedAre(hosts);
  });

  test("the route is a draft: the review lists changes and affected CPEs, and nothing is sent", async () => {
    await section("policyRoute");
    await page.getByRole("button", { name: "Add policy route" }).first().click();
    await fill(page, { Name: "no-videos-at-lunch" });
    await choose(page, dialog(page).getByLabel("Destination IP group"), "Videos");
    await choose(page, dialog(page).getByLabel("Time group"), "Lunch");
    await dialog(page).getByRole("switch", { name: "Block" }).click();
    await save(page);
    await rowOf(page, "no-videos-at-lunch").waitFor();
    await overview();
    await issue();
    await dialog(page).getByText("Acts on 2 of 2 CPEs").waitFor();
    await dialog(page).getByText("no-videos-at-lunch").first().waitFor();
    await press(page, "Cancel");
    expect(await served()).toEqual(hosts);
  });

  test("the first wave blocks at one site and stops there", async () => {
    await overview();
    await issue();
    await dialog(page)
      .getByRole("radio", { name: /^In waves/ })
      .check();
    await dialog(page)
      .getByRole("textbox", { name: /^Waves/ })
      .fill("1");
    await fill(page, { "Soak time": "5" });
    await dialog(page)
      .getByRole("switch", { name: "An operator starts each further wave" })
      .click();
    await dialog(page).getByText("2 waves: 1 + 1 CPEs").waitFor();
    await press(page, "Start the first wave");
    await panel("waiting").waitFor({ timeout: patienceMs });
    expect(await served()).toHaveLength(1);
  }, 120_000);

  test("the operator lets the second wave go, and it is blocked everywhere", async () => {
    await page.getByRole("button", { name: "Start wave 2" }).click();
    await confirm(page, "Start wave 2");
    await panel("completed").waitFor({ timeout: patienceMs });
    await servedAre([]);
  }, 120_000);

  test("the console counts what was refused", async () => {
    await section("policyRoute");
    await rowOf(page, "no-videos-at-lunch")
      .getByRole("button", { name: /^Hits of .*: [1-9]/ })
      .waitFor({ timeout: 90_000 });
  }, 120_000);

  test("the route is removed, and all is served again", async () => {
    await rowOf(page, "no-videos-at-lunch").getByRole("button", { name: "Delete" }).click();
    await confirm(page, "Delete");
    await rowOf(page, "no-videos-at-lunch").waitFor({ state: "detached" });
    expect(await served()).toEqual([]);
    await overview();
    await issue();
    await press(page, "Publish");
    await servedAre(hosts);
    expect(person.errors).toEqual([]);
  }, 120_000);
});
