/** Actions on many rows at once, and their results; each user sees only their own. */

import { z } from "zod";
import { everySession } from "#contract/access.ts";
import * as codec from "#kernel/codec.ts";
import { endpoint, nothing, pagedEndpoint, pageFields } from "#kernel/endpoint.ts";
import { exportOf } from "#kernel/sheet.ts";

/** 0 waiting, 1 running, 2 done, 3 cancelled. */
export const batchStatuses = [0, 1, 2, 3] as const;
/** 0 waiting, 1 done, 2 failed. */
export const batchItemStatuses = [0, 1, 2] as const;

const batch = z.object({
  id: z.number(),
  /** Id of the call that began it; its text is `enum.batchAction.<id>`. */
  action: z.string(),
  batchStatus: codec.code(batchStatuses),
  total: z.number(),
  done: z.number(),
  failed: z.number(),
  createTime: codec.instant,
  endTime: codec.instant.nullable(),
});

/** The caller's batches, newest first. */
export const batchList = pagedEndpoint({
  id: "batch.list",
  method: "GET",
  path: "/customer/batch/list",
  input: z.object({ batchStatus: codec.orNull(codec.code(batchStatuses)), ...pageFields }),
  output: batch,
  may: everySession("the caller's own bulk jobs"),
});

export const batchById = endpoint({
  id: "batch.getById",
  method: "GET",
  path: "/customer/batch/getById",
  input: z.object({ id: codec.id }),
  output: batch,
  may: everySession("the caller's own bulk jobs"),
});

/** Rows of a batch in the order in which they are worked on. */
export const batchItems = pagedEndpoint({
  id: "batch.items",
  method: "GET",
  path: "/customer/batch/items",
  input: z.object({
    id: codec.id,
    itemStatus: codec.orNull(codec.code(batchItemStatuses)),
    ...pageFields,
  }),
  output: z.object({
    /** Place in the batch, from 1. */
    sequence: z.number(),
    rowId: z.number(),
    /** As the row was called when the batch began. */
    name: z.string(),
    itemStatus: codec.code(batchItemStatuses),
    /** Why it failed, in the reader's language; null: it did not. */
    reason: z.string().nullable(),
  }),
  may: everySession("the caller's own bulk jobs"),
});

export const batchExport = exportOf(batchItems, {
  id: "batch.export",
  path: "/customer/batch/export",
  may: everySession("the caller's own bulk jobs"),
});

/** Leaves the rows alone that are not done yet; what is done stays done. */
export const batchCancel = endpoint({
  id: "batch.cancel",
  method: "POST",
  path: "/customer/batch/cancel",
  input: z.object({ id: codec.id }),
  output: nothing,
  may: everySession("the caller's own bulk jobs"),
});
