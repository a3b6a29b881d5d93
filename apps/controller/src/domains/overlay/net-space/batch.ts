import { cpeBatchJoin } from "@weft/contract/domains/devices/cpe-batch.ts";
import { netSpace } from "@weft/contract/domains/overlay/net-space.ts";
import { batchAction } from "#batch/batch-action.ts";
import { cpeTargets } from "#domains/devices/node/public.ts";
import { recordWrites } from "#kernel/mount-resource.ts";
import { joinSpace, requireSpace } from "./join.ts";

/** What network spaces do with many CPEs at once. */
export const spaceBatches = [
  batchAction(cpeBatchJoin, {
    targets: cpeTargets,
    prepare: async (ctx, fields) => {
      await requireSpace(ctx, fields.netSpaceId);
      return fields;
    },
    act: async (ctx, id, { netSpaceId }) => {
      await recordWrites(ctx, netSpace.name, await joinSpace(ctx, netSpaceId, id));
    },
  }),
];
