-- What was under way for a node ends when it moves to another enterprise: states and tasks that wait or were sent, which hold
-- the former enterprise's networks, commands that no device has answered, and what was found about it there.
create or replace function weft.leave_former_enterprise() returns trigger
language plpgsql security definer set search_path = weft, pg_temp as $$
declare
  sockets bigint;
begin
  delete from node_pin where node_id = new.id;
  update compile_mark set enterprise_id = new.enterprise_id where node_id = new.id;
  update node_advertisement set enterprise_id = new.enterprise_id where node_id = new.id;
  delete from node_status where node_id = new.id returning session_epoch into sockets;
  if found then
    insert into node_status (node_id, enterprise_id, session_epoch)
    values (new.id, new.enterprise_id, sockets);
  end if;
  -- In the order in which all writers lock states of a node, and before its tasks.
  perform from node_state where node_id = new.id and outcome in ('waiting', 'held', 'delivered', 'applied')
    order by epoch, serial for update;
  update node_state set outcome = 'superseded', ended_at = now()
  where node_id = new.id and outcome in ('waiting', 'held', 'delivered', 'applied');
  -- 3: cancelled (contract, delivery/enums.ts).
  update task set status = 3, updated_at = now() where node_id = new.id and status in (0, 4);
  -- Of what a command carried nothing is kept, as when it is answered.
  update node_command set status = 'expired', ended_at = now(), what = what - 'fields' - 'file',
    reason = 'the device moved to another enterprise'
  where node_id = new.id and status in ('waiting', 'sent');
  delete from node_finding where node_id = new.id;
  delete from policy_finding where node_id = new.id;
  delete from node_health where node_id = new.id;
  return null;
end $$;
