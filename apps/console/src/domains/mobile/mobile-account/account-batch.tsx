import {
  accountBatchEnable,
  accountBatchRemove,
  mobileAccount,
} from "@weft/contract/domains/mobile/mobile-account.ts";
import { type ReactNode, useState } from "react";
import type { RowAction } from "#kernel/list/row-actions.tsx";
import type { Target } from "#parts/batch/target.ts";
import { useBatch } from "#parts/batch/use-batch.tsx";
import { BatchExpire } from "./account-dialogs.tsx";
import { useAccountTexts } from "./account-texts.ts";

interface Batch {
  readonly actions: readonly RowAction[];
  readonly dialogs: ReactNode;
}

/** What can be done with many accounts. */
export const useAccountBatch = (target: Target, clear: () => void): Batch => {
  const t = useAccountTexts();
  const batches = useBatch([mobileAccount.name]);
  const [isExpiring, setExpiring] = useState(false);
  const { count } = target;
  const enable = (setEnable: boolean) => ({ fields: { setEnable }, onStarted: clear });
  const off = {
    title: t("account.disableTitle", { count }),
    body: t("account.disableBody"),
    ok: t("act.disable"),
  };
  const gone = {
    title: t("account.removeTitleMany", { count }),
    body: t("account.removeBody"),
    ok: t("act.remove"),
  };
  const actions: RowAction[] = [
    {
      key: "enable",
      label: t("act.enable"),
      may: "clientEdit",
      run: () => void batches.start(accountBatchEnable, target, enable(true)),
    },
    {
      key: "disable",
      label: t("act.disable"),
      may: "clientEdit",
      run: () =>
        void batches.start(accountBatchEnable, target, { ...enable(false), question: off }),
    },
    {
      key: "expire",
      label: t("account.batchExpire"),
      may: "accountBatchExpire",
      run: () => setExpiring(true),
    },
    {
      key: "remove",
      label: t("act.remove"),
      may: "accountRemove",
      danger: true,
      run: () =>
        void batches.start(accountBatchRemove, target, { onStarted: clear, question: gone }),
    },
  ];
  const onStarted = (id: number): void => {
    clear();
    batches.show(id);
  };
  const dialogs = (
    <>
      {batches.dialog}
      {isExpiring && (
        <BatchExpire target={target} onStarted={onStarted} onClose={() => setExpiring(false)} />
      )}
    </>
  );
  return { actions, dialogs };
};
