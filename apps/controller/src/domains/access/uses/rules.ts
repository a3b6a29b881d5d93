import type { Access } from "@weft/contract/access.ts";
import type { AnyResource } from "@weft/contract/kernel/resource.ts";
import { holds } from "@weft/contract/permissions.ts";
import type { Caller } from "#kernel/api.ts";

/** What a caller lacks for the removal of rows, by either of the resource's two ways; null: none. */
export function mayRemove(
  caller: Caller,
  { may, mayInstead }: Pick<AnyResource, "may" | "mayInstead">,
): Access | null {
  const needed = may.remove;
  if (needed === null || holds(caller, needed)) return null;
  return mayInstead && holds(caller, mayInstead.may) ? null : needed;
}
