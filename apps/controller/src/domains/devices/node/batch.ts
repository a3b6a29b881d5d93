import {
  cpeBatchEnable,
  cpeBatchMove,
  cpeBatchRemove,
} from "@weft/contract/domains/devices/cpe-batch.ts";
import { batchAction } from "#batch/batch-action.ts";
import { recordWrites } from "#kernel/mount-resource.ts";
import { cpeTargets } from "./cpe-targets.ts";
import { enableCpe } from "./enable.ts";
import { moveToArea, removeNodes, requireArea } from "./store.ts";

/** What is done with many CPEs at once. */
export const cpeBatches = [
  batchAction(cpeBatchEnable, {
    targets: cpeTargets,
    act: (ctx, id, { setEnable }) => enableCpe(ctx, { id, enable: setEnable, hostid: "" }),
  }),
  batchAction(cpeBatchMove, {
    targets: cpeTargets,
    prepare: async (ctx, fields) => {
      if (fields.toAreaId !== null) await requireArea(ctx, fields.toAreaId, "toAreaId");
      return fields;
    },
    act: async (ctx, id, { toAreaId }) => {
      await recordWrites(ctx, "cpe", [await moveToArea(ctx, id, toAreaId)]);
    },
  }),
  batchAction(cpeBatchRemove, {
    targets: cpeTargets,
    act: async (ctx, id) => {
      await recordWrites(ctx, "cpe", await removeNodes(ctx, "cpe", [id]));
    },
  }),
];
