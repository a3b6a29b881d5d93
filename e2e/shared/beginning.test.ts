/** The way of a new agent to a first living site, as the overview leads it. */
import { cpe } from "@weft/contract/domains/devices/cpe.ts";
import { lanSection } from "@weft/contract/domains/devices/lan-section.ts";
import { line } from "@weft/contract/domains/devices/line.ts";
import { enterprise } from "@weft/contract/domains/enterprises/enterprise.ts";
import { samples } from "@weft/contract/samples/drafts.ts";
import { sampleIds } from "@weft/contract/samples/making-order.ts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { addSeller, type Seller } from "#e2e/agents/seller.ts";
import { adminOf } from "#e2e/people.ts";
import { button, shells, soon } from "#test/shell-page.ts";

const { open, installation } = shells();
let agent: Seller;
const made: number[] = [];
beforeAll(async () => {
  agent = await addSeller(installation(), "beginning", "beginning");
}, 120_000);
afterAll(async () => {
  const call = await adminOf(installation());
  if (made.length > 0) await call(cpe.ops.remove, { ids: made });
  await call(enterprise.ops.remove, { ids: [agent.groupid] }).catch(() => undefined);
});

test("shows the next step, ticks steps done elsewhere, and can be dismissed and resumed", async () => {
  const { page, errors } = await open({ token: agent.token, path: "/dashboard/workplace" });
  const next = page.locator('[aria-current="step"]');
  await page.getByText("Getting started").waitFor();
  const first = await next.textContent();
  expect(first).toContain("Next");

  const ids = sampleIds({ enterprise: agent.groupid });
  const { data } = await agent.call(cpe.ops.add, {
    ...samples.cpe.valid(ids),
    alias: "first-site",
    sn: "SN-BEGINNING",
  });
  made.push(data.id);
  const own = sampleIds({ enterprise: agent.groupid, cpe: data.id });
  await agent.call(line.ops.add, samples.line.valid(own));
  await agent.call(lanSection.ops.add, samples.lansection.valid(own));
  const row = (text: string) => page.locator("li", { hasText: text });
  await soon(() => row("Add a CPE").textContent()).toContain("Done");
  await soon(() => row("Describe its WAN link and LAN").textContent()).toContain("Done");

  await button(page, "Hide for now").click();
  await page.getByText("Getting started").waitFor({ state: "detached" });
  await page.reload();
  await page.getByRole("button", { name: /^Continue setup \(\d of \d\)$/ }).click();
  await page.getByText("Getting started").waitFor();
  expect(errors).toEqual([]);
});

test("is not shown where sites live", async () => {
  const { page } = await open({ path: "/dashboard/workplace" });
  await page.getByText("Changes, 24 h").waitFor();
  expect(await page.getByText("Getting started").count()).toBe(0);
});
