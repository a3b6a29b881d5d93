-- True when a state of this number is of an enterprise that the node was of before: such a state is refused with this
-- reason, and not as one that never was. The caller has checked that the node is the reader's.
create function weft.is_state_before_move(node bigint, number bigint) returns boolean
  language sql stable security definer set search_path = weft, pg_temp
  begin atomic
    select exists (
      select from weft.node_state s join weft.node n on n.id = s.node_id
      where s.node_id = node and s.serial = number and s.enterprise_id <> n.enterprise_id)
      and not exists (
      select from weft.node_state s join weft.node n on n.id = s.node_id
      where s.node_id = node and s.serial = number and s.enterprise_id = n.enterprise_id);
  end;
revoke execute on function weft.is_state_before_move(bigint, bigint) from public;
grant execute on function weft.is_state_before_move(bigint, bigint) to weft_api, weft_api_all;

-- One row for each node, which is of its present enterprise: it moves with the node. The past state that it is held at is
-- the former enterprise's, and so is what the former device reported; sockets stay counted.
-- What was under way for the node ends: states and tasks that wait or were sent, which hold the former enterprise's
-- networks, commands that no device has answered, and what was found about it there.
create function weft.leave_former_enterprise() returns trigger
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
  update node_revision set outcome = 'superseded', ended_at = now()
  where node_id = new.id and outcome = 'delivered';
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
revoke execute on function weft.leave_former_enterprise() from public;
create trigger leave_former_enterprise after update of enterprise_id on weft.node for each row
  when (old.enterprise_id <> new.enterprise_id) execute function weft.leave_former_enterprise();
