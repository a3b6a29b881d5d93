/** The catalogue of applications that traffic is matched by (section 7.2). */

import { z } from "zod";
import { everySession } from "#contract/access.ts";
import * as codec from "#kernel/codec.ts";
import { pagedEndpoint, pageFields } from "#kernel/endpoint.ts";

/** Kinds of applications. */
export const applicationKinds = [
  "office",
  "meeting",
  "mail",
  "cloud",
  "storage",
  "develop",
  "social",
  "video",
  "music",
  "game",
  "shop",
  "bank",
  "travel",
  "news",
  "search",
  "ai",
  "remote",
  "update",
  "protocol",
] as const;

const row = z.object({
  /** Number of the application; never given to another one. */
  id: z.number(),
  /** Of its kind: 1 and up, in the order of applicationKinds. */
  pId: z.number(),
  name: z.string(),
  nameEn: z.string(),
  kind: z.enum(applicationKinds),
  /** Host names; a name stands for all below it. */
  hosts: z.array(z.string()),
  /** "tcp/443", where ports identify it. */
  ports: z.array(z.string()),
});

const page = {
  method: "GET",
  input: z.object({ name: codec.orNull(codec.text(64)), ...pageFields }),
  output: row,
  may: everySession("the catalogue of applications, the same for everyone"),
} as const;

export const l7Page = pagedEndpoint({
  ...page,
  id: "common.l7page",
  path: "/customer/common/L7page",
});

/** The same catalogue: both kinds of flow logs name applications by its numbers. */
export const ckL7Page = pagedEndpoint({
  ...page,
  id: "ckcommon.l7page",
  path: "/customer/ckcommon/L7page",
});
