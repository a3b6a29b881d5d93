import {
  accountBatchEnable,
  accountBatchEnd,
  accountBatchRemove,
  mobileAccount,
} from "@weft/contract/domains/mobile/mobile-account.ts";
import { batchAction } from "#batch/batch-action.ts";
import { recordWrites } from "#kernel/mount-resource.ts";
import { refuse } from "#kernel/refuse.ts";
import { notifyPops } from "./account-client.ts";
import { accountTargets } from "./list.ts";
import { changeMany, mobileAccountStore } from "./store.ts";

/** What is done with many mobile accounts at once. */
export const accountBatches = [
  batchAction(accountBatchEnable, {
    targets: accountTargets,
    act: (ctx, id, { setEnable }) => changeMany(ctx, [id], { enabled: setEnable }, notifyPops),
  }),
  batchAction(accountBatchEnd, {
    targets: accountTargets,
    act: (ctx, id, { expire }) => changeMany(ctx, [id], { expire_at: expire }, notifyPops),
  }),
  batchAction(accountBatchRemove, {
    targets: accountTargets,
    act: async (ctx, id) => {
      const rows = await mobileAccountStore.remove(ctx, [id], {});
      if (rows.length === 0) refuse("notFound");
      await recordWrites(ctx, mobileAccount.name, rows);
    },
  }),
];
