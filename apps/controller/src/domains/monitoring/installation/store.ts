import { processLostSeconds, queueLimits } from "@weft/contract/domains/monitoring/installation.ts";
import { sql } from "kysely";
import { type Pools, scopedRead } from "#db/pool.ts";
import type { Database } from "#db/schema.ts";
import type { Context } from "#kernel/api.ts";
import type { ProcessFacts } from "./facts.ts";

/** A process as it starts. */
export interface OwnProcess {
  /** UUID. */
  readonly id: string;
  readonly host: string;
  readonly port: number;
  readonly pid: number;
  readonly roles: readonly string[];
  readonly version: string;
  readonly nodeVersion: string;
  readonly startedAt: Date;
}

/** Writes that a process lives, and what it measured; forgets those that were killed a day ago. */
export async function recordProcess(
  pools: Pools<Database>,
  ownProcess: OwnProcess,
  facts: ProcessFacts,
): Promise<void> {
  const { id, host, port, pid, roles, version, nodeVersion, startedAt } = ownProcess;
  await sql`
    with old as (
      delete from process where seen_at < now() - interval '1 day' and (host, port) <> (${host}, ${port}))
    insert into process (id, host, port, pid, roles, version, node_version, started_at, facts)
    values (${id}, ${host}, ${port}, ${pid}, ${[...roles]}::text[], ${version}, ${nodeVersion}, ${startedAt},
      ${JSON.stringify(facts)}::jsonb)
    on conflict (host, port) do update set id = excluded.id, pid = excluded.pid, roles = excluded.roles,
      version = excluded.version, node_version = excluded.node_version,
      started_at = excluded.started_at, seen_at = now(), facts = excluded.facts`.execute(
    pools.apiAll.db,
  );
}

/** A process ends in order: it is not missed. */
export async function forgetProcess(pools: Pools<Database>, id: string): Promise<void> {
  await sql`delete from process where id = ${id}`.execute(pools.apiAll.db);
}

/** Roles that some process runs now. */
export async function livingRoles(pools: Pools<Database>): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ role: string }>`
    select distinct unnest(roles) as role from process
    where seen_at > now() - make_interval(secs => ${processLostSeconds})`.execute(pools.apiAll.db);
  return new Set(rows.map(({ role }) => role));
}

/** False while a change waits for longer than a worker needs. */
export async function isQueueMoving(pools: Pools<Database>): Promise<boolean> {
  const { rows } = await scopedRead(pools.apiAll, { kind: "all" }, (trx) =>
    sql<{ late: boolean }>`
      select coalesce(min(at) < now() - make_interval(secs => ${queueLimits.changes}), false) as late
      from change where not done`.execute(trx),
  );
  return rows[0]?.late !== true;
}

export interface ProcessRow extends OwnProcess {
  readonly seenAt: Date;
  /** Seconds since then, by the clock of the database. */
  readonly silentSeconds: number;
  readonly facts: unknown;
}

export async function listProcesses(ctx: Context): Promise<readonly ProcessRow[]> {
  const { rows } = await sql<ProcessRow>`
    select id, host, port, pid, roles, version, node_version as "nodeVersion", started_at as "startedAt",
      seen_at as "seenAt", extract(epoch from now() - seen_at)::float8 as "silentSeconds", facts
    from process order by host, port`.execute(ctx.db);
  return rows;
}

export interface PostgresFacts {
  readonly version: string;
  readonly bytes: number;
}

export async function describePostgres(ctx: Context): Promise<PostgresFacts | null> {
  const { rows } = await sql<PostgresFacts>`
    select current_setting('server_version') as version,
      pg_database_size(current_database())::float8 as bytes`.execute(ctx.db);
  return rows[0] ?? null;
}

export interface KeyFacts {
  /** When the present key of the controller was activated; null: it is the first one. */
  readonly activatedAt: Date | null;
  readonly madeAt: Date;
  readonly isPrepared: boolean;
  /** API keys that can still be used, and the end of the first that ends. */
  readonly apiKeys: number;
  readonly apiKeysEndingSoon: number;
  readonly apiKeyEndsAt: Date | null;
}

/** @param days before its end at which an API key counts as ending soon */
export async function readKeys(ctx: Context, days: number): Promise<KeyFacts | null> {
  const { rows } = await sql<KeyFacts>`
    select i.key_activated_at as "activatedAt", i.created_at as "madeAt",
      i.next_controller_key is not null as "isPrepared",
      k.live as "apiKeys", k.soon as "apiKeysEndingSoon", k.ends as "apiKeyEndsAt"
    from installation i, (
      select count(*)::int as live, min(expires_at) as ends,
        (count(*) filter (where expires_at < now() + make_interval(days => ${days})))::int as soon
      from api_key where expires_at > now()) k`.execute(ctx.db);
  return rows[0] ?? null;
}
