import { user, userEditEnable } from "@weft/contract/domains/access/user.ts";
import { useSession } from "#client/session.tsx";
import { useConfirm } from "#feedback/confirm.tsx";
import { useAction } from "#feedback/use-action.ts";
import { useRemove } from "#feedback/use-remove.ts";
import type { RowAction } from "#kernel/list/row-actions.tsx";
import { type UserRow, type UserTexts, useUserTexts } from "./user-texts.ts";

const namesOf = (rows: readonly UserRow[], t: UserTexts): string =>
  t.list(rows.map((row) => row.loginName));

/** Why a user cannot be taken the account from: it is the own one, or holds more. */
const takenFrom = (row: UserRow, ownId: number, t: UserTexts): string | null =>
  row.userId === ownId ? t("user.own") : row.manageable ? null : t("user.stronger");

function useUserRemove(t: UserTexts) {
  return useRemove(user, {
    title: (rows) =>
      rows.length === 1
        ? t("user.removeTitle", { name: namesOf(rows, t) })
        : t("user.removeMany", { count: rows.length }),
    body: (rows) => t("user.removeBody", { names: namesOf(rows, t) }),
    touches: ["role"],
  });
}

/** Lets a user in no more; asks first. */
function useDisable(t: UserTexts) {
  const confirm = useConfirm();
  const { act: setEnable } = useAction(userEditEnable);

  return async ({ userId, loginName: name }: UserRow): Promise<void> => {
    const yes = await confirm({
      title: t("user.disableTitle", { name }),
      body: t("user.disableBody", { name }),
      ok: t("act.disable"),
      danger: true,
    });
    if (yes) await setEnable({ userId, enable: false, oldPsw: null });
  };
}

/** What may be done to users, one by one and in batches. */
export function useUserActions(open: (what: string, id: number) => void) {
  const t = useUserTexts();
  const { userId: ownId } = useSession();
  const remove = useUserRemove(t);
  const disable = useDisable(t);

  const rowActions = (row: UserRow): RowAction[] => {
    const taken = takenFrom(row, ownId, t);
    return [
      {
        key: "edit",
        label: t("act.edit"),
        may: "sysUserEdit",
        disabledReason: row.manageable ? null : t("user.stronger"),
        run: () => open("edit", row.userId),
      },
      {
        key: "reset",
        label: t("user.reset"),
        may: "sysUserResetPwd",
        disabledReason: row.userId === ownId ? t("user.ownPassword") : taken,
        run: () => open("reset", row.userId),
      },
      {
        key: "enable",
        label: t(row.enable ? "act.disable" : "act.enable"),
        may: "sysUserEdit",
        disabledReason: taken,
        // To be let in again needs the own password (user-page.tsx).
        run: () => (row.enable ? void disable(row) : open("enable", row.userId)),
      },
      {
        key: "remove",
        label: t("act.remove"),
        may: "sysUserRemove",
        danger: true,
        disabledReason: taken,
        run: () => void remove([row]),
      },
    ];
  };

  const batchActions = (rows: readonly UserRow[], done: () => void): RowAction[] => [
    {
      key: "remove",
      label: t("act.remove"),
      may: "sysUserRemove",
      danger: true,
      disabledReason:
        rows.map((row) => takenFrom(row, ownId, t)).find((reason) => reason !== null) ?? null,
      run: () => void remove([...rows]).then((gone) => gone && done()),
    },
  ];
  return { rowActions, batchActions };
}
