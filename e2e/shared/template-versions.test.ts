/** Versions of a template, enterprises that it includes, what acts on a site, and the undo of a change. */
import { cpe } from "@weft/contract/domains/devices/cpe.ts";
import { staticRoute } from "@weft/contract/domains/devices/static-route.ts";
import { enterprise } from "@weft/contract/domains/enterprises/enterprise.ts";
import { policyFamily } from "@weft/contract/domains/policies/policy-families.ts";
import {
  routerTemplate,
  routerTemplateCpes,
  routerTemplateIssue,
  routerTemplateRelAdd,
} from "@weft/contract/domains/templates/router-template.ts";
import { routerTemplateVersionList } from "@weft/contract/domains/templates/template-version.ts";
import type { Caller } from "@weft/contract/kernel/client.ts";
import { samples } from "@weft/contract/samples/drafts.ts";
import { sampleIds } from "@weft/contract/samples/making-order.ts";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { dialog, rowOf } from "#e2e/console.ts";
import { adminOf } from "#e2e/people.ts";
import { shells, soon } from "#test/shell-page.ts";

const { open, installation } = shells();
const name = "versions-school";
let call: Caller;
let [groupid, cpeId, templateId] = [0, 0, 0];
const cpes: number[] = [];

const limits = policyFamily("routerConnlimit").template.resource.ops;
const addLimit = (limit: string) =>
  call(limits.add, {
    templateId,
    name: limit,
    enable: true,
    ipgroupId: null,
    maxConnections: 100,
    maxNewPerSecond: null,
    remark: "",
  } as never);
const limitsNow = async (): Promise<string[]> => {
  const { data } = await call(limits.list, {
    templateId,
    name: null,
    orderByColumn: null,
    isAsc: null,
    page: 1,
    limit: 100,
  } as never);
  return (data as { name: string }[]).map((row) => row.name).sort();
};
const addCpe = async (alias: string): Promise<number> => {
  const draft = samples.cpe.valid(sampleIds({ enterprise: groupid }));
  const own = { groupid, alias, sn: alias, areaId: null, expireTime: null };
  const { id } = (await call(cpe.ops.add, { ...draft, ...own })).data;
  cpes.push(id);
  return id;
};

beforeAll(async () => {
  call = await adminOf(installation());
  const draft = samples.enterprise.valid(sampleIds({}));
  const own = { name, parentId: 1, phone: null, email: null };
  groupid = (await call(enterprise.ops.add, { ...draft, ...own })).data.id;
  cpeId = await addCpe("versions-1");
  templateId = (await call(routerTemplate.ops.add, { templateName: "versions", remark: "" })).data
    .id;
  await call(routerTemplateRelAdd, { templateId, cpeIds: [cpeId] });
  for (const limit of ["guests", "printers"]) {
    await addLimit(limit);
    await call(routerTemplateIssue, { templateId: [templateId], fromVersion: null });
  }
}, 120_000);
afterAll(async () => {
  await call(routerTemplate.ops.remove, { ids: [templateId] });
  await call(cpe.ops.remove, { ids: cpes });
  await call(enterprise.ops.remove, { ids: [groupid] });
}, 120_000);

const button = (page: Page, label: string | RegExp) =>
  dialog(page).getByRole("button", { name: label });

describe("versions of a template", () => {
  const versionRow = (page: Page, version: number) =>
    dialog(page).locator(`tbody tr[data-row-key="${version}"]`);

  test("are compared, and one is restored to the draft after its differences were seen", async () => {
    const { page, errors } = await open({
      path: `/business/template/add?templateId=${templateId}`,
    });
    await page.getByRole("button", { name: "Versions", exact: true }).click();
    await versionRow(page, 2).getByText("2 objects").waitFor();
    expect(await versionRow(page, 1).textContent()).toContain("1 object");
    await versionRow(page, 2).getByRole("button", { name: "Compare" }).click();
    await dialog(page).getByText("Version 1 → Version 2").waitFor();
    await dialog(page).locator('[data-change="added"]', { hasText: "printers" }).waitFor();
    await button(page, "Back to versions").click();
    await versionRow(page, 1).getByRole("button", { name: "Restore" }).click();
    await dialog(page).locator('[data-change="removed"]', { hasText: "printers" }).waitFor();
    await button(page, "Restore to draft").click();
    await page.getByText("The draft holds version 1 again").waitFor();
    expect(await limitsNow()).toEqual(["guests"]);
    await versionRow(page, 1).getByRole("button", { name: "Restore" }).click();
    await dialog(page).getByText("The draft holds the same as version 1").waitFor();
    expect(await button(page, "Restore to draft").count()).toBe(0);
    expect(errors).toEqual([]);
  });

  test("are published again after the same review as any draft", async () => {
    const { page } = await open({
      path: `/business/template/add?templateId=${templateId}&open=versions`,
    });
    await versionRow(page, 2).getByRole("button", { name: "Publish again" }).click();
    await dialog(page).getByText("Publish version 2 of template “versions” again?").waitFor();
    await dialog(page).getByText("Wave").first().waitFor();
    await button(page, "Publish").click();
    await page.getByText(/^Published/).waitFor();
    const { data } = await call(routerTemplateVersionList, { templateId, page: 1, limit: 10 });
    expect(data[0]).toMatchObject({ version: 3, sameAs: 2, cpes: 1 });
    expect(await limitsNow()).toEqual(["guests"]);
  });
});

test("an enterprise brings all its CPEs into a template, and later ones by itself", async () => {
  await addCpe("versions-2");
  const { page } = await open({
    path: `/business-system/templatemanage?open=cpe-${templateId}`,
  });
  const panel = dialog(page).getByRole("region", { name: "Included enterprises" });
  await panel.getByLabel("Choose an enterprise").fill(name);
  await page.locator(".ant-select-item-option", { hasText: name }).click();
  await panel.getByRole("button", { name: "Include", exact: true }).click();
  await panel.getByText("2 of 2 CPEs in it").waitFor();
  await addCpe("versions-3");
  const members = async () =>
    (await call(routerTemplateCpes, { templateId, alias: null })).data.map(({ alias }) => alias);
  await expect
    .poll(members, { timeout: 60_000 })
    .toEqual(["versions-1", "versions-2", "versions-3"]);
  await panel.getByRole("button", { name: /^Stop including/ }).click();
  await panel.getByText("CPEs in it").waitFor({ state: "detached" });
});

test("all CPEs that are found are ticked together", async () => {
  await addCpe("versions-4");
  await addCpe("versions-5");
  const { page } = await open({
    path: `/business-system/templatemanage?open=cpe-${templateId}`,
  });
  const side = dialog(page).getByRole("group", { name: /^Available CPEs/ });
  await side.getByLabel("Available CPEs CPE alias").fill("versions-");
  await side.getByText("Select all 2", { exact: true }).waitFor();
  await side.getByLabel("Available CPEs Select all").check();
  await dialog(page).getByRole("button", { name: "Add (2) →" }).click();
  await dialog(page).getByText("Staged: +2 −0").waitFor();
});

test("the page of a site lists what acts on it, with where it is from", async () => {
  const own = policyFamily("routerConnlimit").manage.resource.ops;
  await call(own.add, {
    cpeId,
    popId: null,
    name: "of-here",
    enable: true,
    ipgroupId: null,
    maxConnections: 9,
    maxNewPerSecond: null,
    remark: "",
  } as never);
  const { page, errors } = await open({ path: `/sdwan-system/cpe/cpeTable/detail?id=${cpeId}` });
  const list = page.locator('[data-effective="routerConnlimit"]');
  await list.locator("tbody tr[data-row-key]").first().waitFor({ timeout: 60_000 });
  const rows = await list.locator("tbody tr[data-row-key]").allTextContents();
  expect(rows[0]).toMatch(/of-here.*Node/s);
  expect(rows[1]).toMatch(/guests.*Template v\d/s);
  await page.getByText(/Follows template “versions”, version \d/).waitFor();
  expect(errors).toEqual([]);
});

test("a change is undone in four clicks from anywhere, after its difference was seen", async () => {
  const draft = samples.staticroute.valid(sampleIds({ cpe: cpeId }));
  const route = { ...draft, nCpeID: cpeId, destination: "10.231.0.0/24", metric: 10 };
  const { id } = (await call(staticRoute.ops.add, route)).data;
  await call(staticRoute.ops.edit, { ...route, nID: id, metric: 77 } as never);
  const { page } = await open({
    path: `/system/recordmanage/operaRecord?module=staticroute&rowId=${id}`,
  });
  await rowOf(page, "77").getByRole("button", { name: "Undo" }).click();
  await dialog(page).getByText("The former values are restored").waitFor();
  await dialog(page)
    .locator("tbody tr", { hasText: "77" })
    .getByText("10", { exact: true })
    .waitFor();
  await dialog(page).getByRole("button", { name: "Undo" }).click();
  await page.getByText("Undone", { exact: true }).waitFor();
  await soon(async () => {
    const any = { page: 1, limit: 100, orderByColumn: null, isAsc: null };
    const { data } = await call(staticRoute.ops.list, { ...any, nCpeID: cpeId } as never);
    return (data as { nID: number; metric: number }[]).find((row) => row.nID === id)?.metric;
  }).toBe(10);
  await page.getByText(/Undone by admin/).waitFor();
});
