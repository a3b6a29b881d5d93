import { z } from "zod";
import { nodeKinds } from "#enums/node.ts";
import * as codec from "#kernel/codec.ts";
import { pagedEndpoint, pageFields } from "#kernel/endpoint.ts";

/** One end of a link as the console shows it. */
const linkEnd = z.object({
  nodeId: z.number(),
  kind: z.enum(nodeKinds),
  name: z.string(),
  lineName: z.string(),
  slot: z.number(),
});

/** An overlay adjacency of two nodes over one pair of lines. Measures are the last reported ones. */
export const linkRow = z.object({
  id: z.number(),
  name: z.string(),
  netSpaceId: z.number(),
  netSpaceName: z.string(),
  source: linkEnd,
  target: linkEnd,
  /** 1 up; 0 down or not yet reported. */
  status: z.number(),
  /** Round trip, jitter (RFC 3550) in ms; loss in percent; null: no measure yet. */
  delay: z.number().nullable(),
  jitter: z.number().nullable(),
  loss: z.number().nullable(),
  /** bit/s towards the source and away from it; null: no measure yet. */
  inRate: z.number().nullable(),
  outRate: z.number().nullable(),
  updateTime: codec.instant.nullable(),
});

export const linkList = pagedEndpoint({
  id: "link.list",
  method: "GET",
  path: "/customer/link/list",
  input: z.object({
    ...pageFields,
    netSpaceId: codec.orNull(codec.id),
    /** Links that end at this node. */
    nodeId: codec.orNull(codec.id),
    status: codec.orNull(codec.int(0, 1)),
    name: codec.orNull(codec.text(64)),
  }),
  output: linkRow,
  may: null,
});
