import { mustExec } from "@weft/lab/enter.ts";
import { serialOf } from "@weft/lab/operator.ts";
import { ping } from "@weft/lab/ping.ts";
import { spawn } from "@weft/lab/spawn.ts";
import { defaultLab } from "@weft/lab/spec.ts";
import { edgeCommand, eventually, root, startWorld, type World } from "@weft/lab/world.ts";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { launchBrowser, logIn, type Visit, visit } from "#e2e/browser.ts";
import { choose, dialog, fill, open, press, rowOf, save } from "#e2e/console.ts";
import { pictureFailures } from "#test/picture-of-failure.ts";

const customer = "Blue-Sea";
const sites = [
  { device: "cpe1", alias: "Hangzhou-01", octet: 11, lan: 1 },
  { device: "cpe2", alias: "Hangzhou-02", octet: 12, lan: 2 },
] as const;

/** Two lines: wan1 static, wan2 static on a POP and by DHCP at a site. */
async function addLines(page: Page, octet: number, isPop: boolean): Promise<void> {
  for (const slot of [1, 2] as const) {
    const isp = slot === 1 ? "isp-a" : "isp-b";
    await page.getByRole("button", { name: "Add WAN link" }).first().click();
    await choose(page, dialog(page).getByLabel("Slot"), `wan${slot}`);
    await fill(page, { Interface: `wan${slot}`, Name: isp, Carrier: isp });
    if (slot === 1 || isPop) {
      const net = slot === 1 ? "198.51.100" : "203.0.113";
      await dialog(page).getByText("Static", { exact: true }).click();
      await fill(page, { "Address/prefix": `${net}.${octet}/24`, Gateway: `${net}.1` });
    } else await dialog(page).getByText("DHCP", { exact: true }).click();
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

describe("from a click in the console to the far host", () => {
  let world: World;
  let browser: Browser;
  let person: Visit;

  beforeAll(async () => {
    world = await startWorld(defaultLab());
    browser = await launchBrowser();
    person = await visit(browser, world.url);
    person.page.setDefaultTimeout(10_000);
    await logIn(person.page, "admin", world.password);
  }, 120_000);

  afterAll(async () => {
    await browser?.close();
    await world?.close();
  }, 30_000);

  pictureFailures("journey", () => person.page);

  test("an enterprise and a POP with two lines are made", async () => {
    const { page } = person;
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
      const { page } = person;
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
    const { page } = person;
    await open(page, "Enrolment");
    for (const name of ["Shanghai-01", ...sites.map((site) => site.alias)]) {
      await rowOf(page, name).getByRole("button", { name: "Approve" }).click({ timeout: 40_000 });
      await press(page, "Approve");
    }
    for (const device of ["pop", "cpe1", "cpe2"]) await world.startEdge(device);
    await open(page, "CPE management");
    for (const { alias } of sites) {
      await rowOf(page, alias).getByText("Online").waitFor({ timeout: 60_000 });
    }
  });

  test("within 10 s of the last click host A reaches host B, and the console shows it", async () => {
    const { page } = person;
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
      await eventually(reached, `host A reaches ${address}`, 10_000);
    }
    await open(page, "Link management");
    await eventually(
      async () =>
        (await page.locator("tr", { hasText: "Shanghai-01" }).getByText("Up").count()) === 4,
      "four links up in the console",
      40_000,
    );
  });

  test("a static route added in the console is in the kernel, and gone after removal", async () => {
    const { page } = person;
    const kernel = () => mustExec(world.lab, "cpe1", ["ip", "-4", "route", "show", "10.9.0.0/16"]);
    await open(page, "CPE management");
    await rowOf(page, "Hangzhou-01").getByRole("link", { name: "Configure" }).click();
    await page.getByRole("link", { name: /^Static routes/ }).click();
    await page.getByRole("button", { name: "Add route" }).first().click();
    await fill(page, { Destination: "10.9.0.0/16", "Next hop": "10.1.1.100" });
    await save(page);
    await eventually(async () => (await kernel()).includes("via 10.1.1.100"), "the route", 10_000);
    await rowOf(page, "10.9.0.0/16").getByRole("button", { name: "Remove" }).click();
    await press(page, /Remove/);
    await eventually(async () => (await kernel()) === "", "no route", 10_000);
  });

  test("the browser had nothing to complain about", () => {
    expect(person.errors).toEqual([]);
  });
});
