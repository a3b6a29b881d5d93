/** What an input is made of. Beside no generator of values: making those costs more than a second. */
import type { z } from "zod";

/** Names of an object's fields with their schemas; none for anything but an object. */
export const shapeOf = (schema: z.ZodType): Readonly<Record<string, z.ZodType>> =>
  (schema._zod.def as { readonly shape?: Readonly<Record<string, z.ZodType>> }).shape ?? {};
