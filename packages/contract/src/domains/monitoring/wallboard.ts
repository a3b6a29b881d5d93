/** What the wallboard shows (section 2.5), in one call. */
import { z } from "zod";
import { linkRow } from "#domains/overlay/link.ts";
import * as codec from "#kernel/codec.ts";
import { endpoint, readsMetrics } from "#kernel/endpoint.ts";
import { workplace } from "./workplace.ts";

const { counts, traffic, causes, causeCount } = workplace.output.shape;

export const wallboardData = readsMetrics(
  endpoint({
    id: "screen.data",
    method: "GET",
    path: "/customer/screen/data",
    input: z.object({}),
    output: z.object({
      counts,
      /** Nodes with a place; the first 2,000. */
      devices: z.array(
        z.object({
          id: z.number(),
          kind: z.enum(["cpe", "pop"]),
          alias: z.string(),
          lng: z.number(),
          lat: z.number(),
          status: codec.flag,
        }),
      ),
      /** Links that are down, the first hundred. */
      links: z.array(linkRow),
      traffic,
      causes,
      causeCount,
    }),
    may: "screenView",
  }),
);
