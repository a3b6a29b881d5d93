/** Which CPEs follow a template: what was ticked under one search stays while another is typed. */
import {
  routerTemplate,
  routerTemplateAllCpes,
  routerTemplateCpes,
} from "@weft/contract/domains/templates/router-template.ts";
import { expect, test } from "vitest";
import { dialog, press } from "#e2e/console.ts";
import { adminOf } from "#e2e/people.ts";
import { shells, soon } from "#test/shell-page.ts";

const { open, installation } = shells();

test("ticks of the CPE transfer outlive a search, and all of them are added", async () => {
  const call = await adminOf(installation());
  const templateName = "transfer";
  const { data: added } = await call(routerTemplate.ops.add, {
    templateName,
    groupid: 1,
    remark: "",
  } as never);
  const templateId = (added as { id: number }).id;
  const any = { templateId, groupid: null, alias: null };
  const { data: cpes } = await call(routerTemplateAllCpes, any);
  const [first, second] = cpes.filter(({ taken }) => !taken).map(({ alias }) => alias);
  if (!first || !second) throw new Error("the demonstration has no two CPEs without a template");
  const { page } = await open({ path: `/business/template/add?templateId=${templateId}` });
  await page.getByRole("button", { name: "CPE", exact: true }).click();
  const search = dialog(page).getByLabel("Available CPEs CPE alias");
  const checkbox = (alias: string) =>
    dialog(page)
      .getByRole("group", { name: /^Available CPEs/ })
      .getByRole("checkbox", { name: alias });
  for (const alias of [first, second]) {
    await search.fill(alias);
    await checkbox(alias === first ? second : first).waitFor({ state: "detached" });
    await checkbox(alias).check();
  }
  await search.fill("");
  await checkbox(first).waitFor();
  await soon(async () => [
    await checkbox(first).isChecked(),
    await checkbox(second).isChecked(),
  ]).toEqual([true, true]);
  await press(page, "Add (2) →");
  await press(page, "Save");
  await dialog(page).waitFor({ state: "hidden" });
  const { data: own } = await call(routerTemplateCpes, { templateId, alias: null });
  expect(own.map(({ alias }) => alias).sort()).toEqual([first, second].sort());
  await call(routerTemplate.ops.remove, { ids: [templateId] });
});
