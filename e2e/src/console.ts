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
  const button = dialog(page).getByRole("button", { name });
  await button.waitFor();
  await page.locator(moving).first().waitFor({ state: "detached" });
  await button.click();
}

/** Picks an option of a select by its text. */
export async function choose(page: Page, field: Locator, text: string): Promise<void> {
  await field.click();
  await page.keyboard.type(text);
  await page
    .locator(".ant-select-item-option", { hasText: text })
    .locator("visible=true")
    .first()
    .click();
}

/** Fills fields of the open form by their labels. */
export async function fill(page: Page, fields: Readonly<Record<string, string>>): Promise<void> {
  for (const [label, text] of Object.entries(fields)) {
    await dialog(page).getByLabel(label, { exact: false }).first().fill(text);
  }
}

/** Saves the open form and waits until it has closed; another dialog may follow it. */
export async function save(page: Page): Promise<void> {
  await press(page, "Save");
  await dialog(page).getByRole("button", { name: "Save" }).waitFor({ state: "hidden" });
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
    await folded.first().click();
  }
  await entry.click();
}
