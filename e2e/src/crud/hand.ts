/** A hand that fills any form of the console, by what its labels say. */
import type { Locator, Page } from "playwright-core";
import { dialog } from "#e2e/console.ts";
import type { Fields } from "./screens.ts";

/** The field of the open form with exactly this label; a star says that it is required. */
const fieldOf = (page: Page, label: string): Locator =>
  dialog(page)
    .locator(".w-field")
    .filter({ has: page.locator(".w-field-label", { hasText: new RegExp(`^${label}\\*?$`) }) });

async function choose(page: Page, select: Locator, text: string): Promise<void> {
  await select.click();
  await page.keyboard.type(text);
  const option = page.locator(".ant-select-item-option:visible", { hasText: text }).first();
  await option.waitFor();
  // The list still moves while it is filtered: a press would wait for it to stand still.
  await option.dispatchEvent("click");
  // A list of several choices stays open.
  await page.keyboard.press("Tab");
}

/** Puts one value where the label says, as the control there takes it. */
async function put(page: Page, label: string, value: string | boolean): Promise<void> {
  const field = fieldOf(page, label);
  await field.first().waitFor();
  const toggle = field.getByRole("switch");
  if (typeof value === "boolean") {
    if ((await toggle.getAttribute("aria-checked")) !== String(value)) await toggle.click();
    return;
  }
  const select = field.locator(".ant-select").first();
  const radio = field.getByText(value, { exact: true });
  if ((await select.count()) > 0) await choose(page, select, value);
  else if ((await field.locator(".ant-radio-group").count()) > 0) await radio.first().click();
  else await field.locator("input, textarea").first().fill(value);
}

/** Fills the open form in the order of the fields. */
export async function fillForm(page: Page, fields: Fields): Promise<void> {
  for (const [label, value] of Object.entries(fields)) await put(page, label, value);
}

/** Closes the claim that is offered by itself once the box that was made stands in the list. */
export async function declineClaim(page: Page): Promise<void> {
  const offer = page.getByRole("dialog", { name: /^Claim of/ });
  await offer.waitFor();
  await page.keyboard.press("Escape");
  await offer.waitFor({ state: "detached" });
}
