/** The page of an enterprise: from its name in a list to its tabs, and for who may not see it. */
import { expect, test } from "vitest";
import { violationsOf } from "#e2e/axe-scan.ts";
import { rowOf } from "#e2e/console.ts";
import { goTo } from "#e2e/go-on.ts";
import { shells, soon } from "#test/shell-page.ts";

const { open } = shells();
const list = "/sdwan-system/enterprisemanage";
const customer = "蓝海零售";

test("the name of an enterprise leads to its page, whose tabs list what is its own", async () => {
  const { page, errors } = await open({ path: `${list}?name=${encodeURIComponent(customer)}` });
  await rowOf(page, customer).getByRole("link", { name: customer, exact: true }).click();
  await page.getByRole("heading", { level: 1, name: customer, exact: true }).waitFor();
  await soon(() => page.title()).toContain(customer);
  await soon(() => page.locator(".w-tab-box[data-active] a").textContent()).toBe(customer);
  await soon(() => page.locator(".w-breadcrumb").textContent()).toContain(customer);
  await page.getByRole("heading", { name: "Contact" }).waitFor();
  expect(await violationsOf(page)).toEqual([]);
  const tabs = page.getByRole("navigation", { name: `Pages of ${customer}` });
  for (const [tab, heading] of [
    ["Sites", "CPE management"],
    ["Network spaces", "Network space"],
    ["Changes", "Operation log"],
  ] as const) {
    await tabs.getByRole("link", { name: tab, exact: true }).click();
    await page.getByRole("heading", { level: 2, name: heading }).first().waitFor();
    expect(await page.getByRole("heading", { level: 1 }).count()).toBe(1);
    // One enterprise: no row of another, and no filter for what is fixed.
    expect(await page.getByLabel("Enterprise", { exact: true }).count()).toBe(0);
  }
  const groupid = Number(new URL(page.url()).searchParams.get("groupid"));
  await goTo(page, `${list}/enterprise/overview?groupid=${groupid + 987_654}`);
  await page.getByText("There is no such enterprise, or you do not have access to it").waitFor();
  expect(errors).toEqual([]);
});
