-- Which enterprises a node was of before, and when it left them last. Metrics are stored by node, without an enterprise: what
-- was measured before is read by those only who see the enterprise that the node was of. No reference to the enterprise: what was
-- measured while the node was of it stays its own when it is removed.
create table weft.node_move (
  node_id bigint not null references weft.node (id) on delete cascade,
  -- The one that the node left.
  enterprise_id bigint not null,
  at timestamptz not null,
  primary key (node_id, enterprise_id)
);
call weft.tenant_table('node_move');
-- The worker asks across tenants.
call weft.loop_table('node_move');
revoke insert, update, delete on weft.node_move from weft_api, weft_api_all, weft_worker;

-- Nodes that were moved before: since the first state for the present enterprise that follows those of the former one.
insert into weft.node_move (node_id, enterprise_id, at)
select s.node_id, s.enterprise_id, coalesce((
    select min(o.created_at) from weft.node_state o
    where o.node_id = s.node_id and o.enterprise_id <> s.enterprise_id and o.created_at > max(s.created_at)), now())
from weft.node_state s join weft.node n on n.id = s.node_id and n.enterprise_id <> s.enterprise_id
group by s.node_id, s.enterprise_id;

create function weft.record_move() returns trigger
language plpgsql security definer set search_path = weft, pg_temp as $$
begin
  -- Not now(), when the call began: what was measured since is the former enterprise's as well.
  insert into node_move (node_id, enterprise_id, at) values (new.id, old.enterprise_id, clock_timestamp())
  on conflict (node_id, enterprise_id) do update set at = excluded.at;
  return null;
end $$;
revoke execute on function weft.record_move() from public;
create trigger record_move after update of enterprise_id on weft.node for each row
  when (old.enterprise_id <> new.enterprise_id) execute function weft.record_move();

-- Since when metrics of these nodes are the caller's to read: since they left the last enterprise that the caller does not see. Nodes
-- that are not in it were of the caller's enterprises at all times. The caller sees the nodes.
create function weft.readable_since(nodes bigint[]) returns table (node_id bigint, since timestamptz)
  language sql stable security definer set search_path = weft, pg_temp
  begin atomic
    select m.node_id, max(m.at) from weft.node_move m
    where m.node_id = any (nodes) and m.enterprise_id <> all (weft.scope_enterprises())
    group by m.node_id;
  end;
revoke execute on function weft.readable_since(bigint[]) from public;
grant execute on function weft.readable_since(bigint[]) to weft_api, weft_api_all;

-- Alarm rules ask which nodes moved within the last minute.
create index node_move_at on weft.node_move (at);
