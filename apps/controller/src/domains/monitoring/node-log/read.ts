import type { Context } from "#kernel/api.ts";
import type { FlowFilter } from "#metrics-store/flow-store.ts";
import type { Range } from "#metrics-store/steps.ts";
import { ownersOf } from "./store.ts";

/** Records of a node that are the caller's to see. Whether the node is, has to be asked before. */
export const ownRecords = (ctx: Context, nodeId: number, range: Range): FlowFilter => ({
  nodeId,
  range,
  enterpriseIds: ownersOf(ctx),
});
