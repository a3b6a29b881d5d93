import { cpeBatchConfig } from "@weft/contract/domains/devices/cpe-batch.ts";
import { batchAction } from "#batch/batch-action.ts";
import { cpeTargets } from "#domains/devices/node/public.ts";
import { save } from "./save.ts";

/** What is set on many CPEs at once. */
export const configBatches = [
  batchAction(cpeBatchConfig, {
    targets: cpeTargets,
    act: async (ctx, id, items) => {
      await save(ctx, "cpe", [id], items);
    },
  }),
];
