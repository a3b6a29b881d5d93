/** A person without a pointer: from the login to a row that is made, changed and removed. */
import type { Locator, Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { ruleResultOf, violationsOf } from "#e2e/axe-scan.ts";
import { dialog, rowOf } from "#e2e/console.ts";
import { button, shells, soon } from "#test/shell-page.ts";

const { open, installation } = shells();

/** More stops than any path in this test has: a path that needs them all fails. */
const maxStops = 120;

const hasFocus = (part: Locator): Promise<boolean> =>
  part.evaluate((one) => one === document.activeElement || one.contains(document.activeElement));

/** Presses Tab until a part, or something in it, has the focus. */
async function tabTo(page: Page, part: Locator): Promise<void> {
  for (let stops = 0; stops < maxStops; stops++) {
    if ((await part.count()) > 0 && (await hasFocus(part.first()))) return;
    await page.keyboard.press("Tab");
  }
  throw new Error(`no way by Tab to ${part}`);
}

const pathIs = (page: Page, path: string) => page.waitForURL((url) => url.pathname === path);
const gone = (part: Locator) => part.waitFor({ state: "detached" });

test("from the login to a screen of the menu", async () => {
  const { page } = await open({ path: "/blank", motion: true });
  await page.evaluate(() => {
    localStorage.removeItem("access_token");
    sessionStorage.removeItem("access_token");
  });
  await page.context().clearCookies();
  await page.goto("/login");
  const name = page.locator('input[autocomplete="username"]');
  await tabTo(page, name);
  await page.keyboard.press("Control+a");
  await page.keyboard.type("admin");
  await tabTo(page, page.locator('input[autocomplete="current-password"]'));
  await page.keyboard.type(installation().password);
  await page.keyboard.press("Enter");
  await page.locator(".w-shell").waitFor();
  await page.locator(".w-page h1").waitFor();

  // The first stop of a page leads past header and menu, and shows itself.
  await page.reload();
  await page.locator(".w-page h1").waitFor();
  await page.keyboard.press("Tab");
  const skip = page.getByRole("link", { name: "Skip to content" });
  expect(await hasFocus(skip)).toBe(true);
  expect((await skip.boundingBox())?.y).toBeGreaterThanOrEqual(0);
  await page.keyboard.press("Enter");
  expect(await hasFocus(page.locator("main#content"))).toBe(true);

  await page.reload();
  await page.locator(".w-page h1").waitFor();
  const menu = page.locator(".w-side nav");
  await tabTo(page, menu);
  const branch = menu.getByRole("menuitem", { name: "Site management" });
  const entry = menu.getByRole("link", { name: "POP management", exact: true });
  for (const [aim, opens] of [
    [branch, entry],
    [entry, null],
  ] as const) {
    for (let steps = 0; steps < 20 && !(await hasFocus(aim)); steps++)
      await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    await opens?.waitFor();
  }
  await pathIs(page, "/sdwan-system/pop");
});

test("a row is found, made, changed and removed, and the focus returns each time", async () => {
  const { page, errors } = await open({ path: "/sdwan-system/cpe", motion: true });
  await page.keyboard.press("Control+k");
  await page.getByRole("combobox", { name: "Page, name, IP, MAC or serial number" }).waitFor();
  await page.keyboard.type("pop man");
  await page.keyboard.press("Enter");
  await pathIs(page, "/sdwan-system/pop");
  await rowOf(page, "上海-01").waitFor();

  const add = button(page, "Add POP");
  await tabTo(page, add);
  await page.keyboard.press("Enter");
  // The first field of a form has the focus.
  const name = dialog(page).getByLabel("Name").first();
  await name.waitFor();
  await soon(() => hasFocus(name)).toBe(true);
  await page.keyboard.type("keys-pop");
  await tabTo(page, dialog(page).getByLabel("Serial number"));
  await page.keyboard.type("KEYS-1");
  await tabTo(page, dialog(page).getByLabel("Enterprise").first());
  await page.keyboard.type("运营中心");
  await page.locator(".ant-select-item-option-active", { hasText: "运营中心" }).waitFor();
  await page.keyboard.press("Enter");
  await tabTo(page, dialog(page).getByRole("button", { name: "Save" }));
  await page.keyboard.press("Enter");
  await rowOf(page, "keys-pop").waitFor();
  // A new POP offers its claim once its row is there: the second overlay of the same opener.
  const claim = page.getByRole("dialog", { name: /^Activation code of/ });
  await soon(() => hasFocus(claim)).toBe(true);
  await page.keyboard.press("Escape");
  await gone(claim);
  await soon(() => hasFocus(add)).toBe(true);
  // The second time it opens no otherwise than the first.
  await page.keyboard.press("Enter");
  await soon(() => hasFocus(page.locator(".ant-drawer-open"))).toBe(true);
  await page.keyboard.press("Escape");
  await gone(page.locator(".ant-drawer-open"));
  await soon(() => hasFocus(add)).toBe(true);

  await page.keyboard.press("/");
  expect(await hasFocus(page.locator("[data-search]"))).toBe(true);
  await page.keyboard.type("keys");
  await gone(rowOf(page, "上海-01"));

  const edit = rowOf(page, "keys-pop").getByRole("button", { name: "Edit", exact: true });
  await tabTo(page, edit);
  await page.keyboard.press("Enter");
  await soon(() => hasFocus(page.locator(".ant-drawer-open"))).toBe(true);
  await page.keyboard.press("Escape");
  await gone(page.locator(".ant-drawer-open"));
  await soon(() => hasFocus(edit)).toBe(true);

  const remove = rowOf(page, "keys-pop").getByRole("button", { name: "Delete", exact: true });
  await tabTo(page, remove);
  await page.keyboard.press("Enter");
  const cancel = dialog(page).getByRole("button", { name: "Cancel" });
  await soon(() => hasFocus(cancel)).toBe(true);
  await page.keyboard.press("Enter");
  await soon(() => hasFocus(remove)).toBe(true);
  await page.keyboard.press("Enter");
  await soon(() => hasFocus(cancel)).toBe(true);
  await tabTo(page, dialog(page).getByRole("button", { name: "Delete" }));
  await page.keyboard.press("Enter");
  await gone(rowOf(page, "keys-pop"));
  // Its button went with the row: the list's search is what is left of the list.
  await soon(() => hasFocus(page.locator("[data-search]"))).toBe(true);
  expect(errors).toEqual([]);
});

const focusedRow = (page: Page): Promise<string | null> =>
  page.evaluate(() => document.activeElement?.getAttribute("data-row-key") ?? null);
const rowKeys = (page: Page): Promise<(string | null)[]> =>
  page
    .locator(".ant-table-row")
    .evaluateAll((rows) => rows.map((row) => row.getAttribute("data-row-key")));

test("keys move over the rows of a list, choose, open and edit them, and show their logs", async () => {
  // By a column that does not change: the state of a device moves its row.
  const { page, errors } = await open({ path: "/sdwan-system/cpe?sort=alias", motion: true });
  await page.locator(".ant-table-row").nth(2).waitFor();
  const [first, second] = await rowKeys(page);
  await page.keyboard.press("ArrowDown");
  expect(await focusedRow(page)).toBe(first);
  await page.keyboard.press("ArrowUp");
  expect(await focusedRow(page)).toBe(first);
  await page.keyboard.press("ArrowDown");
  expect(await focusedRow(page)).toBe(second);
  const selected = page.getByText("1 selected");
  await page.keyboard.press("Space");
  await selected.waitFor();
  expect(await violationsOf(page)).toEqual([]);
  await page.keyboard.press("Space");
  await gone(page.locator(".w-batch[data-on]"));
  // From what is in a row as well; Tab leads from the row to it.
  await page.keyboard.press("Tab");
  expect(await hasFocus(page.locator(`[data-row-key="${second}"] [type=checkbox]`))).toBe(true);
  await page.keyboard.press("ArrowUp");
  expect(await focusedRow(page)).toBe(first);

  const asked = page.waitForRequest((request) => request.url().includes("/cpe/findAll"));
  await page.keyboard.press("r");
  await asked;
  await page.keyboard.press("l");
  await page.waitForURL((url) => url.pathname === "/sdwan-system/cpe/cpeLog/log");
  expect(new URL(page.url()).searchParams.get("id")).toBe(first);
  await page.getByRole("heading", { name: "CPE logs" }).waitFor();
  await page.goBack();
  await page.getByRole("heading", { name: "CPE management", exact: true }).waitFor();
  await page.locator(`.ant-table-row[data-row-key="${first}"]`).waitFor();
  await page.keyboard.press("ArrowDown");
  expect(await focusedRow(page)).toBe(first);
  await page.keyboard.press("Enter");
  await pathIs(page, "/sdwan-system/cpe/cpeTable/detail");
  expect(new URL(page.url()).searchParams.get("id")).toBe(first);

  // `g` and a letter, then the row's form, which letters belong to until it is saved.
  await page.keyboard.press("g");
  await page.keyboard.press("p");
  await page.getByRole("heading", { name: "POP management", exact: true }).waitFor();
  await rowOf(page, "上海-01").waitFor();
  await page.keyboard.press("ArrowDown");
  const pop = await focusedRow(page);
  await page.keyboard.press("e");
  await soon(() => hasFocus(page.locator(".ant-drawer-open"))).toBe(true);
  const name = dialog(page).getByLabel("Name").first();
  const old = await name.inputValue();
  await tabTo(page, name);
  await page.keyboard.press("End");
  await page.keyboard.type("/gc?er");
  expect(await name.inputValue()).toBe(`${old}/gc?er`);
  for (const _ of "/gc?er") await page.keyboard.press("Backspace");
  const saved = page.waitForRequest((request) => /\/pop\/edit/.test(request.url()));
  await page.keyboard.press("Control+s");
  await saved;
  await gone(page.locator(".ant-drawer-open"));
  await soon(() => focusedRow(page)).toBe(pop);
  expect(errors).toEqual([]);
});

test("all keys are listed, letters can be turned off, and popovers take and give back the focus", async () => {
  const { page, errors } = await open({ path: "/sdwan-system/cpe?sort=alias", motion: true });
  await page.locator(".ant-table-row").first().waitFor();
  await page.keyboard.press("ArrowDown");
  const first = await focusedRow(page);
  await page.keyboard.press("?");
  const help = page.getByRole("dialog", { name: "Keyboard shortcuts" });
  await soon(() => hasFocus(help)).toBe(true);
  await help.getByRole("row", { name: "g p POP management" }).waitFor();
  await help.getByRole("row", { name: "e Edit the row" }).waitFor();
  expect(await violationsOf(page)).toEqual([]);
  // Nothing acts below it.
  await page.keyboard.press("e");
  const characterKeys = help.getByRole("switch", { name: "Single-key shortcuts" });
  await tabTo(page, characterKeys);
  await page.keyboard.press("Space");
  await page.keyboard.press("Escape");
  await gone(help);
  await soon(() => focusedRow(page)).toBe(first);
  expect(await page.locator(".ant-drawer-open").count()).toBe(0);

  // Off: no key does anything, not after a reload either; what is held or at the focus still does.
  await page.reload();
  await page.locator(".ant-table-row").nth(1).waitFor();
  for (const key of ["ArrowDown", "/", "?", "g", "p", "r"]) await page.keyboard.press(key);
  expect(await focusedRow(page)).toBeNull();
  await page.locator(".ant-table-row [type=checkbox]").first().focus();
  await page.keyboard.press("ArrowDown");
  expect(await focusedRow(page)).toBe((await rowKeys(page))[1]);
  await page.keyboard.press("e");
  expect(new URL(page.url()).pathname).toBe("/sdwan-system/cpe");
  expect(await page.getByRole("dialog").count()).toBe(0);
  await page.keyboard.press("Control+k");
  await page.getByRole("combobox", { name: /^Page, name/ }).fill("keyboard shortcuts");
  await page.getByRole("option", { name: /keyboard shortcuts/ }).waitFor();
  await page.keyboard.press("Enter");
  // By key: a dialog that still grows moves its switch away from under a click.
  await soon(() => hasFocus(help)).toBe(true);
  await tabTo(page, characterKeys);
  await page.keyboard.press("Space");
  expect(await characterKeys.isChecked()).toBe(true);
  await page.keyboard.press("Escape");
  await gone(help);
  await page.keyboard.press("/");
  expect(await hasFocus(page.locator("[data-search]"))).toBe(true);

  const columns = button(page, "Columns");
  await columns.focus();
  for (const leave of ["Tab", "Escape"]) {
    await page.keyboard.press("Enter");
    const popover = page.getByRole("region", { name: "Columns" });
    await soon(() => hasFocus(popover)).toBe(true);
    if (leave === "Tab") await tabTo(page, columns);
    else await page.keyboard.press(leave);
    expect(await hasFocus(columns)).toBe(true);
    await popover.waitFor({ state: "hidden" });
  }
  expect(errors).toEqual([]);
});

/**
 * Runs in the page: controls whose styles are the same with and without the focus. The ring may
 * be on the control, beside it, or on the frame around it. Of controls that are rendered by the same
 * rules, in every row of a table, one is asked.
 */
async function unseen(root: string): Promise<string[]> {
  const styles = (part: Element): string => {
    const { outline, boxShadow, borderColor, backgroundColor } = getComputedStyle(part);
    return [outline, boxShadow, borderColor, backgroundColor].join();
  };
  const around = (part: Element): Element[] => {
    const above = [part.parentElement, part.parentElement?.parentElement].filter(
      (one) => one != null,
    );
    // A tree shows it on the entry that it is at.
    const inside = part.matches("[aria-activedescendant]") ? part.querySelectorAll("*") : [];
    return [part, ...above, ...above.flatMap((one) => [...one.children]), ...inside];
  };
  // The library says it by a class, with its next rendering; then it fades.
  const rendered = async (): Promise<void> => {
    await new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
    const fading = document.getAnimations().filter((one) => one instanceof CSSTransition);
    await Promise.allSettled(fading.map((one) => one.finished));
  };
  const isMet = (part: Element): boolean => {
    const { width, height } = part.getBoundingClientRect();
    return width > 0 && height > 0 && !part.matches(":disabled") && !part.closest("[inert]");
  };
  const kindOf = (part: Element): string =>
    [part, part.parentElement, part.closest("td, th, li")]
      .map((one) => `${one?.tagName} ${one?.className}`)
      .join();
  const controls = document.querySelectorAll<HTMLElement>(
    `${root} :is(a[href], button, input, select, textarea, [tabindex="0"])`,
  );
  const kinds = new Map([...controls].filter(isMet).map((part) => [kindOf(part), part]));
  const missing: string[] = [];
  for (const part of kinds.values()) {
    (document.activeElement as HTMLElement | null)?.blur();
    await rendered();
    const before = around(part).map(styles).join();
    part.focus({ focusVisible: true } as FocusOptions);
    await rendered();
    if (document.activeElement !== part) continue;
    if (before === around(part).map(styles).join()) missing.push(part.outerHTML.slice(0, 160));
  }
  return missing;
}

/** Targets of less than 24 x 24 px with less room around them than WCAG 2.5.8 asks for. */
async function smallTargets(page: Page): Promise<string[]> {
  const { broken, kept } = await ruleResultOf(page, "target-size");
  expect(kept).toBeGreaterThan(10);
  return broken;
}

describe.each([false, true])("controls with dark mode %s", (darkMode) => {
  test.each([
    ["/sdwan-system/cpe", "Add CPE"],
    ["/system/rolemanage", "Add role"],
    ["/sdwan-system/enterprisemanage", "Add enterprise"],
  ])("of %s and its form show the focus and are large enough", async (path, add) => {
    // Nothing fades: the focus ring shows immediately.
    const { page } = await open({ path, theme: { darkMode } });
    await page.locator(".w-table .ant-table-row").first().waitFor();
    expect(await smallTargets(page)).toEqual([]);
    expect(await page.evaluate(unseen, ".w-shell")).toEqual([]);
    await button(page, add).click();
    await page.locator(".ant-drawer form").waitFor();
    await soon(() => hasFocus(page.locator(".ant-drawer"))).toBe(true);
    expect(await smallTargets(page)).toEqual([]);
    expect(await page.evaluate(unseen, ".ant-drawer-section")).toEqual([]);
  });
});
