import { mustExec } from "@weft/lab/enter.ts";
import { serialOf } from "@weft/lab/operator.ts";
import { ping } from "@weft/lab/ping.ts";
import { spawn } from "@weft/lab/spawn.ts";
import { defaultLab } from "@weft/lab/spec.ts";
import { edgeCommand, eventually, root, startWorld, type World } from "@weft/lab/world.ts";
import type { Browser, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { launchBrowser, logIn, type Visit, visit } from "#e2e/browser.ts";
import { choose, dialog, fill, open, press, rowOf, save } from "#e2e/console.ts";
import { pictureFailures } from "#test/picture-of-failure.ts";

/** Only ends what hangs. */
const deadlineMs = 60_000;
const customer = "Blue-Sea";
const sites = [
  { device: "cpe1", alias: "Hangzhou-01", octet: 11, lan: 1 },
  { device: "cpe2", alias: "Hangzhou-02", octet: 12, lan: 2 },
] as const;

/** How a line gets its IPv4 address; IPv6 has choices of the same names. */
const addressing = (page: Page) => dialog(page).getByRole("radiogroup", { name: "Addressing" });

/** Two lines: wan1 static, wan2 static on a POP and by DHCP at a site. */
async function addLines(page: Page, octet: number, isPop: boolean): Promise<void> {
  for (const slot of [1, 2] as const) {
    const isp = slot === 1 ? "isp-a" : "isp-b";
    await page.getByRole("button", { name: "Add WAN link" }).first().click();
    await choose(page, dialog(page).getByLabel("Slot"), `wan${slot}`);
    await fill(page, { Interface: `wan${slot}`, Name: isp, Carrier: isp });
    if (slot === 1 || isPop) {
      const net = slot === 1 ? "198.51.100" : "203.0.113";
      await addressing(page).getByText("Static", { exact: true }).click();
      await fill(page, { "Address/prefix": `${net}.${octet}/24`, Gateway: `${net}.1` });
    } else await addressing(page).getByText("DHCP", { exact: true }).click();
    const reachable = dialog(page).getByRole("switch", { name: "Reachable" });
    if ((await reachable.getAttribute("aria-checked")) !== String(isPop)) await reachable.click();
    await save(page);
  }
}

/** Makes the claim that the console offers for a new node, and gives it to the device. */
async function claim(world: World, page: Page, device: string): Promise<void> {
  const offer = page.getByRole("dialog", { name: /^Activation code of/ });
  const preApproved = offer.getByRole("switch");
  if ((await preApproved.getAttribute("aria-checked")) === "true") await preApproved.click();
  await offer.getByRole("button", { name: "Create activation code" }).click();
  const text = await offer
    .getByText(/^weft1\.[A-Za-z0-9_-]+$/)
    .first()
    .textContent();
  await offer.getByRole("button", { name: "Copied; close" }).click();
  await offer.waitFor({ state: "hidden" });
  const enrol = ["enrol", "--claim", text ?? "", "--serial", serialOf(device)];
  await spawn(world.lab, device, edgeCommand(world.lab, device, ...enrol), { cwd: root });
}

describe("from a click in the console to the far host", { timeout: 300_000 }, () => {
  let world: World;
  let browser: Browser;
  let person: Visit;
  let page: Page;

  beforeAll(async () => {
    world = await startWorld(defaultLab());
    browser = await launchBrowser();
    person = await visit(browser, world.url);
    person.context.setDefaultTimeout(deadlineMs);
    await logIn(person.page, "admin", world.password, true);
  }, 300_000);

  afterAll(async () => {
    await browser?.close();
    await world?.close();
  });

  // Another window of the same person: what an earlier test left open reaches none of the later ones.
  beforeEach(async () => {
    page = await person.context.newPage();
    await page.goto("/");
  });
  afterEach(() => page.close());
  pictureFailures("journey", () => page);

  test("an enterprise and a POP with two lines are made", async () => {
    await open(page, "Enterprise management");
    await page.getByRole("button", { name: "Add enterprise" }).first().click();
    await fill(page, { Name: customer });
    await save(page);
    await rowOf(page, customer).waitFor();
    await open(page, "POP management");
    await page.getByRole("button", { name: "Add POP" }).first().click();
    await fill(page, { Name: "Shanghai-01", "Serial number": serialOf("pop") });
    await choose(page, dialog(page).getByLabel("Enterprise"), "运营中心");
    await save(page);
    await claim(world, page, "pop");
    await rowOf(page, "Shanghai-01").getByRole("link", { name: "Configure" }).click();
    await addLines(page, 10, true);
  });

  test.each(sites)(
    "$alias is made with lines and a LAN section",
    async ({ device, alias, octet, lan }) => {
      await open(page, "CPE management");
      await page.getByRole("button", { name: "Add CPE" }).first().click();
      await fill(page, { Alias: alias, "Serial number": serialOf(device) });
      await choose(page, dialog(page).getByLabel("Enterprise"), customer);
      await save(page);
      await claim(world, page, device);
      await rowOf(page, alias).getByRole("link", { name: "Configure" }).click();
      await addLines(page, octet, false);
      await page.getByRole("link", { name: /^LAN sections/ }).click();
      await page.getByRole("button", { name: "Add LAN section" }).first().click();
      await fill(page, {
        Interface: "lan1",
        "IPv4 address/prefix": `10.1.${lan}.1/24`,
        "IPv6 ULA": `fd00:1:${lan}::1/64`,
      });
      await save(page);
    },
  );

  test("three devices that used their claims wait, and are approved", async () => {
    await open(page, "Enrolment");
    for (const name of ["Shanghai-01", ...sites.map((site) => site.alias)]) {
      await rowOf(page, name).getByRole("button", { name: "Approve" }).click();
      await press(page, "Approve");
    }
    for (const device of ["pop", "cpe1", "cpe2"]) await world.startEdge(device);
    await open(page, "CPE management");
    for (const { alias } of sites) {
      await rowOf(page, alias).getByText("Online").waitFor();
    }
  });

  test("after the last click host A reaches host B, and the console shows it", async () => {
    await open(page, "Network space");
    await page.getByRole("button", { name: "Add space" }).first().click();
    await fill(page, { Name: "production" });
    await choose(page, dialog(page).getByLabel("Enterprise"), customer);
    for (const name of ["Shanghai-01", ...sites.map((site) => site.alias)]) {
      await dialog(page).getByRole("checkbox", { name }).check();
    }
    await save(page);
    for (const address of ["10.1.2.100", "fd00:1:2::100"]) {
      const reached = async () =>
        (await ping(world.lab, "hosta", address, { count: 1 }).catch(() => null))?.received === 1;
      await eventually(reached, `host A reaches ${address}`, deadlineMs);
    }
    await open(page, "Link management");
    await eventually(
      async () =>
        (await page.locator("tr", { hasText: "Shanghai-01" }).getByText("Up").count()) === 4,
      "four links up in the console",
      deadlineMs,
    );
  });

  test("a static route added in the console is in the kernel, and gone after removal", async () => {
    const kernel = () => mustExec(world.lab, "cpe1", ["ip", "-4", "route", "show", "10.9.0.0/16"]);
    await open(page, "CPE management");
    await rowOf(page, "Hangzhou-01").getByRole("link", { name: "Configure" }).click();
    await page.getByRole("link", { name: /^Static routes/ }).click();
    await page.getByRole("button", { name: "Add route" }).first().click();
    await fill(page, { Destination: "10.9.0.0/16", "Next hop": "10.1.1.100" });
    await save(page);
    await eventually(
      async () => (await kernel()).includes("via 10.1.1.100"),
      "the route",
      deadlineMs,
    );
    await rowOf(page, "10.9.0.0/16").getByRole("button", { name: "Delete" }).click();
    await press(page, /Delete/);
    await eventually(async () => (await kernel()) === "", "no route", deadlineMs);
  });

  test("the browser had nothing to complain about", () => {
    expect(person.errors).toEqual([]);
  });
});
