/** Two people edit one row at the same time: nothing of either is lost. */
import { cug } from "@weft/contract/domains/overlay/cug.ts";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { dialog, press, rowOf } from "#e2e/console.ts";
import { adminOf } from "#e2e/people.ts";
import { shells, soon } from "#test/shell-page.ts";

const { open, installation } = shells();
const texts = {
  en_gb: { edit: "Edit", save: "Save", name: "Name", remark: "Remark" },
  zh_cn: { edit: "编辑", save: "保存", name: "名称", remark: "备注" },
} as const;
type Language = keyof typeof texts;

/** The open form of a row, in one of two windows. */
async function editing(language: Language, name: string) {
  const { page } = await open({ language, path: "/business-system/cug" });
  const t = texts[language];
  await rowOf(page, name).getByRole("button", { name: t.edit }).click();
  const field = (label: string) => dialog(page).getByLabel(label).first();
  await field(t.name).waitFor();
  return {
    page,
    name: field(t.name),
    remark: field(t.remark),
    save: () => press(page, new RegExp(`${t.save.split("").join("\\s?")}$`)),
  };
}

const shown = (page: Page) => dialog(page).getByRole("alert");

test.each(["en_gb", "zh_cn"] as const)(
  "the second of two who save is shown both edits, and saves them merged (%s)",
  async (language) => {
    const call = await adminOf(installation());
    const name = `merge-${language}`;
    const draft = { name, groupid: 1, bandwidth: 64_000, cpeIds: [], enable: true, remark: "old" };
    const { data } = await call(cug.ops.add, draft);
    const stored = async () => {
      const query = { page: 1, limit: 100, orderByColumn: null, isAsc: null };
      const { data: rows } = await call(cug.ops.list, { ...query, groupid: null, name: null });
      return rows.find(({ id }) => id === data.id);
    };
    const mine = await editing(language, name);
    const theirs = await editing("en_gb", name);
    // Each another field: merged, and shown before it is saved.
    await theirs.name.fill(`${name}-theirs`);
    await theirs.save();
    await theirs.name.waitFor({ state: "hidden" });
    await mine.remark.fill("mine");
    await mine.save();
    await shown(mine.page).getByText("admin").first().waitFor();
    await soon(() => mine.name.inputValue()).toBe(`${name}-theirs`);
    await soon(() => mine.remark.inputValue()).toBe("mine");
    expect(await stored()).toMatchObject({ name: `${name}-theirs`, remark: "old" });
    // Both the same field while that is looked at: selected side by side.
    const third = { remark: "third", bandwidth: 8_000_000 };
    await call(cug.ops.edit, { ...draft, name: `${name}-theirs`, ...third, id: data.id });
    await mine.save();
    const choices = shown(mine.page).getByRole("radio");
    await soon(() => choices.count()).toBe(2);
    // As the field shows it, not as it is stored.
    await shown(mine.page)
      .getByText(/0\.064 Mbit\/s → 8 Mbit\/s/)
      .waitFor();
    const picture = process.env.WEFT_PICTURES;
    if (picture) await mine.page.screenshot({ path: `${picture}/stale-${language}.png` });
    await choices.nth(1).click();
    await soon(() => mine.remark.inputValue()).toBe("third");
    await choices.nth(0).click();
    await soon(() => mine.remark.inputValue()).toBe("mine");
    await mine.save();
    await mine.name.waitFor({ state: "hidden" });
    expect(await stored()).toMatchObject({ name: `${name}-theirs`, remark: "mine" });
    await call(cug.ops.remove, { ids: [data.id] });
  },
);
