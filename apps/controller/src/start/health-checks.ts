import { readdir } from "node:fs/promises";
import { sql } from "kysely";
import { createLoginCheck } from "#db/fresh-logins.ts";
import { migrationsFolder } from "#db/migrate.ts";
import type { Pools } from "#db/pool.ts";
import type { Database } from "#db/schema.ts";
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
      migrations: () => isMigrated(pools),
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

/** False once a newer controller has migrated the database under this one. */
async function isMigrated(pools: Pools<Database>): Promise<boolean> {
  const [files, { rows }] = await Promise.all([
    readdir(migrationsFolder),
    sql<{ n: number }>`select count(*) as n from weft_meta.migration`.execute(pools.owner.db),
  ]);
  return rows[0]?.n === files.length;
}
