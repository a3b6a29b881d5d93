/** Calls that screens make, as they leave the browser. */
import { batchList } from "@weft/contract/domains/access/batch.ts";
import { sysSearchRelEdit } from "@weft/contract/domains/access/saved-columns.ts";
import { nodeState } from "@weft/contract/domains/delivery/node-state.ts";
import { taskList } from "@weft/contract/domains/delivery/task.ts";
import { cpe } from "@weft/contract/domains/devices/cpe.ts";
import { cpeEditStandby } from "@weft/contract/domains/devices/cpe-standby.ts";
import { staticRoute } from "@weft/contract/domains/devices/static-route.ts";
import { accountImport, mobileAccount } from "@weft/contract/domains/mobile/mobile-account.ts";
import { samples } from "@weft/contract/samples/drafts.ts";
import type { Page, Request } from "playwright-core";
import { afterAll, describe, expect, test } from "vitest";
import { button, ownShells, soon } from "#test/shell-page.ts";
import { dialog, press, rowOf } from "./console.ts";
import { type FileTaker, openFileTaker, type Taken } from "./file-taker.ts";
import { adminOf } from "./people.ts";
import { storedTokens } from "./wire.ts";

let taker: FileTaker;
const { open, installation } = ownShells(async () => {
  taker = await openFileTaker();
  return { WEFT_PROTOCOL_IMPORT_URL: `${taker.origin}/import?kind=protocol` };
});
afterAll(() => taker?.close());

/** Fields of the newest POST to a path; waits for one. */
function posts(page: Page, path: string) {
  const sent: Request[] = [];
  page.on("request", (request) => {
    if (request.method() === "POST" && new URL(request.url()).pathname === path) sent.push(request);
  });
  const newest = async (): Promise<Record<string, string>> => {
    await soon(async () => sent.length).toBeGreaterThan(0);
    const body = sent.at(-1)?.postData() ?? "";
    const fields = body.matchAll(/name="(\w+)"\r\n\r\n([^\r]*)/g);
    return Object.fromEntries([...fields].map(([, name, value]) => [name, value]));
  };
  return Object.assign(newest, { count: () => sent.length });
}

describe("the external protocol import", () => {
  const openImport = async () => {
    const shell = await open({ path: "/business/template" });
    await button(shell.page, "External protocol import").click();
    await dialog(shell.page).getByText(new URL(taker.origin).host).waitFor();
    const pick = (name: string, bytes: number | string) =>
      dialog(shell.page)
        .locator('input[type="file"]')
        .setInputFiles({
          name,
          mimeType: "application/octet-stream",
          buffer: typeof bytes === "string" ? Buffer.from(bytes) : Buffer.alloc(bytes, 1),
        });
    return { ...shell, pick };
  };

  test("endpoints:external.protocolImport sends the file, and nothing of the session", async () => {
    const { page, pick } = await openImport();
    const { local, session, cookie } = await storedTokens(page);
    const token = local ?? session ?? cookie;
    expect(token).toMatch(/.{20}/);
    await pick("协议.dat", "protocol-bytes");
    await page.getByText("The service took 协议.dat").waitFor();
    await dialog(page).waitFor({ state: "hidden" });
    expect(taker.taken).toHaveLength(1);
    const { method, path, headers, body } = taker.taken[0] as Taken;
    expect({ method, path }).toEqual({ method: "POST", path: "/import?kind=protocol" });
    expect(headers["content-type"]).toMatch(/^multipart\/form-data; boundary=/);
    expect(body).toMatch(/name="file"; filename="协议\.dat"\r\n.*\r\n\r\nprotocol-bytes\r\n/);
    expect(headers).not.toHaveProperty("authorization");
    expect(headers).not.toHaveProperty("cookie");
    expect(headers).not.toHaveProperty("referer");
    expect(`${path} ${JSON.stringify(headers)} ${body}`).not.toContain(token);
  });

  test("reports why a file did not arrive and keeps the dialog open", async () => {
    const { page, pick } = await openImport();
    const says = (text: string) => dialog(page).getByText(text).waitFor();
    taker.answers(200, '{"code":7,"msg":"unknown format"}');
    await pick("a.dat", "x");
    await says("a.dat: the service refused: unknown format");
    taker.answers(502, "<html>");
    await pick("b.dat", "x");
    await says("b.dat: the service answered HTTP 502");
    taker.answers(200, "fine");
    await pick("c.dat", "x");
    await says("c.dat: the answer of the service makes no sense");
    taker.answers(200, '{"code":0}', false);
    await pick("d.dat", "x");
    await says("d.dat: the service cannot be reached");
    const before = taker.taken.length;
    await pick("e.dat", "");
    await says("e.dat: the file is empty");
    await pick("f.dat", 10 * 1024 * 1024 + 1);
    await says("f.dat: the file is larger than 10 MB");
    expect(taker.taken).toHaveLength(before);
  });

  test("the page may call that origin and no other", async () => {
    const other = await openFileTaker();
    const { page } = await open({ path: "/business/template" });
    const calls = (url: string) =>
      page.evaluate(
        (address) =>
          fetch(address).then(
            () => true,
            () => false,
          ),
        url,
      );
    taker.answers(200, "{}");
    expect(await calls(`${taker.origin}/x`)).toBe(true);
    expect(await calls(`${other.origin}/x`)).toBe(false);
    expect(other.taken).toEqual([]);
    await other.close();
  });
});

describe("the list of CPEs", () => {
  test("B-3-13: only the columns of cpeColomn are shown", async () => {
    const call = await adminOf(installation());
    const cols = ["alias", "sn", "remark"];
    await call(sysSearchRelEdit, { userId: 1, cols, classType: "cpe" });
    const { page } = await open({ path: "/sdwan-system/cpe?alias=杭州总部" });
    await rowOf(page, "杭州总部").waitFor();
    const heads = await page.locator("thead th").allTextContents();
    const shown = heads.map((text) => text.trim()).filter((text) => text !== "");
    expect(shown).toEqual(["Alias", "Serial number", "Remark", "Actions"]);
    await call(sysSearchRelEdit, { userId: 1, cols: [], classType: "cpe" });
  });

  test("B-4-13: disabling sends enable, id and hostid, and the row shows disabled", async () => {
    const { page } = await open({ path: "/sdwan-system/cpe?alias=无锡仓库" });
    const call = await adminOf(installation());
    const wanted = {
      alias: "无锡仓库",
      groupid: null,
      linkStatus: null,
      tone: null,
      key: null,
      areaId: null,
    };
    const listed = async () => {
      const order = { orderByColumn: null, isAsc: null };
      return (await call(cpe.ops.list, { ...wanted, ...order, page: 1, limit: 10 })).data[0];
    };
    // Which device serves it is known once that has come.
    await soon(async () => (await listed())?.hostid ?? "").not.toBe("");
    await page.reload();
    const row = await listed();
    const sent = posts(page, "/customer/cpe/saveXwanUserEnable");
    await rowOf(page, "无锡仓库").getByRole("checkbox").check();
    await page.locator(".w-batch").getByRole("button", { name: "Disable" }).click();
    await press(page, "Disable");
    expect(await sent()).toEqual({ enable: "0", id: String(row?.id), hostid: row?.hostid });
    await rowOf(page, "无锡仓库").getByText("Disabled").waitFor();
    expect(await listed()).toMatchObject({ enable: false });
  });
});

test("B-5-19: a second active device of a standby group is refused in the form, and nothing is sent", async () => {
  const call = await adminOf(installation());
  const order = { orderByColumn: null, isAsc: null, page: 1, limit: 10 };
  const any = { groupid: null, linkStatus: null, tone: null, key: null, areaId: null, ...order };
  const idOf = async (alias: string) =>
    (await call(cpe.ops.list, { ...any, alias })).data[0]?.id ?? 0;
  const [first, second] = [await idOf("南京总校"), await idOf("扬州校区")];
  const place = { hotStandbyGroup: 7, hotStandbyPriority: 200 };
  await call(cpeEditStandby, { cpeId: first, ...place, hotStandbyRole: "active" });
  const { page } = await open({ path: `/sdwan-system/cpe/cpeSet/${second}?section=standby` });
  const sent = posts(page, "/customer/cpe/editStandby");
  const field = (label: string) => page.locator(".w-field", { hasText: label });
  await field("Standby group").getByRole("spinbutton").fill("7");
  await page.getByRole("radio", { name: "Active" }).check();
  await field("Standby priority").getByRole("spinbutton").fill("100");
  await button(page, "Save").click();
  const warning = page.getByRole("alert").filter({ hasText: "already has the Active device" });
  await warning.filter({ hasText: "南京总校" }).waitFor();
  expect(sent.count()).toBe(0);
  // The other place of the group is free.
  await page.getByRole("radio", { name: "Standby" }).check();
  await button(page, "Save").click();
  expect(await sent()).toEqual({
    cpeId: String(second),
    hotStandbyGroup: "7",
    hotStandbyRole: "standby",
    hotStandbyPriority: "100",
  });
  await rowOf(page, "扬州校区").getByText("Standby").waitFor();
  const again = call(cpeEditStandby, { cpeId: second, ...place, hotStandbyRole: "active" });
  await expect(again).rejects.toThrow();
});

test("B-4-15: a queued task is cancelled with its operId", async () => {
  const call = await adminOf(installation());
  const draft = { ...samples.cpe.valid({ groupid: 1, cpeId: 1, popId: 1 }), sn: "QUEUED-1" };
  const { id } = (await call(cpe.ops.add, { ...draft, alias: "queued-site" })).data;
  const route = samples.staticroute.valid({ groupid: 1, cpeId: id, popId: 1 });
  await call(staticRoute.ops.add, { ...route, nCpeID: id });
  const tasks = async () => (await call(taskList, { cpeId: id, page: 1, limit: 10 })).data;
  // Until nothing is left to compile: a newer state would cancel the task by itself.
  await soon(async () => (await call(nodeState, { id })).data.compiling).toBe(false);
  await soon(async () => (await tasks())[0]?.status).toBe(0);
  const operId = (await tasks())[0]?.operId;
  const { page } = await open({ path: `/sdwan-system/cpe/site/changes?id=${id}` });
  const sent = posts(page, "/customer/task/cancel");
  const row = rowOf(page, "Not started");
  await row.getByRole("button", { name: "Cancel", exact: true }).click();
  await press(page, "Cancel task");
  expect(await sent()).toEqual({ operId: String(operId) });
  // A task that a newer state cancelled may be above or below it: its own row is the one that changes.
  await row.waitFor({ state: "detached" });
  expect((await tasks()).find((task) => task.operId === operId)).toMatchObject({ status: 3 });
  await rowOf(page, "Cancelled").first().waitFor();
});

describe("an action on every row that matches", () => {
  test("goes on in the background, with its progress and a report of what failed", async () => {
    const call = await adminOf(installation());
    const rows = Array.from({ length: 260 }, (_, at) => `bulk@${at},bulk-${at},1`);
    const text = ["loginName,alias,terminalType", ...rows].join("\r\n");
    const file = { name: "accounts.csv", bytes: new TextEncoder().encode(text) };
    await call(accountImport, { groupid: 1, file, check: false });
    const { page } = await open({ path: "/sdwan-system/mobileTerminal/account?alias=bulk-" });
    await rowOf(page, "bulk-0").first().waitFor();
    await page.locator("thead").getByRole("checkbox").check();
    await page.getByRole("button", { name: "Select all 260 that match" }).click();
    await page.getByText("All 260 selected").waitFor();
    await page.locator(".w-batch").getByRole("button", { name: "Disable" }).click();
    // Many at once: their number is typed.
    await dialog(page).getByRole("textbox").fill("260");
    await press(page, "Disable");
    await dialog(page).getByText("Finished · 260 of 260 done").waitFor({ timeout: 60_000 });
    await dialog(page).locator(".w-confirm-foot button").click();
    await rowOf(page, "bulk-0").first().getByText("Disabled").waitFor();
    const filters = { key: null, alias: "bulk-", groupid: null, enable: true };
    const order = { orderByColumn: null, isAsc: null };
    const on = await call(mobileAccount.ops.list, { ...filters, ...order, page: 1, limit: 1 });
    expect(on.count).toBe(0);
  });

  test("reports the reason of each failed row and stays in the user's records", async () => {
    const call = await adminOf(installation());
    const { page } = await open({ path: "/sdwan-system/cpe?alias=杭州总部" });
    await rowOf(page, "杭州总部").getByRole("checkbox").check();
    await page.locator(".w-batch").getByRole("button", { name: "Delete" }).click();
    await press(page, "Delete");
    await dialog(page).getByText("1 failed").waitFor();
    await dialog(page).getByText("Still in use by").waitFor();
    await dialog(page).locator(".w-confirm-foot button").click();
    await rowOf(page, "杭州总部").waitFor();
    await page.goto("/user/message?open=batches");
    const record = rowOf(page, "Delete CPEs");
    await record.getByRole("button", { name: "Report" }).click();
    await dialog(page).getByText("Still in use by").waitFor();
    const { data } = await call(batchList, { batchStatus: null, page: 1, limit: 10 });
    expect(data[0]).toMatchObject({ action: "cpe.batchRemove", total: 1, done: 0, failed: 1 });
  });
});

test("a device is unbound after its name is typed; its node then shows that it has none", async () => {
  const call = await adminOf(installation());
  const listed = async () => {
    const query = { page: 1, limit: 1, orderByColumn: null, isAsc: null, areaId: null };
    const filters = { alias: "无锡仓库", groupid: null, key: null, linkStatus: null, tone: null };
    const [row] = (await call(cpe.ops.list, { ...query, ...filters })).data;
    if (!row) throw new Error("no such CPE");
    return row;
  };
  await soon(async () => (await listed()).linkStatus).toBe(1);
  const { id } = await listed();
  const { page } = await open({ path: `/sdwan-system/cpe/cpeSet/${id}?section=system` });
  const unbind = button(page, "Unbind device");
  await unbind.click();
  const go = dialog(page).getByRole("button", { name: "Unbind device" });
  expect(await go.isDisabled()).toBe(true);
  await dialog(page).getByRole("textbox").fill("无锡仓库");
  await press(page, "Unbind device");
  await soon(() => unbind.isDisabled()).toBe(true);
  await soon(async () => (await listed()).linkStatus).not.toBe(1);
  // Its key opens nothing any more: a device that comes again waits for approval, if at all.
  await page.goto(`/sdwan-system/cpe/cpeTable/detail?id=${id}`);
  await page.locator("main").getByText("无锡仓库").first().waitFor();
  await page.locator("main").getByText("Rejected").first().waitFor();
});
