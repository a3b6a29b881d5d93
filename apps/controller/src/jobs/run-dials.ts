/** Scheduled tests (dial tasks): due ones become commands to their devices. */
import { sql } from "kysely";
import type { Pools } from "#db/pool.ts";
import type { Database } from "#db/schema.ts";

/** Ms that a device has for one test, and in which a gateway must have taken it. */
const timeoutMs = 30_000;
const expires = sql`interval '40 seconds'`;

/**
 * Leaves a command for every CPE of every due task whose device is in contact, knows the test and is
 * managed from here. One process does it for a task at a time; a run that was missed is not made up for.
 * @returns how many commands there are
 */
export async function runDials(pools: Pools<Database>): Promise<number> {
  const { numAffectedRows } = await sql`
    with due as (
      update dial_task set last_run = now()
      where id in (
        select id from dial_task
        where enabled and (last_run is null or last_run + interval_s * interval '1 s' <= now())
        order by last_run nulls first limit 200 for update skip locked)
      returning id, type, target, created_by, last_run
    )
    insert into node_command
      (enterprise_id, node_id, dial_task_id, what, timeout_ms, created_by, created_at, expires_at)
    select m.node_enterprise_id, m.node_id, d.id,
      case d.type
        when 'ping' then jsonb_build_object('kind', 'ping', 'host', d.target, 'count', 4)
        when 'http' then jsonb_build_object('kind', 'http', 'url', d.target)
        when 'dns' then jsonb_build_object('kind', 'dns', 'name', d.target)
        else jsonb_build_object('kind', 'trace', 'host', d.target) end,
      ${timeoutMs}, coalesce(d.created_by, 0), d.last_run, d.last_run + ${expires}
    from due d
    join dial_task_node m on m.owner_id = d.id
    join node_status s on s.node_id = m.node_id and s.online
      and s.capabilities @> jsonb_build_array(
        jsonb_build_object('name', 'command.' || d.type, 'can', true))
    left join node_config c on c.node_id = m.node_id
    where coalesce(c.items ->> 'isCloudManage', '1') = '1'`.execute(pools.worker.db);
  return Number(numAffectedRows ?? 0);
}

/** Ends unanswered commands; removes old ones and the old log of contact. */
export async function sweepCommands(pools: Pools<Database>): Promise<void> {
  const { db } = pools.worker;
  await sql`update node_command set status = 'expired', ended_at = now(),
      what = what - 'fields' - 'file'
    where status in ('waiting', 'sent') and expires_at < now() - interval '1 minute'`.execute(db);
  await sql`delete from node_command where created_at < now() - interval '30 days'`.execute(db);
  await sql`delete from cpe_link_log where at < now() - interval '400 days'`.execute(db);
}
