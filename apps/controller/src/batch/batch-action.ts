import type { BatchEndpoint } from "@weft/contract/kernel/batch.ts";
import type { z } from "zod";
import type { Context } from "#kernel/api.ts";

/** A row that a batch works on, by the name that its person knows it by. */
export interface BatchTarget {
  readonly id: number;
  readonly name: string;
}

/** Which rows are meant: those of `ids` that match the filters; null: all that match. */
export interface BatchChoice<Filters> {
  readonly ids: readonly number[] | null;
  readonly filters: Filters;
  /** More are not read. */
  readonly maxRows: number;
}

/** One thing that is done with many rows. */
export interface BatchAction {
  readonly endpoint: BatchEndpoint;
  /** The caller's own rows that are meant, in the order in which they are worked on. */
  readonly targets: (ctx: Context, choice: BatchChoice<never>) => Promise<readonly BatchTarget[]>;
  /**
   * Before any row: refuses what does not depend on one, such as a target that is not there, and
   * gives the fields that are kept. What it leaves out, such as a password, is never written down.
   */
  readonly prepare?: (ctx: Context, fields: never) => Promise<object>;
  /** Does it with one row, audited; refuses with why it cannot be done. */
  readonly act: (ctx: Context, id: number, fields: never) => Promise<void>;
  /** Why no API key may begin it. */
  readonly personOnly?: string;
}

interface ActionSpec<Filters, Fields, Kept extends object> {
  readonly targets: (ctx: Context, choice: BatchChoice<Filters>) => Promise<readonly BatchTarget[]>;
  readonly prepare?: (ctx: Context, fields: Fields) => Promise<Kept>;
  readonly act: (ctx: Context, id: number, fields: Kept) => Promise<void>;
  readonly personOnly?: string;
}

/** Declares what a batch endpoint does; the worker knows it by the endpoint's id. */
export const batchAction = <
  Query extends z.ZodRawShape,
  Fields extends z.ZodRawShape,
  Kept extends object = z.output<z.ZodObject<Fields>>,
>(
  endpoint: BatchEndpoint<Query, Fields>,
  spec: ActionSpec<z.output<z.ZodObject<Query>>, z.output<z.ZodObject<Fields>>, Kept>,
): BatchAction => ({ endpoint: endpoint as unknown as BatchEndpoint, ...spec }) as BatchAction;
