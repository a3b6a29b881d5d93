/** What still uses rows that are to be removed. */

import { z } from "zod";
import { everySession } from "#contract/access.ts";
import * as codec from "#kernel/codec.ts";
import { endpoint } from "#kernel/endpoint.ts";

/** Uses of one kind that are listed at most; `count` says how many there are. */
export const maxUses = 50;

const use = z.object({
  /** Resource of the row that uses one of these: "routerBandwidthpolicy"; empty: it has no list. */
  resource: z.string(),
  /** What rows of that kind are called, in Chinese and English. */
  title: z.tuple([z.string(), z.string()]),
  id: z.number(),
  /** Empty: rows of that kind have none. */
  name: z.string(),
  /** The node or template that the row is in; null: none. */
  nodeId: z.number().nullable(),
  templateId: z.number().nullable(),
});
export type Use = z.output<typeof use>;

/**
 * Rows that forbid the removal of others, as far as the caller may see them: a bandwidth policy with the IP group,
 * an enterprise below another.
 */
export const usesFindAll = endpoint({
  id: "uses.findAll",
  addition: "users of an object are shown with links before its removal is confirmed",
  method: "GET",
  path: "/customer/uses/findAll",
  input: z.object({
    /** Name of the resource: "routerIpgroup.manage", "enterprise". */
    resource: codec.text(64, 1),
    ids: codec.someIds,
  }),
  output: z.object({
    /** Users that the caller may see. */
    count: z.number(),
    uses: z.array(use),
  }),
  may: everySession("it asks for what the removal of the rows asks for"),
});
