import { routerTemplate } from "@weft/contract/domains/templates/router-template.ts";
import Button from "antd/es/button";
import Dropdown from "antd/es/dropdown/dropdown";
import { paths } from "#client/paths.ts";
import { useMay } from "#client/session.tsx";
import { useIssueReview } from "#domains/templates/parts/template/issue-review.tsx";
import { useToast } from "#feedback/toast.tsx";
import { useRemove } from "#feedback/use-remove.ts";
import type { RowAction } from "#kernel/list/row-actions.tsx";
import type { Selection } from "#kernel/list/use-selection.ts";
import { type TemplateRow, useTemplateTexts } from "./template-texts.ts";

const useDelete = () => {
  const t = useTemplateTexts();
  return useRemove(routerTemplate, {
    title: (rows) =>
      rows.length === 1
        ? t("tem.deleteTitle", { name: rows[0].temName })
        : t("tem.deleteTitleMany", { count: rows.length }),
    body: (rows) =>
      t("tem.deleteBody", { count: rows.reduce((sum, { cpeNum }) => sum + cpeNum, 0) }),
    ok: t("act.remove"),
    touches: ["nodeState", "task", "cpe"],
  });
};

/** What can be done with one template (section 2.7). */
export const useTemplateActions = (open: (what: string, id: number) => void) => {
  const t = useTemplateTexts();
  const remove = useDelete();
  const may = "routerTemplateEdit" as const;
  return (row: TemplateRow): RowAction[] => [
    { key: "cpe", label: t("tem.cpe"), may, run: () => open("cpe", row.templateId) },
    { key: "template", label: t("tem.template"), may, to: paths.templateSection(row.templateId) },
    { key: "modify", label: t("act.edit"), may, run: () => open("edit", row.templateId) },
    {
      key: "delete",
      label: t("act.remove"),
      may: "routerTemplateRemove",
      danger: true,
      run: () => void remove([row]),
    },
  ];
};

/** What can be done with many: issue and delete, behind one button. */
export function BatchMenu({ selection }: { readonly selection: Selection<TemplateRow> }) {
  const t = useTemplateTexts();
  const may = useMay();
  const toast = useToast();
  const issue = useIssueReview();
  const remove = useDelete();
  const { rows, clear } = selection;
  const work: Readonly<Record<string, () => Promise<boolean>>> = {
    issue: () =>
      issue.request(rows.map(({ templateId, temName }) => ({ templateId, templateName: temName }))),
    delete: () => remove(rows),
  };
  const items = [
    ...(may("routerTemplateEdit") ? [{ key: "issue", label: t("template.issue") }] : []),
    ...(may("routerTemplateRemove")
      ? [{ key: "delete", label: t("act.remove"), danger: true }]
      : []),
  ];
  if (items.length === 0) return null;
  const run = async (key: string): Promise<void> => {
    if (rows.length === 0) return toast.hint(t("list.selectSome"));
    if (await work[key]?.()) clear();
  };
  return (
    <>
      {issue.drawer}
      {rows.length > 0 && (
        <span className="w-quiet">{t("list.selected", { count: rows.length })}</span>
      )}
      <Dropdown menu={{ items, onClick: ({ key }) => void run(key) }} trigger={["click"]}>
        <Button aria-haspopup="menu">{t("list.batch")} ▾</Button>
      </Dropdown>
    </>
  );
}
