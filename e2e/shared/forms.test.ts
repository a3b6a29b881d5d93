/** What forms refuse before anything is sent, and what lists offer to whom. */

import { cpe } from "@weft/contract/domains/devices/cpe.ts";
import { line } from "@weft/contract/domains/devices/line.ts";
import { policyFamily } from "@weft/contract/domains/policies/policy-families.ts";
import { routerTemplate } from "@weft/contract/domains/templates/router-template.ts";
import type { Permission } from "@weft/contract/permissions.ts";
import { samples } from "@weft/contract/samples/drafts.ts";
import type { Page } from "playwright-core";
import { beforeAll, describe, expect, test } from "vitest";
import { choose, dialog, fill, press, rowOf } from "#e2e/console.ts";
import { goTo } from "#e2e/go-on.ts";
import { addPerson, adminOf, tokenOf } from "#e2e/people.ts";
import { countCalls } from "#e2e/wire.ts";
import { shells, soon } from "#test/shell-page.ts";

const { open, installation } = shells();
const caller = () => adminOf(installation());
/** The page of a user with the permissions named here, and no others. */
async function pageOf(name: string, path: string, authorities: readonly Permission[]) {
  await addPerson(await caller(), { name, groupid: 1, roleType: 0, authorities });
  const token = await tokenOf(installation().url, name);
  const { page } = await open({ token, path });
  await page.getByRole("main").getByRole("heading").first().waitFor();
  return page;
}
/** What the open form says is wrong. */
const alerts = (page: Page) => dialog(page).getByRole("alert").allTextContents();

/** Confirms the open form, which must refuse with this message and send nothing. */
async function refused(page: Page, path: string, message: RegExp): Promise<void> {
  const calls = countCalls(page, path);
  await press(page, "Save");
  await soon(async () => (await alerts(page)).some((text) => message.test(text))).toBe(true);
  expect(calls()).toBe(0);
}

test("a moment is what was typed, also while the pointer lies over another day of its calendar", async () => {
  const { page } = await open({ path: "/devopsmonitor/alarmwindow" });
  await page.getByRole("button", { name: "Add window" }).click();
  const from = dialog(page).getByLabel("From");
  await from.click();
  await from.fill("2030-01-01 04:00:00");
  await page.locator('.ant-picker-dropdown td[title="2030-01-26"]').hover();
  await page.keyboard.press("Tab");
  await page.locator(".ant-picker-dropdown").waitFor({ state: "hidden" });
  expect(await from.inputValue()).toBe("2030-01-01 04:00:00");
});

describe("a template", () => {
  let templateId = 0;
  beforeAll(async () => {
    const call = await caller();
    const { data } = await call(routerTemplate.ops.add, { templateName: "Forms", remark: "" });
    templateId = data.id;
  });

  test("B-5-08, B-5-09: has a name, when it is added and when it is modified", async () => {
    const { page } = await open({ path: "/business/template" });
    await page.getByRole("button", { name: "Add template" }).click();
    await refused(page, "/customer/routerTemplate/add", /Required/);
    await press(page, "Cancel");
    await rowOf(page, "Forms").getByRole("button", { name: "Edit" }).click();
    await fill(page, { "Template name": "" });
    await refused(page, "/customer/routerTemplate/edit", /Required/);
  });

  test("B-5-21: has no emoji in its name", async () => {
    const { page } = await open({ path: "/business/template" });
    await page.getByRole("button", { name: "Add template" }).click();
    await fill(page, { "Template name": "shop 😀" });
    await refused(page, "/customer/routerTemplate/add", /Only Chinese characters/);
  });

  test("B-5-12, B-5-14: a line's MTU is 1000 to 1450, its bandwidth 64 kbit/s at least", async () => {
    const { page } = await open({ path: `/business/template/wan?templateId=${templateId}` });
    const add = "/customer/routerInterfaceline/add";
    await page.getByRole("button", { name: /^Add / }).click();
    await fill(page, { Name: "wan-a" });
    const mtu = dialog(page).getByLabel(/MTU/).first();
    for (const value of ["999", "1451"]) {
      await mtu.fill(value);
      await refused(page, add, /MTU must be 1000–1450/);
    }
    await mtu.fill("1400");
    await dialog(page).getByLabel("Upstream").fill("0.063");
    await refused(page, add, /at least 64 kbit/);
  });

  test("B-5-17: an address pool does not end before it starts", async () => {
    const { page } = await open({ path: `/business/template/lan?templateId=${templateId}` });
    await page.getByRole("button", { name: /^Add / }).click();
    await fill(page, { Name: "lan-a", "Subnet mask": "255.255.255.0" });
    await fill(page, { "DHCP from": "10.0.0.10", "DHCP to": "10.0.0.9" });
    await refused(page, "/customer/routerInterfaceline/add", /start must not be greater/);
  });

  test("B-5-18: a range of ports is compared as numbers", async () => {
    const { page } = await open({
      path: `/business/template/portMapping?templateId=${templateId}`,
    });
    const { data } = await (await caller())(
      policyFamily("routerPortmapping").template.resource.ops.add,
      {
        templateId,
        protocol: "tcp",
        externalPort: "9-10",
        internalIp: "10.0.0.9",
        internalPort: "443",
        lineId: null,
        enable: true,
        remark: "",
      },
    );
    expect(data).toMatchObject({ id: expect.any(Number) });
    await page.reload();
    await rowOf(page, "9-10").waitFor();
  });

  test("B-1-17: a bandwidth channel and the QoS policy that uses it", async () => {
    const { page } = await open({
      path: `/business/template/bandwidthTunnel?templateId=${templateId}`,
    });
    await page.getByRole("button", { name: /^Add / }).click();
    await fill(page, { Name: "voice", Guaranteed: "1", Maximum: "10" });
    await press(page, "Save");
    await rowOf(page, "voice").getByRole("button", { name: "Edit" }).click();
    await fill(page, { Maximum: "20" });
    await press(page, "Save");
    await rowOf(page, "20 Mbit/s").waitFor();
    await goTo(page, `/business/template/bandwidthPolicy?templateId=${templateId}`);
    await page.getByRole("button", { name: /^Add / }).click();
    await fill(page, { Name: "calls" });
    await choose(page, dialog(page).getByLabel("Bandwidth tunnel"), "voice");
    await press(page, "Save");
    await rowOf(page, "calls").getByRole("button", { name: "Edit" }).click();
    await fill(page, { Name: "phones" });
    await press(page, "Save");
    await rowOf(page, "phones").getByRole("button", { name: "Delete" }).click();
    await press(page, "Delete");
    await rowOf(page, "phones").waitFor({ state: "detached" });
  });
});

describe("a CPE", () => {
  test("B-5-20: its longitude has six decimals at most", async () => {
    const { page } = await open({ path: "/sdwan-system/cpe" });
    await page.getByRole("button", { name: "Add CPE" }).click();
    await dialog(page).getByLabel("Longitude").fill("120.1234567");
    await refused(page, "/customer/cpe/add", /decimal/);
  });

  test("B-5-15, B-5-16: has four lines and no fifth; one that is removed makes room", async () => {
    const call = await caller();
    // Of its own: lines of the demonstration's CPEs are what other tests look at.
    const draft = samples.cpe.valid({ groupid: 1, cpeId: 1, popId: 1 });
    const added = await call(cpe.ops.add, { ...draft, alias: "Four-lines", sn: "FORMS-4" });
    const nodeId = added.data.id;
    const lines = async () =>
      (await call(line.ops.list, { nodeId, page: 1, limit: 40, orderByColumn: null, isAsc: null }))
        .data;
    for (const slot of [1, 2, 3, 4]) {
      await call(line.ops.add, {
        nodeId,
        slot,
        name: `line-${slot}`,
        interfaceName: `wan${slot}`,
        addressing: "dhcp",
        ip: null,
        gateway: null,
        ipv6Mode: "off",
        ip6: null,
        gateway6: null,
        prefixLength: null,
        publicIp: null,
        publicPort: null,
        isp: "",
        lineQuality: 0,
        reachable: false,
        mtu: 1_400,
        upBandwidth: null,
        downBandwidth: null,
        remark: "",
      });
    }
    const { page } = await open({ path: `/sdwan-system/cpe/cpeSet/${nodeId}?section=lines` });
    const add = page.getByRole("button", { name: "Add WAN link" });
    await soon(() => add.isDisabled()).toBe(true);
    const last = (await lines()).find(({ slot }) => slot === 4);
    await call(line.ops.remove, { ids: [last?.id ?? 0] });
    await page.reload();
    await soon(() => add.isEnabled()).toBe(true);
  });

  test("B-7.2-14: a restart requires the password, which is sent with the CPE", async () => {
    const { page } = await open({ path: "/sdwan-system/cpe/cpeTable/detail?id=4" });
    const asked = page.waitForRequest((request) => request.url().includes("/customer/cpe/reboot"));
    await page.getByRole("button", { name: /^Reboot/ }).click();
    await dialog(page).locator('input[type="password"]').fill("not-it-1");
    await press(page, /^Reboot/);
    const request = await asked;
    const query = new URL(request.url()).searchParams;
    expect([request.method(), query.get("cpeId"), query.get("password")]).toEqual([
      "GET",
      "4",
      "not-it-1",
    ]);
  });
});

test("B-6-12: who may remove templates and nothing else finds that alone in the batch menu", async () => {
  const codes = ["routerTemplateView", "routerTemplateList", "routerTemplateRemove"] as const;
  const page = await pageOf("remover", "/business/template", codes);
  await page.getByRole("button", { name: /^Bulk actions/ }).click();
  const items = page.locator(".ant-dropdown-menu:visible .ant-dropdown-menu-item");
  await soon(() => items.allTextContents()).toEqual(["Delete"]);
});

test("B-6-21: without a code no screen offers anything that changes", async () => {
  const page = await pageOf("formsreader", "/sdwan-system/pop", []);
  const screens = [
    "/sdwan-system/pop",
    "/sdwan-system/cpe",
    "/sdwan-system/mobileTerminal/account",
    "/business-system/overlay/space",
  ];
  for (const path of screens) {
    await goTo(page, path);
    await page.locator("main tr.ant-table-row, main .w-empty").first().waitFor();
    const texts =
      /^(?:Add|Edit|Modify|Remove|Delete|Bulk actions|Enable|Disable|Import|Configure|Publish)\b/;
    const offered = page.locator("main").getByRole("button", { name: texts });
    expect([path, await offered.allTextContents()]).toEqual([path, []]);
  }
});
