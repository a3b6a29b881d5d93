import type { Permission } from "#contract/permissions.ts";
import type { Message } from "#kernel/message.ts";

/** Rows that make the round trip: what was exported can be imported unchanged. */
interface RoundTrip<Field extends string> {
  /** Fields that together identify a row which comes without its id. */
  readonly key: readonly Field[];
  /** True: rows of all CPEs make one file too, with a column that names the CPE (query fields of `acrossFields`). */
  readonly acrossCpes?: true;
  /** Permissions of their own, where the specification has some; else those of list, add and edit. */
  readonly may?: { readonly export: Permission; readonly import: Permission };
}

/** How rows of a resource go out to files and come in from them; `none`: why they do not. */
export type SheetRule<Field extends string = string> =
  | RoundTrip<Field>
  | { readonly none: Message };
