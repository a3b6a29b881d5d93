import type { FastifyInstance } from "fastify";
import type { Context } from "#kernel/api.ts";
import { refuse } from "#kernel/refuse.ts";
import type { FlowFilter } from "#metrics-store/flow-store.ts";
import type { Range } from "#metrics-store/steps.ts";
import type { MeasureStore } from "#metrics-store/store.ts";
import { ownersOf } from "./store.ts";

/** Asks the metrics store; refuses "unavailable" while it is away. */
export const metricsReaderOf =
  (app: FastifyInstance) =>
  async <T>(read: (measures: MeasureStore) => Promise<T>): Promise<T> => {
    const { measures } = app.weft;
    if (!measures) return refuse("unavailable");
    return read(measures).catch((error: unknown) => {
      app.log.warn({ err: error }, "records cannot be read");
      return refuse("unavailable");
    });
  };

/** Records of a node that are the caller's to see. Whether the node is, has to be asked before. */
export const ownRecords = (ctx: Context, nodeId: number, range: Range): FlowFilter => ({
  nodeId,
  range,
  enterpriseIds: ownersOf(ctx),
});
