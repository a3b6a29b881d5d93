import type pg from "pg";
import { supersedeEverything } from "#domains/delivery/lifecycle/public.ts";

/**
 * What a restore has to undo, because the world went on after the backup (design section 3.3):
 * a new epoch, in which every device gets its state once more whatever it runs now; no one is logged
 * in, no one is online, and claims that may have been used since are over.
 *
 * The epoch is the time in seconds: it is also greater than the one of an earlier restore of the
 * same backup, which nothing in this database knows of.
 *
 * @returns the epoch
 */
export async function startEpoch(client: pg.Client, createdAt: string): Promise<number> {
  const { rows } = await client.query<{ epoch: string }>(`
    update weft.installation
    set epoch = greatest(epoch + 1, extract(epoch from now())::bigint)
    returning epoch::text`);
  const epoch = Number(rows[0]?.epoch);
  await client.query("delete from weft.session");
  await client.query("delete from weft.gateway_process");
  await client.query("delete from weft.process");
  // Messages of the backup were sent since, and codes have expired.
  await client.query("delete from weft.outbox where state = 'waiting'");
  await client.query("delete from weft.webhook_event");
  await client.query("delete from weft.one_time_code");
  await client.query("update weft.node_status set online = false, gateway = null");
  await client.query(
    "update weft.claim set revoked_at = now() where used_key is null and revoked_at is null",
  );
  // What devices hold of a next key may have been given up since: they report it when they connect.
  await client.query(
    "update weft.node_identity set pinned_key = null where pinned_key is not null",
  );
  await client.query(supersedeEverything);
  // A version may have been found to be bad since: it goes nowhere before an operator says so.
  await client.query(`
    with open as (select id, state from weft.template_rollout where state in ('running', 'waiting')),
    halted as (
      update weft.template_rollout r set state = 'halted', reason = 'restore', since = now()
      from open where r.id = open.id
      returning r.enterprise_id, r.template_id, r.version, open.state)
    insert into weft.audit (enterprise_id, user_id, login_name, action, resource, row_id, old_value,
      new_value, address, request_id)
    select enterprise_id, 0, 'controller', 'routerTemplateRollout.halt', 'routerTemplate', template_id,
      jsonb_build_object('version', version, 'state', state),
      jsonb_build_object('version', version, 'state', 'halted'), '', ''
    from halted order by template_id`);
  await client.query(`
    insert into weft.compile_mark as m (node_id, enterprise_id, cause, created_by)
    select id, enterprise_id, 'restore', 0 from weft.node n
    where exists (select from weft.node_state s where s.node_id = n.id)
    on conflict (node_id) do update set generation = m.generation + 1, networks_only = false`);
  await client.query(
    `insert into weft.audit (enterprise_id, user_id, login_name, action, resource, new_value,
       address, request_id)
     select id, 0, 'controller', 'installation.restore', 'installation',
       jsonb_build_object('epoch', $1::bigint, 'backupOf', $2::text), '', ''
     from weft.enterprise where parent_id is null order by id limit 1`,
    [epoch, createdAt],
  );
  return epoch;
}
