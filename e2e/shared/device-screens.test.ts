/** Pages of one device and of its enterprise's branches: typical use, and errors. */
import { cpe, cpeFindById } from "@weft/contract/domains/devices/cpe.ts";
import { line } from "@weft/contract/domains/devices/line.ts";
import { enterprise } from "@weft/contract/domains/enterprises/enterprise.ts";
import type { Caller } from "@weft/contract/kernel/client.ts";
import { samples } from "@weft/contract/samples/drafts.ts";
import { sampleIds } from "@weft/contract/samples/making-order.ts";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { choose, confirm, dialog, fill, press, rowOf, save } from "#e2e/console.ts";
import { goTo, quiet } from "#e2e/go-on.ts";
import { adminOf } from "#e2e/people.ts";
import { countCalls } from "#e2e/wire.ts";
import { button, shells, soon } from "#test/shell-page.ts";

const { open, installation } = shells();
const mark = "screens";
let call: Caller;
/** An enterprise with one CPE without a device, on one line. */
let own: { groupid: number; cpeId: number };
/** A CPE whose device is connected. */
let served: { id: number; alias: string };

beforeAll(async () => {
  call = await adminOf(installation());
  const groupid = (
    await call(enterprise.ops.add, {
      ...samples.enterprise.valid(sampleIds({})),
      name: mark,
      parentId: 1,
      phone: null,
      email: null,
    })
  ).data.id;
  const ids = sampleIds({ enterprise: groupid });
  const cpeId = (
    await call(cpe.ops.add, { ...samples.cpe.valid(ids), alias: mark, sn: "SN-SCREENS" })
  ).data.id;
  const draft = samples.line.valid(sampleIds({ enterprise: groupid, cpe: cpeId }));
  await call(line.ops.add, draft);
  own = { groupid, cpeId };
  const query = { page: 1, limit: 1, orderByColumn: null, isAsc: null };
  const filters = {
    alias: null,
    groupid: null,
    key: null,
    areaId: null,
    linkStatus: 1,
    tone: null,
  };
  served = await vi.waitFor(
    async () => {
      const [found] = (await call(cpe.ops.list, { ...query, ...filters })).data;
      if (!found) throw new Error("no device is connected yet");
      return found;
    },
    { timeout: 60_000, interval: 1_000 },
  );
}, 240_000);
afterAll(async () => {
  await call(cpe.ops.remove, { ids: [own.cpeId] });
  await call(enterprise.ops.remove, { ids: [own.groupid] });
});

const settings = (section: string) => `/sdwan-system/cpe/cpeSet/${own.cpeId}?section=${section}`;
const alert = (page: Page) => dialog(page).getByRole("alert").first();
const rowButton = (page: Page, row: string, name: string) =>
  rowOf(page, row).getByRole("button", { name, exact: true });

/** Whether all controls of a bar are in one line. */
const isOneLine = (page: Page, bar: string) =>
  page.locator(bar).evaluate((element) => {
    const boxes = [
      ...element.querySelectorAll(
        "h1, button, a, .ant-select, .ant-input-affix-wrapper, .ant-picker, .ant-segmented",
      ),
    ]
      .map((part) => part.getBoundingClientRect())
      .filter(({ width }) => width > 0);
    const top = Math.max(...boxes.map((box) => box.top));
    const bottom = Math.min(...boxes.map((box) => box.bottom));
    return top < bottom;
  });

test("the list of CPEs has a head and filters of one line each, and what has no room is in menus", async () => {
  const { page } = await open({ width: 1_024, path: "/sdwan-system/cpe?tone=ok" });
  await button(page, "Clear (1)").waitFor();
  for (const width of [1_024, 1_280]) {
    await page.setViewportSize({ width, height: 768 });
    await soon(() => isOneLine(page, ".w-page-head"), `head at ${width}`).toBe(true);
    await soon(() => isOneLine(page, ".w-filters"), `filters at ${width}`).toBe(true);
  }
  await page.setViewportSize({ width: 1_024, height: 768 });
  await button(page, "View").click();
  const view = page.getByRole("region", { name: "View" });
  await view.getByRole("button", { name: "Refresh" }).waitFor();
  await view.getByRole("checkbox", { name: "Enterprise" }).waitFor();
  await page.keyboard.press("Escape");
  await button(page, "More filters").click();
  await page.getByRole("combobox", { name: "Expiry" }).click();
  await page.locator(".ant-select-item-option", { hasText: "Expired" }).click();
  await button(page, "More filters 1").waitFor();
  await button(page, "Clear (2)").click();
  await button(page, "More filters").waitFor();
});

test.each([
  ["zh_cn", "7 天"],
  ["en_gb", "7 d"],
] as const)(
  "in %s the range of the operation log has one line with the tools of the list",
  async (language, preset) => {
    const path = "/system/recordmanage/operaRecord";
    const { page } = await open({ width: 1_024, language, path });
    await page.locator(".ant-picker-range").waitFor();
    await page.locator(".ant-segmented-item", { hasText: preset }).waitFor();
    await soon(() => isOneLine(page, ".w-page-actions")).toBe(true);
  },
);

describe("settings of a CPE", () => {
  test("a port keeps its speed and remark, and is edited as it was saved", async () => {
    const { page, errors } = await open({ path: settings("lan") });
    const speed = dialog(page).getByLabel("Contracted speed");
    await rowButton(page, "wan4", "Edit").click();
    await speed.fill("-1");
    await press(page, "Save");
    await alert(page).waitFor();
    await fill(page, { "Contracted speed": "200", Remark: "contract 7" });
    await save(page);
    await soon(() => rowOf(page, "wan4").textContent()).toMatch(/200.*contract 7/);
    // Devices do not apply this: it is saved, and nothing is delivered.
    expect(await button(page, "Save and deliver").count()).toBe(0);
    await rowButton(page, "wan4", "Edit").click();
    await speed.waitFor();
    expect(await speed.inputValue()).toBe("200");
    expect(errors).toEqual([]);
  });

  test("a switch of user groups keeps the bandwidth that is being entered", async () => {
    const { page, errors } = await open({ path: settings("groups") });
    const bandwidth = page.getByLabel("Bandwidth");
    await bandwidth.fill("12");
    await page.getByRole("switch", { name: "Takes part in user groups" }).click();
    await confirm(page, "Disable");
    await page.getByRole("switch", { name: "Takes part in user groups", checked: false }).waitFor();
    expect(await bandwidth.inputValue()).toBe("12");
    await button(page, "Save").click();
    const stored = async () => {
      const { data } = await call(cpeFindById, { id: own.cpeId });
      return { enabled: data.cugEnable, bandwidth: data.cugBandwidth };
    };
    await soon(stored).toEqual({ enabled: false, bandwidth: 12_000_000 });
    expect(errors).toEqual([]);
  });

  test("no device is unbound if there is none", async () => {
    const { page, errors } = await open({ path: settings("system") });
    await button(page, "Unbind device").waitFor();
    expect(await button(page, "Unbind device").isDisabled()).toBe(true);
    expect(errors).toEqual([]);
  });
});

/** Pages about one row, with an id that does not exist. */
const absent = [
  "/sdwan-system/cpe/cpeSet/987654",
  "/sdwan-system/cpe/cpeTable/detail?id=987654",
  "/sdwan-system/cpe/cpeNeighbor/987654",
  "/sdwan-system/pop/popSet/987654",
  "/sdwan-system/pop/popTable/detail?id=987654",
  "/business/template/wan?templateId=987654",
  "/business-system/underlay/segmentRoute/routeEdit?id=987654",
  "/sdwan-system/cpe/cpeTable/line?id=987654",
  "/business-system/circuitmanage/circuitTable/line?id=987654",
];

test("the page of a missing row shows that it does not exist", async () => {
  const { page, errors } = await open({ path: "/sdwan-system/cpe" });
  const silent: string[] = [];
  for (const path of absent) {
    await goTo(page, path);
    await quiet(page);
    const text = (await page.locator("main").textContent()) ?? "";
    if (!text.includes("ot found, or you do not have access")) silent.push(`${path}: ${text}`);
  }
  expect(silent).toEqual([]);
  expect(errors).toEqual([]);
});

test("branches: CPEs of the same enterprise, each in one branch", async () => {
  const path = `/sdwan-system/enterprisemanage?open=branches-${own.groupid}`;
  const { page, errors } = await open({ path });
  const add = async (name: string) => {
    await press(page, "Add branch");
    await fill(page, { Name: name });
    await choose(page, dialog(page).getByLabel("CPEs"), mark);
    const options = page.locator(".ant-select-dropdown:visible .ant-select-item-option");
    expect(await options.count()).toBe(1);
    await page.keyboard.press("Tab");
  };
  await add("first");
  await save(page);
  await soon(() => rowOf(page, "first").textContent()).toContain("1");
  await add("second");
  await press(page, "Save");
  await alert(page).waitFor();
  await press(page, "Cancel");
  await confirm(page, "Discard");
  await rowButton(page, "first", "Delete").click();
  await confirm(page, "Delete");
  await soon(() => rowOf(page, "first").count()).toBe(0);
  expect(errors).toEqual([]);
});

test("a packet trace names the stage that drops it, and forgets its answer with the question", async () => {
  const path = `/sdwan-system/cpe/cpeTable/detail?id=${served.id}&open=trace`;
  const { page, errors } = await open({ path });
  await choose(page, dialog(page).getByLabel("Interface"), "lan1");
  const ends = { "Source address": "198.18.0.1", "Destination address": "192.0.2.1" };
  await fill(page, ends);
  await press(page, "Trace");
  await dialog(page).getByText("Required").waitFor();
  await fill(page, { "Destination port": "443" });
  await press(page, "Trace");
  await dialog(page).getByText("Dropped").waitFor();
  await dialog(page).getByText("198.18.0.1 is not a source that is allowed here").waitFor();
  await fill(page, { "Destination port": "80" });
  await dialog(page).getByText("Dropped").waitFor({ state: "detached" });
  expect(errors).toEqual([]);
});

test("an activation code is sent by e-mail from a phone, and the page shows what it replaces and why sending is impossible", async () => {
  const path = `/sdwan-system/cpe?open=claim-${served.id}`;
  const { page, errors } = await open({ path, width: 390 });
  const mail = dialog(page).getByRole("button", { name: "Send code by e-mail" });
  await mail.waitFor();
  const box = await mail.boundingBox();
  expect(box?.x ?? -1).toBeGreaterThan(0);
  await mail.click();
  await dialog(page).getByText("This node already has a device", { exact: false }).waitFor();
  await fill(page, { "E-mail": "nobody" });
  await press(page, "Send");
  await alert(page).waitFor();
  await fill(page, { "E-mail": "site@example.com" });
  await press(page, "Send");
  await soon(() => alert(page).textContent()).toContain("WEFT_SMTP_URL");
  expect(errors).toEqual([]);
});

test("the local status of a device is read once for two clicks, and closes with its dialog", async () => {
  const path = `/sdwan-system/cpe/cpeTable/detail?id=${served.id}&open=localApi`;
  const { page, errors } = await open({ path });
  const read = dialog(page).getByRole("button", { name: "Read", exact: true });
  await read.waitFor();
  const calls = countCalls(page, "/customer/common/commonHttp");
  await read.dblclick();
  const answer = dialog(page).getByText("The device answered 200");
  await answer.waitFor();
  expect(calls()).toBe(1);
  await dialog(page).getByText("Interfaces").click();
  await answer.waitFor({ state: "detached" });
  expect(errors).toEqual([]);
});

test("a firmware task for a device without remote upgrades is refused with its name", async () => {
  const { page, errors } = await open({ path: "/sdwan-system/cpe?open=firmware" });
  await press(page, "Add task");
  await fill(page, { Name: mark, Version: "1.2.0" });
  await choose(page, dialog(page).getByLabel("CPEs"), served.alias);
  await page.keyboard.press("Tab");
  await press(page, "Save");
  await soon(() => alert(page).textContent()).toContain(served.alias);
  expect(await dialog(page).getByLabel("Version").inputValue()).toBe("1.2.0");
  expect(errors).toEqual([]);
});
