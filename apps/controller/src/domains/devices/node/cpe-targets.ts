import type { cpe } from "@weft/contract/domains/devices/cpe.ts";
import type { BatchChoice, BatchTarget } from "#batch/batch-action.ts";
import type { Context } from "#kernel/api.ts";
import type { ListQuery } from "#kernel/resource-store.ts";
import { byKey } from "./by-key.ts";
import { nodeTargets } from "./list.ts";

type Filters = Omit<ListQuery<typeof cpe>, "page" | "limit" | "orderByColumn" | "isAsc">;

/** The caller's own CPEs that a batch means. */
export const cpeTargets = (
  ctx: Context,
  { ids, filters, maxRows }: BatchChoice<Filters>,
): Promise<BatchTarget[]> =>
  nodeTargets(ctx, { ...filters, ...byKey(filters), ...(ids && { ids }), kind: "cpe" }, maxRows);
