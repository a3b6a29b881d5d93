import { defaultParams } from "@weft/contract/domains/enterprises/param-config.ts";
import { type Kysely, sql, type Transaction } from "kysely";
import { nodeLock, tryLock } from "#db/locks.ts";
import type { Pools } from "#db/pool.ts";
import type { Database } from "#db/schema.ts";
import { removeOldRevisions } from "#domains/delivery/deliver/public.ts";
import { removeOldStates } from "#domains/delivery/lifecycle/public.ts";
import { sweepAlarms } from "#domains/notifications/alarm/public.ts";
import { isAway } from "#kernel/database-errors.ts";
import type { FlowStore } from "#metrics-store/flow-store.ts";
import { sweepBatches } from "./run-batches.ts";
import { sweepCommands } from "./run-dials.ts";
import { sweepMessages } from "./send-outbox.ts";

/** Confirmed states are kept for two years, others for 90 days (design section 3.3). */
const keep = { confirmed: "2 years", others: "90 days" } as const;
/** Revisions of states that devices run: one that came back from before that is sent the newest as well. */
const keepRevisions = "7 days";

interface SweepSettings {
  /** Days that records of logins are kept. */
  readonly loginLogDays: number;
  readonly flows: Pick<FlowStore, "keepDays"> | undefined;
}

/** Removes all that is older than it is kept, and notes what nothing else notices. */
export async function sweepAll(
  pools: Pools<Database>,
  { loginLogDays, flows }: SweepSettings,
): Promise<undefined> {
  await doAll([
    () => sweepLogIns(pools, loginLogDays),
    () => sweepLogs(pools, flows),
    () => sweepStates(pools),
    () => sweepMessages(pools),
    () => sweepCommands(pools),
    () => sweepAlarms(pools),
    () => sweepBatches(pools),
    () => noteLeftBehind(pools),
  ]);
}

/**
 * Does each of these, whichever fails: what cannot be removed, such as records in a store that is away, keeps nothing else.
 * @throws the error; AggregateError of several
 */
async function doAll(works: Iterable<() => Promise<unknown>>): Promise<void> {
  const errors: unknown[] = [];
  for (const work of works) {
    await work().catch((error: unknown) => {
      if (isAway(error)) throw error;
      errors.push(error);
    });
  }
  if (errors.length === 1) throw errors[0];
  if (errors.length > 1) {
    throw new AggregateError(errors, `${errors.length} failed: ${String(errors[0])}`);
  }
}

/** Notes what enterprises that moved to another agent and those that they left still have of each other, on each node. */
export async function noteLeftBehind(pools: Pools<Database>): Promise<void> {
  await sql`select weft.note_left_behind()`.execute(pools.worker.db);
}

/**
 * Writes a change for CPEs that have expired: no other write does.
 * @returns how many there were.
 */
export async function expireNodes(pools: Pools<Database>): Promise<number> {
  const { numAffectedRows } = await sql`
    insert into change (enterprise_id, node_ids, cause, created_by)
    select enterprise_id, array[node_id], 'system: expired', 0 from weft.expired_nodes() e
    where not exists (select from change c where not c.done and e.node_id = any (c.node_ids))`.execute(
    pools.worker.db,
  );
  return Number(numAffectedRows ?? 0);
}

/**
 * Writes a change for POPs where the time of a mobile account is over. The POP lets it in no more
 * since that moment; this brings its state, and what people read of it, to the same.
 * @returns how many changes there were.
 */
export async function endAccounts(pools: Pools<Database>): Promise<number> {
  const { rows } = await sql<{ reported: number }>`select weft.end_accounts() as reported`.execute(
    pools.worker.db,
  );
  return rows[0]?.reported ?? 0;
}

/** Removes old states and their tasks, and sections that no head of their node and enterprise names any more. */
export async function sweepStates(pools: Pools<Database>): Promise<void> {
  const { db } = pools.worker;
  await sql`delete from change where done and at < now() - ${keep.others}::interval`.execute(db);
  const { rows } = await sql<{ id: number }>`
    select distinct node_id as id from state_section order by 1`.execute(db);
  const nodes = rows.map(
    ({ id }) =>
      () =>
        db.transaction().execute((trx) => sweepNode(trx, id)),
  );
  await doAll([...nodes, () => removeOldRevisions(db, keepRevisions), () => sweepSpaces(db)]);
}

/**
 * Removes contents of spaces that no head names, nor an index that a head names. What was written a moment ago may
 * be of a head that is not there yet.
 */
async function sweepSpaces(db: Kysely<Database>): Promise<void> {
  // What `weft.device_lists` asks for stays: the newest one of a space, the last one that does not follow from the one before,
  // and what the newest states name, or devices that were away would not get those after it.
  await sql`
    with newest as (
      select distinct on (node_id, held) sections from node_state order by node_id, held, epoch desc, serial desc),
    named as materialized (
      select distinct substr(one.key, 7)::bigint as space_id, one.value as hash
      from newest n, jsonb_each_text(n.sections) one where starts_with(one.key, 'space.'))
    delete from space_revision r where created_at < now() - ${keep.others}::interval
        and exists (select from space_revision n where n.space_id = r.space_id and n.revision > r.revision)
        and not exists (select from named where (named.space_id, named.hash) = (r.space_id, r.hash))
        and (r.follows or exists (
          select from space_revision b where b.space_id = r.space_id and not b.follows and b.revision > r.revision))
      or not weft.is_space(r.space_id)`.execute(db);
  await sql`
    with named as materialized (
      select distinct substr(one.key, 7)::bigint as space_id, one.value as hash
      from node_state n, jsonb_each_text(n.sections) one where starts_with(one.key, 'space.')
      union select space_id, hash from space_revision
      union select substr(one.key, 7)::bigint, one.value
        from node_revision v, jsonb_each_text(v.lists) one),
    kept as materialized (
      select space_id, hash from named
      union select i.space_id, part.hash from space_section i join named using (space_id, hash)
        cross join json_array_elements_text(i.content -> 'parts') part (hash))
    delete from space_section s where used_at < now() - interval '1 day' and not exists (
      select from kept where kept.space_id = s.space_id and kept.hash = s.hash)`.execute(db);
}

/**
 * Removes logs of devices that are older than the days that their enterprise set: from PostgreSQL what
 * came up and went down, from the metrics store records of flows (which never stay longer than its own
 * limit, as they name people's addresses).
 */
export async function sweepLogs(
  pools: Pools<Database>,
  flows?: Pick<FlowStore, "keepDays">,
): Promise<void> {
  const { db } = pools.worker;
  const days = defaultParams.logDays;
  const { rows } = await sql<{ enterprise: number; days: number }>`
    select enterprise_id as enterprise, log_days as days from enterprise_param`.execute(db);
  const own = new Map(rows.map(({ enterprise, days }) => [enterprise, days]));
  for (const [enterprise, days] of own) {
    await sql`
      delete from transition where enterprise_id = ${enterprise}
        and at < now() - make_interval(days => ${days}::int)`.execute(db);
  }
  await sql`
    delete from transition where at < now() - make_interval(days => ${days}::int)
      and not enterprise_id = any(${[...own.keys()]}::bigint[])`.execute(db);
  await doAll(
    [...own].map(
      ([enterprise, days]) =>
        async () =>
          flows?.keepDays(enterprise, days),
    ),
  );
}

/**
 * Removes records of logins that are older than so many days; the last success of every account
 * stays, for the list of users. (The operation log is kept for ever.)
 */
export async function sweepLogIns(pools: Pools<Database>, days: number): Promise<void> {
  await sql`
    delete from login_record l where at < now() - make_interval(days => ${days}::int)
      and not (success and user_id is not null and not exists (
        select from login_record n where n.user_id = l.user_id and n.success and n.at > l.at))`.execute(
    pools.worker.db,
  );
}

async function sweepNode(trx: Transaction<Database>, node: number): Promise<void> {
  // A compile that runs now may be about to name a section again.
  if (!(await tryLock(trx, nodeLock(node)))) return;
  await removeOldStates(trx, node, keep);
  await sql`
    delete from state_section s where node_id = ${node} and not exists (
      select from node_state n, jsonb_each_text(n.sections) named
      where n.node_id = s.node_id and n.enterprise_id = s.enterprise_id and named.value = s.hash)`.execute(
    trx,
  );
}
