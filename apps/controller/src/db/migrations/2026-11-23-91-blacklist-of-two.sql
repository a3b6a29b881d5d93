-- Of two CPEs that an entry names, removed at the same moment, neither removal saw the other: the entry
-- stayed without any, and blocked the address for all of the enterprise. One waits for the other now.
create or replace function weft.remove_blacklist_of_removed() returns trigger
language plpgsql security definer set search_path = weft, pg_temp as $$
declare
  owners constant bigint[] := array(
    select r.owner_id from removed r where not exists (select from node n where n.id = r.node_id));
begin
  perform from blacklist where id = any (owners) order by id for no key update;
  -- A statement of its own: it sees what the one that was waited for has committed.
  delete from blacklist b where b.id = any (owners)
    and not exists (select from blacklist_node x where x.owner_id = b.id);
  return null;
end $$;
