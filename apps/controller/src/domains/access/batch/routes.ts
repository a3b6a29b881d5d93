import {
  batchById,
  batchCancel,
  batchExport,
  batchItems,
  batchList,
} from "@weft/contract/domains/access/batch.ts";
import type { InputOf } from "@weft/contract/kernel/endpoint.ts";
import type { FastifyInstance } from "fastify";
import { mount } from "#kernel/mount.ts";
import { mountExport } from "#transfer/mount-export.ts";
import { cancelBatch, getBatch, listBatches, listItems } from "./store.ts";

/** The caller's own actions on many rows: how far they are and what came of each row. */
export function batchRoutes(app: FastifyInstance): void {
  mount(app, batchList, (query, ctx) => listBatches(ctx, query));
  mount(app, batchById, ({ id }, ctx) => getBatch(ctx, id));
  mount(app, batchItems, (query, ctx) => listItems(ctx, query));
  mountExport(app, batchExport, {
    list: batchItems,
    rows: (query: InputOf<typeof batchItems>, ctx) => listItems(ctx, query),
    title: ["批量操作报告", "Bulk job report"],
  });
  mount(app, batchCancel, async ({ id }, ctx) => {
    await cancelBatch(ctx, id);
    return null;
  });
}
