import { type Column, nameColumn, textColumn, timeColumn } from "#kernel/list/columns.tsx";
import type { List } from "#kernel/list/use-list.ts";
import type { TemplateRow, TemplateTexts } from "./template-texts.ts";
import { isMarked, VersionState } from "./version-state.tsx";

type Shown = Pick<List<TemplateRow>, "rows" | "page" | "limit">;

const finishedText = (t: TemplateTexts, row: TemplateRow): string =>
  t("tem.finishedOf", { finished: row.cpeFinishNum, count: row.cpeNum });

/** Columns of the template list (section 2.7), the index counted over all pages. */
export const templateColumns = (
  t: TemplateTexts,
  { rows, page, limit }: Shown,
  openLog: (templateId: number) => void,
): Column<TemplateRow>[] => [
  {
    key: "index",
    title: t("tem.index"),
    width: 64,
    align: "right",
    cell: (row) => (page - 1) * limit + rows.indexOf(row) + 1,
  },
  {
    ...nameColumn(
      "temName",
      t.field("temName"),
      (row: TemplateRow) => ({
        text: row.temName,
        note: isMarked(row) ? <VersionState row={row} /> : undefined,
      }),
      { sort: true, width: 280 },
    ),
    // Its state is in it.
    narrowest: 248,
  },
  {
    key: "cpeFinishNum",
    title: t("tem.finished"),
    width: 128,
    align: "right",
    cell: (row) => (
      <button
        type="button"
        className="w-link-button"
        aria-label={`${finishedText(t, row)} ${t("tem.openLog", { name: row.temName })}`}
        onClick={() => openLog(row.templateId)}
      >
        {finishedText(t, row)}
      </button>
    ),
  },
  timeColumn("createTime", t.field("createTime"), (row: TemplateRow) => row.createTime, {
    sort: true,
  }),
  textColumn("remark", t.field("remark"), (row: TemplateRow) => row.remark || null, { width: 200 }),
  textColumn(
    "enterpriseName",
    t.field("enterpriseName"),
    (row: TemplateRow) => row.enterpriseName,
    {
      optional: true,
    },
  ),
];
