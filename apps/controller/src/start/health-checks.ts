import { sql } from "kysely";
import { createLoginCheck } from "#db/fresh-logins.ts";
import { readFunctions } from "#db/functions.ts";
import { migrationsFolder, readMigrations } from "#db/migrate.ts";
import type { Pools } from "#db/pool.ts";
import type { Database } from "#db/schema.ts";
import type { AppliedFile, SqlFile } from "#db/sql-file.ts";
import { isQueueMoving, livingRoles } from "#domains/monitoring/installation/public.ts";
import type { Measures } from "#metrics-store/open.ts";
import { type Health, type HealthCheck, watchHealth } from "#plugins/health.ts";
import type { RunningRole } from "./roles.ts";
import { roles as allRoles, type Role } from "./settings.ts";

interface Given {
  readonly pools: Pools<Database>;
  readonly measures: Pick<Measures, "answers">;
  readonly roles: ReadonlySet<Role>;
  readonly running: readonly RunningRole[];
}

/**
 * What this process needs to serve, and, beside it, what it does without but the installation does not: the metrics
 * store, the queue of changes, and the roles that other processes run.
 */
export function healthChecks({ pools, measures, roles, running }: Given): Health {
  const elsewhere = allRoles.filter((role) => role !== "api" && !roles.has(role));
  return watchHealth(
    {
      database: async () => {
        await sql`select 1`.execute(pools.api.db);
        return true;
      },
      logins: createLoginCheck(pools),
      migrations: createSchemaCheck(pools),
      ...Object.fromEntries(running.map((role) => [role.name, () => role.ready?.() ?? true])),
    },
    {
      measures: () => measures.answers(),
      queue: () => isQueueMoving(pools),
      ...Object.fromEntries(
        elsewhere.map((role): [string, HealthCheck] => [
          role,
          async () => (await livingRoles(pools)).has(role),
        ]),
      ),
    },
  );
}

/** A check that is false once another version of the controller has changed the schema or the functions under this one. */
function createSchemaCheck(pools: Pools<Database>): () => Promise<boolean> {
  let expected: Promise<readonly SqlFile[]> | undefined;
  const readOwn = async (): Promise<readonly SqlFile[]> => [
    ...(await readMigrations(migrationsFolder)),
    ...(await readFunctions()),
  ];
  return async () => {
    expected ??= readOwn();
    const files = await expected;
    const { rows } = await sql<AppliedFile>`
      select name, checksum from weft_meta.migration
      union all select name, checksum from weft_meta.function_file`.execute(pools.owner.db);
    const applied = new Map(rows.map(({ name, checksum }) => [name, checksum]));
    return (
      applied.size === files.length &&
      files.every(({ name, checksum }) => applied.get(name) === checksum)
    );
  };
}
