import { z } from "zod";
import type { Access } from "#contract/access.ts";
import * as codec from "#kernel/codec.ts";
import { type Endpoint, endpoint, type pageFields } from "#kernel/endpoint.ts";
import { failsWith } from "#kernel/rule.ts";

type Shape = z.ZodRawShape;

/** Rows that a batch works on within its call; one of more rows is done by the worker, in parts of this size. */
export const maxParallelItems = 100;

/** Maximum number of rows of one batch. */
export const maxOfBatch = 100_000;

const targetFields = {
  /** The rows that are meant; empty: `all` says it. */
  ids: codec.idList.default([]),
  /** True: every row that matches the filters. */
  all: codec.orNull(codec.flag),
};

/** The batch; `batch.getById` and `batch.items` return its progress and report. */
const batchAnswer = z.object({ id: z.number(), total: z.number() });

type BatchInput<Query extends Shape, Fields extends Shape> = z.ZodObject<
  Omit<Query, keyof typeof pageFields | "orderByColumn" | "isAsc"> & typeof targetFields & Fields
>;

export interface BatchEndpoint<Query extends Shape = Shape, Fields extends Shape = Shape>
  extends Endpoint<BatchInput<Query, Fields>, typeof batchAnswer, false> {
  /** The filters of the list, by which rows are selected. */
  readonly filters: z.ZodObject;
  /** What is done with each of them. */
  readonly fields: z.ZodObject<Fields>;
}

interface BatchSpec<Fields extends Shape> {
  readonly id: string;
  /** As of an endpoint (kernel/endpoint.ts). */
  readonly addition?: string;
  readonly path: `/${string}`;
  readonly may: Access;
  /** Besides the rows; none may be called like a filter of the list. */
  readonly fields: Fields;
}

/**
 * A call that does one thing with many rows of a list, each by itself: one that is refused does not
 * hold up the others. Rows are named by `ids`, or are all that match the filters of the list; ids
 * outside the filters are refused as rows that are not there.
 */
export const batchOf = <Query extends Shape, Fields extends Shape>(
  list: Endpoint<z.ZodObject<Query>, z.ZodArray<z.ZodObject<Shape>>, true>,
  { fields, ...spec }: BatchSpec<Fields>,
): BatchEndpoint<Query, Fields> => {
  const {
    page: _page,
    limit: _limit,
    orderByColumn: _order,
    isAsc: _isAsc,
    ...filters
  } = list.input.shape as Shape;
  const twice = Object.keys(fields).find((name) => name in filters || name in targetFields);
  if (twice !== undefined) throw new Error(`${spec.id}: ${twice} names a filter already`);
  const made = endpoint({
    ...spec,
    method: "POST",
    input: z.object({ ...filters, ...targetFields, ...(fields as Shape) }).refine(
      (value) => {
        const { ids, all } = value as unknown as { ids: readonly number[]; all: boolean | null };
        return all === true || ids.length > 0;
      },
      failsWith("atLeastOne", {}, ["ids"]),
    ),
    output: batchAnswer,
  });
  // The shape is generic here, so what is left of it is widened; BatchEndpoint has the exact one.
  return {
    ...made,
    filters: z.object(filters),
    fields: z.object(fields),
  } as unknown as BatchEndpoint<Query, Fields>;
};
