/** What people typed is kept, taken or refused: never dropped without a word. */
import { logout } from "@weft/contract/domains/access/session.ts";
import { cpe } from "@weft/contract/domains/devices/cpe.ts";
import { callerOf } from "@weft/contract/kernel/client.ts";
import type { Page, Route } from "playwright-core";
import { expect, test } from "vitest";
import { dialog, fill, press, rowOf } from "#e2e/console.ts";
import { addPerson, adminOf, tokenOf } from "#e2e/people.ts";
import { countCalls } from "#e2e/wire.ts";
import { shells, soon } from "#test/shell-page.ts";

const { open, installation } = shells();
const list = "/sdwan-system/cpe";
const site = "苏州工厂";
const any = {
  page: 1,
  limit: 10,
  groupid: null,
  linkStatus: null,
  key: null,
  areaId: null,
  tone: null,
  orderByColumn: null,
  isAsc: null,
};
const siteRow = async () => {
  const call = await adminOf(installation());
  return (await call(cpe.ops.list, { ...any, alias: site })).data[0];
};
/** Answers of a call wait until they are let through. */
async function holding(page: Page, path: string): Promise<() => Promise<void>> {
  const held: Route[] = [];
  let isOpen = false;
  await page.route(
    (url) => url.pathname === path,
    (route) => (isOpen ? route.continue() : void held.push(route)),
  );
  return async () => {
    isOpen = true;
    for (const route of held) await route.continue().catch(() => undefined);
  };
}
const question = (page: Page) => page.getByRole("dialog", { name: "Discard the changes?" });

test("a typed day is saved with Enter; what is no day is refused and stays as it was typed", async () => {
  const { page } = await open({ path: `${list}?alias=${site}` });
  const expiry = async () => {
    await rowOf(page, site).getByRole("button", { name: "Edit" }).click();
    return dialog(page).getByLabel("Expires");
  };
  const saved = async () => (await siteRow())?.expireTime?.toISOString().slice(0, 4) ?? "";
  const calls = countCalls(page, "/customer/cpe/edit");
  const first = await expiry();
  await first.fill("2031-12-32");
  await press(page, "Save");
  await dialog(page)
    .getByText(/Must be a date and time/)
    .waitFor();
  expect(calls()).toBe(0);
  expect(await first.inputValue()).toBe("2031-12-32");
  await first.fill("2031-06-30");
  await first.press("Enter");
  await first.waitFor({ state: "detached" });
  await soon(saved).toBe("2031");
  const second = await expiry();
  expect(await second.inputValue()).toBe("2031-06-30 00:00:00");
  // Left by the keyboard, and saved by the button.
  await second.fill("2032/7/2 8:30");
  await second.press("Tab");
  await soon(() => second.inputValue()).toBe("2032-07-02 08:30:00");
  await press(page, "Save");
  await second.waitFor({ state: "detached" });
  await soon(saved).toBe("2032");
});

test("a form whose session ended elsewhere has its changes again after the login", async () => {
  const call = await adminOf(installation());
  await addPerson(call, { name: "kept", groupid: 1, roleType: 0 });
  const token = await tokenOf(installation().url, "kept");
  const path = `${list}?alias=${site}&open=edit-${(await siteRow())?.id}`;
  const { page } = await open({ token, path, apart: true });
  await fill(page, { Remark: "typed for ten minutes" });
  await callerOf(installation().url, () => token)(logout, {});
  const ended = page.getByText("Your session has ended");
  // What the page asks by itself may notice it before the save does.
  await Promise.race([page.getByRole("button", { name: "Save" }).click(), ended.waitFor()]);
  await ended.waitFor();
  await page.getByLabel("Login name").fill("kept");
  await page.getByLabel("Password", { exact: true }).fill("e2e-start1");
  await page.getByRole("button", { name: "Log in", exact: true }).click();
  await soon(() => dialog(page).getByLabel("Remark").inputValue()).toBe("typed for ten minutes");
  await dialog(page).getByText("is here again").waitFor();
  expect((await siteRow())?.remark).not.toBe("typed for ten minutes");
  await press(page, "Save");
  await soon(async () => (await siteRow())?.remark).toBe("typed for ten minutes");
});

test("an address opens no form without the permission, and shows a missing row as such", async () => {
  const call = await adminOf(installation());
  await addPerson(call, { name: "looks", groupid: 1, roleType: 0, authorities: [] });
  const token = await tokenOf(installation().url, "looks");
  const id = (await siteRow())?.id;
  for (const what of [`edit-${id}`, `claim-${id}`, "add"]) {
    const { page } = await open({ token, path: `${list}?alias=${site}&open=${what}` });
    await dialog(page).getByText("403").waitFor();
    // The list behind it has a search field of that name.
    expect(await dialog(page).getByRole("textbox").count()).toBe(0);
    await page.close();
  }
  const { page } = await open({ path: `${list}?open=edit-99999999` });
  await dialog(page).getByText("404").waitFor();
  await dialog(page).getByRole("button", { name: "Close" }).last().click();
  await soon(async () => new URL(page.url()).search).toBe("");
});

test("a filter that is too long is refused where it stands, and shows no row", async () => {
  const { page } = await open({ path: list });
  await page.locator(".w-table tbody tr[data-row-key]").first().waitFor();
  const long = "x".repeat(500);
  const search = page.locator("[data-search]");
  await search.fill(long);
  await page
    .getByRole("alert")
    .getByText(/is not valid/)
    .waitFor();
  expect(await search.inputValue()).toBe(long);
  expect(await page.locator(".w-table tbody tr[data-row-key]").count()).toBe(0);
  await page.reload();
  await page
    .getByRole("alert")
    .getByText(/is not valid/)
    .waitFor();
  await page.getByRole("alert").getByRole("button", { name: "Clear" }).click();
  await page.locator(".w-table tbody tr[data-row-key]").first().waitFor();
});

test("a late answer replaces the notice of a missing one, with a single request", async () => {
  const { page } = await open({ path: "/dashboard/blank", apart: true });
  const path = cpe.ops.list.path;
  const calls = countCalls(page, path);
  const release = await holding(page, path);
  await page.goto(list);
  await page
    .getByText(/did not answer|has not answered|no answer/i)
    .first()
    .waitFor();
  const asked = calls();
  await release();
  await page.locator(".w-table tbody tr[data-row-key]").first().waitFor();
  expect(asked).toBeLessThanOrEqual(1);
});

test("a form saved while its confirmation is open asks no second time", async () => {
  const groupid = (await siteRow())?.groupid;
  const { page } = await open({ path: `${list}?groupid=${groupid}`, apart: true });
  await page.getByRole("button", { name: "Add CPE" }).click();
  await fill(page, { Alias: "saved-once", "Serial number": "KEPT-0001" });
  const release = await holding(page, cpe.ops.add.path);
  await page.getByRole("button", { name: "Save" }).click();
  // The controller takes its time; meanwhile the form is asked to close, twice.
  await page.keyboard.press("Escape");
  await question(page).waitFor();
  expect(await question(page).count()).toBe(1);
  await release();
  await page.getByRole("dialog", { name: /saved-once/ }).waitFor();
  await question(page).waitFor({ state: "hidden" });
  await rowOf(page, "saved-once").first().waitFor({ state: "attached" });
});
