/** What statements and functions took of PostgreSQL, by `pg_stat_statements` and `pg_stat_user_functions`. */
import type { Installation } from "./installation.ts";

/** Has the installation's PostgreSQL count; it is started once more for that. */
export async function countStatements(installation: Installation): Promise<void> {
  const { sql } = installation;
  await sql.query("alter system set shared_preload_libraries = 'pg_stat_statements'");
  await sql.query("alter system set pg_stat_statements.track_planning = on");
  await sql.query("alter system set track_functions = 'all'");
  await installation.stopController("SIGTERM");
  await installation.startController();
  await sql.query("create extension pg_stat_statements");
}

/** Begins to count anew. */
export async function forgetStatements({ sql }: Installation): Promise<void> {
  await sql.query("select pg_stat_statements_reset(), pg_stat_reset()");
}

/** Prints what took most since then, for each of so many units of work. */
export async function printStatements({ sql }: Installation, units: number): Promise<void> {
  const { rows } = await sql.query<{ role: string; calls: string; ms: string; query: string }>(
    `select pg_get_userbyid(userid) as role, calls, total_exec_time + total_plan_time as ms, query
     from pg_stat_statements where toplevel order by 3 desc limit 40`,
  );
  for (const { role, calls, ms, query } of rows) {
    const text = query.replace(/\s+/g, " ").slice(0, 130);
    const each = `${(Number(ms) / units).toFixed(3)} ms ${(Number(calls) / units).toFixed(2)}`;
    console.log(`  ${each} ${role.slice(-12)} ${text}`);
  }
  const { rows: functions } = await sql.query<{ name: string; calls: string; ms: string }>(
    `select funcname as name, calls, self_time as ms from pg_stat_user_functions
     order by self_time desc limit 20`,
  );
  for (const { name, calls, ms } of functions) {
    const each = `${(Number(ms) / units).toFixed(3)} ms ${(Number(calls) / units).toFixed(2)}`;
    console.log(`  ${each} function ${name}`);
  }
}
