import { type RawBuilder, type SqlBool, sql } from "kysely";

/** Measures older than this say nothing of now: three messages of an edge that did not come. */
export const staleAfter = sql`interval '20 seconds'`;

/**
 * True while the last measures of a link are of now.
 * @param status alias of `link_status` in the statement; it may be the empty side of a left join.
 */
export const isFresh = (status: string): RawBuilder<SqlBool> =>
  sql<SqlBool>`coalesce(${sql.ref(`${status}.at`)} > now() - ${staleAfter}, false)`;

/** True while a link is known to be up: one that is no longer measured is not. */
export const isUp = (status: string): RawBuilder<SqlBool> =>
  sql<SqlBool>`(coalesce(${sql.ref(`${status}.up`)}, false) and ${isFresh(status)})`;
