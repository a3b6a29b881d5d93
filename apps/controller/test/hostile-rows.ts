/** Whether anything was written: one value over all rows of all tables but those of logs. */
import type pg from "pg";

/**
 * Refused calls do leave lines here: who tried to log in, and when a session was last used. Calls
 * that read leave tickets, which the next refused call would be blamed for.
 */
const logs = ["login_record", "session", "one_time_code", "ticket"];

/**
 * A text that differs when any row differs.
 * @param admin a connection that row-level security does not bind.
 * @param except further tables that a refused call may write to.
 */
export async function fingerprint(
  admin: pg.Client,
  except: readonly string[] = [],
): Promise<string> {
  const { rows } = await admin.query<{ name: string }>(
    `select relname as name from pg_class where relnamespace = 'weft'::regnamespace
     and relkind = 'r' and not relname = any($1) order by 1`,
    [[...logs, ...except]],
  );
  const parts = rows.map(
    ({ name }) =>
      `select '${name}' as name, count(*) as rows,
       coalesce(sum(hashtextextended(t::text, 0)), 0) as hash from weft."${name}" t`,
  );
  const found = await admin.query<{ name: string; rows: number; hash: string }>(
    parts.join(" union all "),
  );
  // A parallel plan gives the parts in any order.
  return found.rows
    .map((row) => `${row.name} ${row.rows} ${row.hash}`)
    .sort()
    .join("\n");
}

/** Names of the tables whose lines differ. */
export const changedTables = (before: string, after: string): string[] => {
  const old = new Set(before.split("\n"));
  return after
    .split("\n")
    .filter((line) => !old.has(line))
    .map((line) => line.split(" ")[0] ?? "");
};
