import type { Kysely } from "kysely";

/**
 * The database for code that works on whichever table its specification names. Kysely infers the
 * columns of one table from its literal name and gives up on a union of names; the specification's
 * own type has checked table and columns by then.
 */
// biome-ignore lint/suspicious/noExplicitAny: Kysely offers no other type for a table that varies
export type AnyTable = Kysely<any>;
