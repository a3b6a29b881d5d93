/** Whether the installation works, as who runs it sees it, and not those who only use it. */
import { expect, test } from "vitest";
import { violationsOf } from "#e2e/axe-scan.ts";
import { shells, soon } from "#test/shell-page.ts";

const { open } = shells();

test("the page shows what this installation is: its process, its stores, its queues, its keys", async () => {
  const { page, errors } = await open({ path: "/system/status" });
  await page.getByRole("heading", { level: 1, name: "System status" }).waitFor();
  const card = (name: string) =>
    page.locator(".w-card", { has: page.getByRole("heading", { level: 2, name, exact: true }) });
  // It writes its row when it starts and every 15 s; devices report every 15 s.
  await card("Processes").getByText("api, gateway, worker").waitFor();
  await soon(() => card("Processes").textContent()).toContain(new URL(page.url()).port);
  expect(await card("Processes").textContent()).not.toContain("No process runs");
  const stores = await card("Stores").textContent();
  expect(stores).toMatch(/PostgreSQL \d+/);
  expect(stores).toMatch(/ClickHouse \d+/);
  expect(stores).not.toContain("Does not answer");
  expect(await card("Queues").locator("li").count()).toBe(6);
  expect(await card("Certificates and keys").textContent()).toMatch(
    /Gateway certificate .*Expires/,
  );
  // Devices of the demonstration are connected, and what they measure arrives.
  await soon(() => card("Metrics ingestion").textContent()).toMatch(/Newest\d{4}-.*Devices[1-9]/);
  // No backup was ever made of it.
  expect(await card("Last backup").textContent()).toContain("Unknown");
  expect(await violationsOf(page)).toEqual([]);
  expect(errors).toEqual([]);
});
