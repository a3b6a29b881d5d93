/** "Slow since this morning": from the first page to the change that began it, and for who may not see it. */
import { cpe } from "@weft/contract/domains/devices/cpe.ts";
import { siteOverview } from "@weft/contract/domains/monitoring/site-overview.ts";
import { beforeAll, expect, test, vi } from "vitest";
import { violationsOf } from "#e2e/axe-scan.ts";
import { dialog } from "#e2e/console.ts";
import { goTo } from "#e2e/go-on.ts";
import { adminOf } from "#e2e/people.ts";
import { shells, soon } from "#test/shell-page.ts";

const { open, installation } = shells();
const site = "南通码头";
let id = 0;

const dayMs = 86_400_000;

/** A first start writes the past of the site once its links are measured. */
beforeAll(async () => {
  const call = await adminOf(installation());
  const { data } = await call(cpe.ops.combo, {});
  id = data.find(({ name }) => name === site)?.id ?? 0;
  const marks = async (): Promise<number> => {
    const [startTime, endTime] = [new Date(Date.now() - dayMs), new Date()];
    const found = (await call(siteOverview, { id, startTime, endTime })).data;
    // Its alarms of before: it raises some by itself as soon as it is measured.
    const before = Date.now() - 3_600_000;
    return found.marks.filter(
      ({ kind, from, to }) => kind === "alarm" && to === null && from.getTime() < before,
    ).length;
  };
  await vi.waitFor(async () => expect(await marks()).toBeGreaterThan(0), {
    timeout: 200_000,
    interval: 2_000,
  });
}, 240_000);

test("three clicks lead from the first page to the change since which a site is slow", async () => {
  const { page, errors } = await open({ path: "/dashboard/workplace" });
  // 1: the site, named among what is wrong now: others that are poor for a moment may come before it.
  await page
    .getByRole("link", { name: new RegExp(`(Evidence|Show).*${site}|^${site}$`) })
    .first()
    .click({ timeout: 180_000 });
  await page.getByRole("heading", { level: 1, name: site, exact: true }).waitFor();
  await soon(() => page.title()).toContain(site);
  await soon(() => page.locator(".w-tab-box[data-active] a").textContent()).toBe(site);
  await soon(() => page.locator(".w-breadcrumb").textContent()).toContain(site);
  // Why, and since when, before anything is pressed.
  const head = page.locator(".w-detail-head");
  await soon(() => head.textContent()).toMatch(
    /wan\d: [\d.]+ % loss \(limit 1 %\) since (\d\d-\d\d )?\d\d:\d\d; 4 of 4 links/,
  );
  await page.getByText("Probably this site").waitFor();
  await page.locator("canvas").nth(2).waitFor({ timeout: 60_000 });
  expect(await violationsOf(page)).toEqual([]);
  // 2: the mark of the changes just before it.
  await page
    .getByRole("button", { name: /^Changes, 2, / })
    .first()
    .click();
  const picked = page.getByRole("region", { name: "Selected" });
  expect(await picked.getByRole("listitem").count()).toBe(2);
  // 3: the change itself, with what it was before.
  await picked.getByRole("link", { name: "Open change" }).first().click();
  await dialog(page).getByText("2 Mbit/s").first().waitFor();
  await dialog(page).getByText("20 Mbit/s").first().waitFor();
  expect(errors).toEqual([]);
}, 360_000);

test("counts of others lead to exactly these links, and the range stays from tab to tab", async () => {
  const path = `/sdwan-system/cpe/cpeTable/detail?id=${id}&range=24h`;
  const { page, errors } = await open({ path });
  const sentence = page.getByText(/at other sites: \d+ of \d+ links/);
  /** What the sentence counts, and what the list behind it does. */
  const counted = async (): Promise<[string, string | null]> => {
    await goTo(page, path);
    const [, bad = "", all = ""] =
      /(\d+) of (\d+) links/.exec((await sentence.textContent()) ?? "") ?? [];
    await sentence.locator("xpath=ancestor::li").getByRole("link", { name: "Show" }).click();
    await page.waitForURL(/linkMonitor\?.*besideId=/);
    const count = page.locator(".w-page-count", { hasText: /\d/ });
    return [bad === "0" ? all : bad, await count.textContent()];
  };
  // Links are measured between the two: a count that was true may be another one in the list.
  await expect
    .poll(async () => new Set(await counted()).size, { timeout: 120_000, interval: 100 })
    .toBe(1);
  await goTo(page, path);
  const tabs = page.getByRole("navigation", { name: `Pages of ${site}` });
  for (const tab of ["Paths", "Traffic", "Changes", "Logs", "Configuration"]) {
    await tabs.getByRole("link", { name: tab, exact: true }).click();
    await page.locator('nav [aria-current="page"]', { hasText: tab }).first().waitFor();
    expect(await page.getByRole("heading", { level: 1 }).count()).toBe(1);
    expect(new URL(page.url()).searchParams.get("range")).toBe("24h");
  }
  await goTo(page, `/sdwan-system/cpe/site/logs?id=${id + 987_654}`);
  await page.getByText("ot found, or you do not have access").first().waitFor();
  expect(errors).toEqual([]);
});
