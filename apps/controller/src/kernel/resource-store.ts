import type { AnyResource, DraftOf, RowOf } from "@weft/contract/kernel/resource.ts";
import type { versionField } from "@weft/contract/kernel/row-version.ts";
import type { Change, Context, HandlerContext } from "./api.ts";

/** Input of a resource's list, as the contract decodes it. */
export type ListQuery<R extends AnyResource> = {
  readonly page: number;
  readonly limit: number;
  readonly orderByColumn: string | null;
  readonly isAsc: "asc" | "desc" | null;
} & Readonly<NonNullable<R["query"]["_zod"]["output"]>>;

/** Versions of a row (row-version.ts) before and after a write; null where it was not, or is no longer, there. */
export interface Versions {
  readonly old: number | null;
  readonly new: number | null;
}

/** A row that a store wrote, as the audit trail and the compiler need to know it. */
export interface WrittenRow {
  readonly id: number;
  /** Enterprise of the row after the write (before it, for a removal). */
  readonly enterpriseId: number;
  /** Stored values before and after; null before an add and after a removal. */
  readonly old: object | null;
  readonly new: object | null;
  /** Nodes and spaces whose desired state follows from the row; absent: it is no intent. */
  readonly touches?: Omit<Change, "enterpriseId">;
}

/** A row that a store of a resource wrote: what was read under its lock, and what is stored now. */
export interface StoredRow extends WrittenRow {
  readonly versions: Versions;
}

/** A row of a list, with the version that an edit of it may name. */
export type ListedRow<R extends AnyResource> = RowOf<R> & { readonly [versionField]: string };

/**
 * What a resource's verbs need. `remove` is all or nothing: an id that is not there, or not the
 * caller's, refuses the whole with notFound.
 */
export interface Store<R extends AnyResource> {
  list(ctx: Context, query: ListQuery<R>): Promise<{ rows: ListedRow<R>[]; count: number }>;
  add(ctx: Context, draft: DraftOf<R>): Promise<StoredRow>;
  /** @param check is given the row as it is read and locked, while that goes on; the row is written once the check has passed */
  edit(ctx: Context, id: number, draft: DraftOf<R>, check?: EditCheck): Promise<StoredRow>;
  /** One row as the list has it; absent: there is no reading one alone. @throws Refusal notFound */
  read?(ctx: Context, id: number): Promise<ListedRow<R>>;
  /** @param inside the resource's fields of that name: rows outside of it are not there. */
  remove(ctx: Context, ids: readonly number[], inside: Inside): Promise<StoredRow[]>;
  combo?(ctx: Context, inside: Inside): Promise<{ id: number; name: string }[]>;
}

/** Values of the row by field; null: the caller has none of this id. */
export type Stored = Promise<object | null>;

/** @throws Refusal where the row that is stored may not become what was drafted */
export type EditCheck = (stored: Stored) => Promise<void>;

/** What a caller sent in the resource's `inside` fields. */
export type Inside = Readonly<Record<string, unknown>>;

/** Decisions that need other rows. What needs a fourth hook gets its own store or route. */
export interface Hooks<R extends AnyResource> {
  /**
   * Before an add (id null) or an edit; refuses by refuseField.
   * @param stored the row that is edited, where `checksOnlyRead`; null for another one
   */
  beforeWrite?(
    ctx: HandlerContext,
    draft: DraftOf<R>,
    id: number | null,
    stored: Stored,
  ): Promise<void>;
  /**
   * `beforeWrite` reads and takes no locks, so that the row of an edit may be read and locked beside it, in one round
   * trip. The store's `edit` must run its check.
   */
  readonly checksOnlyRead?: true;
  beforeRemove?(ctx: HandlerContext, ids: readonly number[], inside: Inside): Promise<void>;
  /** After an add, an edit, or each removed row, inside the transaction. */
  afterWrite?(ctx: HandlerContext, row: WrittenRow): Promise<void>;
}
