import { accountEditEnable, mobileAccount } from "@weft/contract/domains/mobile/mobile-account.ts";
import { useConfirm } from "#feedback/confirm.tsx";
import { useAction } from "#feedback/use-action.ts";
import { useRemove } from "#feedback/use-remove.ts";
import type { RowAction } from "#kernel/list/row-actions.tsx";
import { type AccountRow, useAccountTexts } from "./account-texts.ts";

/** What can be done with one account. */
export const useAccountActions = (open: (what: string, id?: number) => void) => {
  const t = useAccountTexts();
  const confirm = useConfirm();
  const enable = useAction(accountEditEnable);
  const remove = useRemove(mobileAccount, {
    title: ([row]) => t("account.removeTitle", { name: row.alias }),
    body: () => t("account.removeBody"),
  });
  const setEnabled = async (row: AccountRow, isOn: boolean): Promise<void> => {
    const title = t("account.disableTitle", { count: 1 });
    const question = { title, body: t("account.disableBody"), ok: t("act.disable"), danger: true };
    if (!isOn && !(await confirm(question))) return;
    await enable.act({ ids: [row.id], enable: isOn });
  };
  const rowActions = (row: AccountRow): RowAction[] => [
    { key: "edit", label: t("act.edit"), may: "accountEdit", run: () => open("edit", row.id) },
    {
      key: "enable",
      label: row.enable ? t("act.disable") : t("act.enable"),
      may: "clientEdit",
      run: () => void setEnabled(row, !row.enable),
    },
    {
      key: "client",
      label: t("client.action"),
      may: "clientInfo",
      run: () => open("client", row.id),
    },
    {
      key: "remove",
      label: t("act.remove"),
      may: "accountRemove",
      danger: true,
      run: () => void remove([row]),
    },
  ];
  return rowActions;
};
