import { linkRemove } from "@weft/contract/domains/overlay/link.ts";
import { paths } from "#client/paths.ts";
import type { LinkRow } from "#domains/devices/parts/node/link-end.ts";
import { useConfirm } from "#feedback/confirm.tsx";
import { useAction } from "#feedback/use-action.ts";
import type { RowAction } from "#kernel/list/row-actions.tsx";
import { linkTouches } from "./link-form.tsx";
import { type LinkTexts, useLinkTexts } from "./link-texts.ts";

/** An operator set something of this link that can be undone. */
const hasSetting = (row: LinkRow): boolean =>
  row.made || !row.enable || row.preference !== null || row.remark !== "";

const reasonOf = (row: LinkRow, t: LinkTexts): string | null =>
  hasSetting(row) ? null : t("links.automatic");

/** What can be done with a link: look at its report, prefer or close it, and take that back. */
export function useLinkActions(
  open: (what: string, id: number) => void,
): (row: LinkRow) => RowAction[] {
  const t = useLinkTexts();
  const confirm = useConfirm();
  const { act } = useAction(linkRemove, { touches: linkTouches });
  const remove = async (row: LinkRow): Promise<void> => {
    const { name } = row;
    const isMeant = await confirm({
      title: t(row.made ? "links.removeTitle" : "links.resetTitle", { name }),
      body: t(row.made ? "links.removeBody" : "links.resetBody"),
      ok: t(row.made ? "act.remove" : "links.reset"),
      danger: row.made,
    });
    if (isMeant) await act({ ids: [row.id] });
  };
  return (row) => [
    { key: "report", label: t("links.report"), to: paths.linkReport(row.id) },
    { key: "edit", label: t("act.edit"), run: () => open("edit", row.id) },
    {
      key: "remove",
      label: t(row.made ? "act.remove" : "links.reset"),
      danger: row.made,
      disabledReason: reasonOf(row, t),
      run: () => void remove(row),
    },
  ];
}
