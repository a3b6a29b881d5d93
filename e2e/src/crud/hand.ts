/** A hand that fills any form of the console, by what its labels say. */
import type { Locator, Page } from "playwright-core";
import { choose, dialog, press, save } from "#e2e/console.ts";

/**
 * Label of a field -> what is typed, selected or switched there. Several texts are selected one after
 * the other, beside what is selected already.
 */
export type Fields = Readonly<Record<string, string | boolean | readonly string[]>>;

/** The field of the form with exactly this label; a star says that it is required. */
const fieldOf = (form: Locator, label: string): Locator =>
  form
    .locator(".w-field")
    .filter({ has: form.page().locator(".w-field-label", { hasText: labelled(label) }) });

const labelled = (label: string): RegExp => new RegExp(`^${label}\\*?$`);

/** Chooses one after the other, leaves by Tab, and sees that all of it is still selected. */
async function chooseAll(select: Locator, texts: readonly string[]): Promise<void> {
  const page = select.page();
  for (const text of texts) await choose(page, select, text);
  // A list of several choices stays open until it is left.
  await page.keyboard.press("Tab");
  for (const text of texts) {
    await select.locator(".ant-select-content", { hasText: text }).waitFor({ state: "attached" });
  }
}

/** Puts one value where the label says, as the control there takes it. */
async function put(form: Locator, label: string, value: Fields[string]): Promise<void> {
  const field = fieldOf(form, label).first();
  await field.waitFor();
  if (typeof value === "boolean") {
    await field.getByRole("switch").setChecked(value);
    return;
  }
  const select = field.locator(".ant-select").first();
  if (typeof value !== "string") return chooseAll(select, value);
  if ((await select.count()) > 0) return chooseAll(select, [value]);
  const isRadio = (await field.getByRole("radiogroup").count()) > 0;
  if (isRadio) await field.getByText(value, { exact: true }).first().click();
  else {
    const input = field.locator("input, textarea").first();
    await input.fill(value);
    // Its calendar would lie over the fields below.
    if ((await field.locator(".ant-picker").count()) > 0) await input.press("Tab");
  }
}

/** Fills a form in the order of the fields: the open drawer's or dialog's, or that of a page. */
export async function fillForm(page: Page, fields: Fields, form = dialog(page)): Promise<void> {
  for (const [label, value] of Object.entries(fields)) await put(form, label, value);
}

/** What is in the input of a field. */
export const textIn = (form: Locator, label: string): Promise<string> =>
  fieldOf(form, label).locator("input, textarea").first().inputValue();

/** Closes the claim that is offered by itself once the device that was made is in the list. */
export async function declineClaim(page: Page): Promise<void> {
  const offer = page.getByRole("dialog", { name: /^Activation code of/ });
  await offer.waitFor();
  await page.keyboard.press("Escape");
  await offer.waitFor({ state: "detached" });
}

/** Reads the new key, which is shown this once, and says so. */
export async function keepKey(page: Page): Promise<void> {
  const shown = page.getByRole("dialog", { name: /^Key .+ created$/ });
  await shown
    .locator("pre", { hasText: /^\S{32,}$/ })
    .first()
    .waitFor();
  await press(page, "I have saved it");
  await shown.waitFor({ state: "detached" });
}

/** A policy leads on to its rules: it gets one, which is changed, and they are left again. */
export async function addRule(page: Page): Promise<void> {
  const rules = page.getByRole("dialog", { name: /^Rules of/ });
  await rules.getByRole("button", { name: "Add rule" }).click();
  const form = page.getByRole("dialog", { name: "Add rule" });
  await form.waitFor();
  const rule = { Metric: "Packet loss", Comparison: ">=", Threshold: "7" };
  await fillForm(page, rule, form);
  await save(page);
  await form.waitFor({ state: "detached" });
  const row = rules.locator("tr", { hasText: "Packet loss" });
  await row.getByRole("button", { name: "Edit", exact: true }).click();
  const changed = page.getByRole("dialog", { name: "Edit rule" });
  await changed.waitFor();
  await fillForm(page, { Threshold: "8", Level: "Critical" }, changed);
  await save(page);
  await changed.waitFor({ state: "detached" });
  await row.getByText("Critical").waitFor();
  await rules.getByRole("button", { name: "Close" }).click();
  await rules.waitFor({ state: "detached" });
}
