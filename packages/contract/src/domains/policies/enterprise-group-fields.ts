import { z } from "zod";
import * as codec from "#kernel/codec.ts";
import * as text from "#rules/text.ts";

/** What the IP groups and the URL groups of enterprises have in common. */
export const enterpriseGroup = {
  row: z.object({
    id: z.number(),
    name: z.string(),
    groupid: z.number(),
    members: z.codec(z.string(), z.array(z.string()), {
      decode: (value) => value.split(","),
      encode: (value) => value.join(","),
    }),
    remark: z.string(),
    createTime: codec.instant,
  }),
  draft: z.object({
    name: text.name,
    /** Whose it is; null: the caller's own. */
    groupid: codec.orNull(codec.id),
    remark: text.remark,
  }),
  query: z.object({
    name: codec.orNull(codec.text(64)),
    groupid: codec.orNull(codec.id),
  }),
} as const;
