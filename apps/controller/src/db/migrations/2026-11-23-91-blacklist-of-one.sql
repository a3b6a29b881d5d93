-- A blacklist entry without CPEs is about all of its enterprise. One that named a single CPE must not
-- become that when the CPE is removed: it goes with the last of its CPEs. Taking all CPEs out of an
-- entry by hand stays what it is, a choice: they are still there.
create function weft.remove_blacklist_of_removed() returns trigger
language plpgsql security definer set search_path = weft, pg_temp as $$
begin
  delete from blacklist b using removed r
  where b.id = r.owner_id
    and not exists (select from node n where n.id = r.node_id)
    and not exists (select from blacklist_node x where x.owner_id = b.id);
  return null;
end $$;
revoke execute on function weft.remove_blacklist_of_removed() from public;
create trigger remove_blacklist_of_removed after delete on weft.blacklist_node
  referencing old table as removed
  for each statement execute function weft.remove_blacklist_of_removed();
