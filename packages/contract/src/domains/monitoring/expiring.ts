import { z } from "zod";
import * as codec from "#kernel/codec.ts";

export const expiringKinds = ["cpe", "pop", "account", "circuit", "enterprise"] as const;

/** Something with a term that is near its end, or over. */
export const expiring = z.object({
  kind: z.enum(expiringKinds),
  id: z.number(),
  name: z.string(),
  expireTime: codec.instant,
});
export type Expiring = z.output<typeof expiring>;
