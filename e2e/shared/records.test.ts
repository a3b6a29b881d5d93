/** What was recorded, and is looked for: flows of a CPE, its peers, its logs, and a company's documents. */
import {
  companyAudit,
  companyAuditSamples,
} from "@weft/contract/domains/enterprises/company-audit.ts";
import { enterprise } from "@weft/contract/domains/enterprises/enterprise.ts";
import { logFlow } from "@weft/contract/domains/monitoring/flow-log.ts";
import { anyLink, linkList } from "@weft/contract/domains/overlay/link.ts";
import type { Caller } from "@weft/contract/kernel/client.ts";
import { samples } from "@weft/contract/samples/drafts.ts";
import { sampleIds } from "@weft/contract/samples/making-order.ts";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { confirm, rowOf, save } from "#e2e/console.ts";
import { quiet } from "#e2e/go-on.ts";
import { adminOf } from "#e2e/people.ts";
import { button, shells, soon } from "#test/shell-page.ts";

const { open, installation } = shells();
let call: Caller;
/** A CPE with links, whose flows are recorded. */
let cpeId: number;

const dayMs = 86_400_000;
const lastDay = () => ({ startTime: new Date(Date.now() - dayMs), endTime: new Date() });

beforeAll(async () => {
  call = await adminOf(installation());
  cpeId = await vi.waitFor(
    async () => {
      const { data } = await call(linkList, { ...anyLink, page: 1, limit: 10 });
      const end = data.map(({ source }) => source).find(({ kind }) => kind === "cpe");
      if (!end) throw new Error("no CPE has a link yet");
      return end.nodeId;
    },
    { timeout: 120_000, interval: 1_000 },
  );
}, 240_000);

const rows = (page: Page) => page.locator("tbody tr[data-row-key]");
const texts = (page: Page) => rows(page).allTextContents();

describe("logs of a CPE", () => {
  test("sessions are found by an address at either end, and none by one that is at neither", async () => {
    const page = (await open({ path: `/sdwan-system/cpe/cpeLog/session?id=${cpeId}` })).page;
    await rows(page).first().waitFor({ timeout: 60_000 });
    const asked = { cpeId, ip: null, ...lastDay(), page: 1, limit: 1 };
    const { data } = await call(logFlow.sessionpage, asked);
    const address = data[0]?.destination ?? "";
    await page.getByLabel("Address of either end").fill(address);
    await page.getByLabel("Address of either end").press("Enter");
    await soon(async () => (await texts(page)).every((text) => text.includes(address))).toBe(true);
    await quiet(page);
    expect(await rows(page).count()).toBeGreaterThan(0);
    await page.getByLabel("Address of either end").fill("203.0.113.254");
    await page.getByLabel("Address of either end").press("Enter");
    await page.getByText("Nothing matches the filter").waitFor();
  });

  test("web visits are found by a part of the address", async () => {
    const { page } = await open({ path: `/sdwan-system/cpe/cpeLog/urlVisitLog?id=${cpeId}` });
    await rows(page).first().waitFor({ timeout: 60_000 });
    const [first = ""] = await rows(page).first().locator("td").nth(1).allTextContents();
    const part = /[a-z0-9-]+\.[a-z]+/.exec(first)?.[0] ?? first;
    await page.getByLabel("Web address").fill(part);
    await page.getByLabel("Web address").press("Enter");
    await soon(async () => (await texts(page)).every((text) => text.includes(part))).toBe(true);
    expect(await rows(page).count()).toBeGreaterThan(0);
  });

  test("the log has the times when the device and its links went up and down", async () => {
    const { page } = await open({ path: `/sdwan-system/cpe/cpeLog/log?id=${cpeId}` });
    await rows(page).first().waitFor({ timeout: 60_000 });
    expect((await texts(page)).join("\n")).toMatch(/Up|Down/);
  });
});

test("peers of a CPE are listed on request, those with the most traffic first", async () => {
  const { page } = await open({ path: `/sdwan-system/cpe/cpeTable/flow?id=${cpeId}` });
  await button(page, "Show traffic by peer").click();
  const { data } = await call(logFlow.cpe2pop, {
    cpeId,
    popId: null,
    ...lastDay(),
    page: 1,
    limit: 10,
  });
  expect(data.length).toBeGreaterThan(0);
  for (const { peerName } of data) await rowOf(page, peerName).waitFor();
});

describe("a company's documents", () => {
  let groupid: number;
  beforeAll(async () => {
    const draft = samples.enterprise.valid(sampleIds({}));
    const own = { name: "records-school", parentId: 1, phone: null, email: null };
    groupid = (await call(enterprise.ops.add, { ...draft, ...own })).data.id;
  });
  afterAll(async () => {
    await call(enterprise.ops.remove, { ids: [groupid] });
  });

  test("are rejected, submitted again and approved, with the question what that means", async () => {
    const draft = companyAuditSamples.valid(sampleIds({ enterprise: groupid }));
    const name = "records 有限公司";
    const { id } = (await call(companyAudit.ops.add, { ...draft, groupid, name })).data;
    const { page, errors } = await open({
      path: "/sdwan-system/enterprisemanage/companyAudit?name=records",
    });
    // The question that closes says "rejected" too, before the list has loaded what was done.
    const stateOf = (label: string) => rowOf(page, name).locator(".w-state", { hasText: label });
    const act = async (label: string) => {
      await rowOf(page, name).getByRole("button", { name: label }).click();
      const question = page.locator(".w-confirm");
      await question.getByText("records-school").waitFor();
      await confirm(page, label);
    };
    await act("Reject");
    await stateOf("Rejected").waitFor();
    await rowOf(page, name).getByRole("button", { name: "Edit", exact: true }).click();
    await save(page);
    await stateOf("Pending").waitFor();
    await act("Approve");
    await stateOf("Approved").waitFor();
    // Once reviewed it is no longer offered.
    expect(await rowOf(page, name).getByRole("button", { name: "Approve" }).count()).toBe(0);
    await call(companyAudit.ops.remove, { ids: [id] });
    expect(errors).toEqual([]);
  });
});
