import { z } from "zod";
import { everySession } from "#contract/access.ts";
import * as codec from "#kernel/codec.ts";
import { endpoint } from "#kernel/endpoint.ts";

/**
 * What is due soon or expired, the earliest first, complete (section 2.6; the path is A-04's). A
 * list whose notification permission the caller lacks is empty.
 */
export const expireDevice = endpoint({
  id: "notice.fetch",
  method: "GET",
  path: "/temp/expireDevice",
  input: z.object({}),
  output: z.object({
    cpeList: z.array(z.object({ id: z.number(), alias: z.string(), expireTime: codec.instant })),
    popList: z.array(z.object({ id: z.number(), name: z.string(), expireTime: codec.instant })),
    clientList: z.array(
      z.object({
        id: z.number(),
        alias: z.string(),
        account: z.object({ expire: codec.instant }),
      }),
    ),
  }),
  may: everySession("each of its lists asks for its own code"),
});
