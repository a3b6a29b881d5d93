import { linkLimits } from "@weft/contract/domains/overlay/link-quality.ts";
import { type RawBuilder, type SqlBool, sql } from "kysely";

/** Metrics older than this do not describe the current state: three messages of an edge are missing. */
export const staleAfter = sql`interval '20 seconds'`;

/**
 * True while the last metrics of a link are current.
 * @param status alias of `link_status` in the statement; it may be the empty side of a left join.
 */
export const isFresh = (status: string): RawBuilder<SqlBool> =>
  sql<SqlBool>`coalesce(${sql.ref(`${status}.at`)} > now() - ${staleAfter}, false)`;

/** True while a link is known to be up; a link that is no longer measured is not. */
export const isUp = (status: string): RawBuilder<SqlBool> =>
  sql<SqlBool>`(coalesce(${sql.ref(`${status}.up`)}, false) and ${isFresh(status)})`;

/** True for a link that is up and whose loss, delay or jitter is poor. */
export function isPoor(status: string): RawBuilder<SqlBool> {
  const { loss, delay, jitter } = linkLimits.poor;
  const exceeds = (column: string, limit: number) =>
    sql`coalesce(${sql.ref(`${status}.${column}`)} > ${limit}::real, false)`;
  return sql<SqlBool>`(${isUp(status)} and (${exceeds("loss_percent", loss)}
    or ${exceeds("rtt_ms", delay)} or ${exceeds("jitter_ms", jitter)}))`;
}
