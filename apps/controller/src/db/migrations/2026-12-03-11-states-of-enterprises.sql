-- A node that moves to another enterprise leaves its states to the one that it comes from: they hold that one's networks
-- and neighbours. Contents of sections belong to the enterprise whose states name them: where states of both enterprises
-- name one content, each enterprise has a row of its own, so that neither reads what only the other's states name.
alter table weft.state_section drop constraint state_section_pkey,
  add primary key (node_id, hash, enterprise_id);

-- Nodes that were moved before: states since then name contents that were written for the former enterprise.
insert into weft.state_section (node_id, hash, enterprise_id, content)
select distinct on (n.node_id, s.hash, n.enterprise_id) n.node_id, s.hash, n.enterprise_id, s.content
from weft.node_state n
  cross join jsonb_each_text(n.sections) named
  join weft.state_section s on s.node_id = n.node_id and s.hash = named.value
on conflict do nothing;

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
  return null;
end $$;
revoke execute on function weft.leave_former_enterprise() from public;
create trigger leave_former_enterprise after update of enterprise_id on weft.node for each row
  when (old.enterprise_id <> new.enterprise_id) execute function weft.leave_former_enterprise();

-- As the trigger leaves them.
delete from weft.node_pin p using weft.node n where n.id = p.node_id and n.enterprise_id <> p.enterprise_id;
update weft.compile_mark m set enterprise_id = n.enterprise_id from weft.node n
  where n.id = m.node_id and n.enterprise_id <> m.enterprise_id;
update weft.node_advertisement a set enterprise_id = n.enterprise_id from weft.node n
  where n.id = a.node_id and n.enterprise_id <> a.enterprise_id;
update weft.node_status s set enterprise_id = n.enterprise_id from weft.node n
  where n.id = s.node_id and n.enterprise_id <> s.enterprise_id;
