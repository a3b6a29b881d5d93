/** The console as a person uses it: by labels and buttons, in English. */
import type { Locator, Page } from "playwright-core";

/** The open drawer or dialog. */
export const dialog = (page: Page): Locator => page.getByRole("dialog").last();

/** Classes that dialogs and drawers bear while they come or go. */
const moving = '.ant-modal[class*="ant-zoom-"], .ant-drawer [class*="ant-drawer-panel-motion-"]';

/**
 * Presses a button of the open dialog once that stands still: it grows into its place, and a press
 * that falls into this is released beside the button.
 */
export async function press(page: Page, name: string | RegExp): Promise<void> {
  await pressStill(page, dialog(page).getByRole("button", { name }));
}

async function pressStill(page: Page, button: Locator): Promise<void> {
  await button.waitFor();
  await page.locator(moving).first().waitFor({ state: "detached" });
  await button.click();
}

/** Says yes, by this label, to the question that is asked before something that reaches far. */
export const confirm = (page: Page, name: string | RegExp): Promise<void> =>
  pressStill(page, page.locator(".w-confirm").getByRole("button", { name }));

/**
 * Picks an option of a select by its text.
 * @param field the select, or its input
 */
export async function choose(page: Page, field: Locator, text: string): Promise<void> {
  const input = field.getByRole("combobox").or(field.and(page.getByRole("combobox")));
  // A list of several choices is still open for the next one: a press would close it.
  if ((await input.getAttribute("aria-expanded")) !== "true") await field.click();
  await page.keyboard.type(text);
  const opened = input.and(page.locator('[aria-expanded="true"]'));
  const list = await opened.getAttribute("aria-controls");
  // Its own list: that of another select may still be on its way out.
  const options = page
    .locator(".ant-select-dropdown", { has: page.locator(`[id="${list}"]`) })
    .locator(".ant-select-item-option");
  await options.filter({ hasNotText: text }).first().waitFor({ state: "detached" });
  // The list still moves while it is filtered: a press would wait for it to stand still.
  await options.filter({ hasText: text }).first().dispatchEvent("click");
  const content = input.locator(
    "xpath=ancestor::div[contains(concat(' ', @class, ' '), ' ant-select-content ')][1]",
  );
  await content.filter({ hasText: text }).waitFor({ state: "attached" });
}

/** Fills fields of the open form by their labels. */
export async function fill(page: Page, fields: Readonly<Record<string, string>>): Promise<void> {
  for (const [label, text] of Object.entries(fields)) {
    await dialog(page).getByLabel(label, { exact: false }).first().fill(text);
  }
}

/**
 * Saves the open form and waits until it has closed; another dialog may follow it.
 * @param label of the button
 */
export async function save(page: Page, buttonLabel = "Save"): Promise<void> {
  // While it saves, the button's name begins with "loading".
  const name = new RegExp(`${buttonLabel}$`);
  await press(page, name);
  await dialog(page).getByRole("button", { name }).waitFor({ state: "hidden" });
}

/** The row of a table that shows this text. */
export const rowOf = (page: Page, text: string): Locator =>
  page.locator("tr", { hasText: text }).first();

/** Opens a screen by the menu, as a person does: unfolds branches until the entry shows. */
export async function open(page: Page, menu: string): Promise<void> {
  // The breadcrumb is a nav as well; the menu comes first.
  const nav = page.locator("nav").first();
  const entry = nav.getByRole("link", { name: menu, exact: true });
  const folded = nav.locator('.ant-menu-submenu-title[aria-expanded="false"]');
  for (let tries = 0; tries < 12 && !(await entry.isVisible()); tries++) {
    const below = await folded.first().getAttribute("aria-controls");
    await folded.first().click();
    await nav.locator(`[id="${below}"] > li`).first().waitFor();
  }
  await entry.click();
}
