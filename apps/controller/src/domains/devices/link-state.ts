import { type RawBuilder, type SqlBool, sql } from "kysely";

/**
 * Metrics older than this do not describe the current state: three measurements of an edge are missing, or what it said
 * stands no longer (`standMs` of measures); the gateway writes both within 5 s.
 */
export const staleAfter = sql`interval '25 seconds'`;

/**
 * True while the last metrics of a link are current.
 * @param status alias of `link_status` in the statement; it may be the empty side of a left join.
 */
export const isFresh = (status: string): RawBuilder<SqlBool> =>
  sql<SqlBool>`coalesce(${sql.ref(`${status}.at`)} > now() - ${staleAfter}, false)`;

/** True while a link is known to be up; a link that is no longer measured is not. */
export const isUp = (status: string): RawBuilder<SqlBool> =>
  sql<SqlBool>`(coalesce(${sql.ref(`${status}.up`)}, false) and ${isFresh(status)})`;

/** True for a link that is up and beyond a limit (quality.ts). */
export const isPoor = (status: string): RawBuilder<SqlBool> =>
  sql<SqlBool>`(${isUp(status)} and exists (
    select from link_quality q where q.link_id = ${sql.ref(`${status}.link_id`)}))`;
