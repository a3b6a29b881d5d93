/** Whether anything was written: one value over all rows of all tables but those of logs. */
import type pg from "pg";

/**
 * Refused calls do leave lines here: who tried to log in, and when a session was last used. Calls
 * that read leave tickets, which the next refused call would be blamed for.
 */
const logs = ["login_record", "session", "one_time_code", "ticket"];

/** Gives a text that differs when any row differs from what it was. */
export type Fingerprint = () => Promise<string>;

/**
 * Watches all tables. Reading every row after every call would take most of a run: the rows are read
 * again only after a statement that may have changed some, which triggers note.
 * @param admin a connection that row-level security does not bind.
 * @param except further tables that a refused call may write to.
 */
export async function watchRows(
  admin: pg.Client,
  except: readonly string[] = [],
): Promise<Fingerprint> {
  const { rows } = await admin.query<{ name: string }>(
    `select relname as name from pg_class where relnamespace = 'weft'::regnamespace
     and relkind = 'r' and not relname = any($1) order by 1`,
    [[...logs, ...except]],
  );
  const names = rows.map(({ name }) => name);
  await noteStatements(admin, names);
  let seen = "";
  let known = "";
  return async () => {
    // Only what was committed counts here, as in the tables themselves.
    const noted = await admin.query<{ statements: string }>(
      "select count(*) as statements from hostile.statement",
    );
    const now = noted.rows[0]?.statements ?? "";
    if (known === "" || now !== seen) known = await contents(admin, names);
    seen = now;
    return known;
  };
}

/** Leaves a row in `hostile.statement` for each statement that may have changed rows of these tables. */
async function noteStatements(admin: pg.Client, names: readonly string[]): Promise<void> {
  // No one but its owner may write there: the function runs as the superuser that makes it.
  await admin.query(`
    create schema if not exists hostile;
    create table if not exists hostile.statement (on_table text not null);
    create or replace function hostile.note() returns trigger language plpgsql security definer
      as $$ begin insert into hostile.statement values (tg_table_name); return null; end $$;`);
  const triggers = names.map(
    (name) =>
      `create or replace trigger zz_hostile after insert or update or delete or truncate
       on weft."${name}" for each statement execute function hostile.note();`,
  );
  await admin.query(triggers.join("\n"));
}

async function contents(admin: pg.Client, names: readonly string[]): Promise<string> {
  const parts = names.map(
    (name) =>
      `select '${name}' as name, count(*) as rows,
       coalesce(sum(hashtextextended(t::text, 0)), 0) as hash from weft."${name}" t`,
  );
  // The tables are small: processes that share such a query take longer to start than it does.
  await admin.query("set max_parallel_workers_per_gather = 0");
  const found = await admin.query<{ name: string; rows: number; hash: string }>(
    parts.join(" union all "),
  );
  return found.rows.map((row) => `${row.name} ${row.rows} ${row.hash}`).join("\n");
}

/** Names of the tables whose lines differ. */
export const changedTables = (before: string, after: string): string[] => {
  const old = new Set(before.split("\n"));
  return after
    .split("\n")
    .filter((line) => !old.has(line))
    .map((line) => line.split(" ")[0] ?? "");
};
