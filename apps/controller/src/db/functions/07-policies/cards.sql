-- The cards that every model has, by their names on the device.
create function weft.default_cards() returns setof text language sql immutable
  return unnest(array['wan1', 'wan2', 'wan3', 'wan4', 'lan1', 'lan2', 'lan3', 'lan4']);

-- Cards come with their holder.
create function weft.add_cards() returns trigger
language plpgsql security definer set search_path = weft, pg_temp as $$
begin
  if tg_table_name = 'node' then
    insert into router_interface (enterprise_id, node_id, name, netcard, created_by)
    select a.enterprise_id, a.id, c, c, a.created_by from added a, weft.default_cards() c;
  else
    insert into router_interface (enterprise_id, template_id, name, netcard, created_by)
    select a.enterprise_id, a.id, c, c, a.created_by from added a, weft.default_cards() c;
  end if;
  return null;
end $$;
create trigger add_cards after insert on weft.node
  referencing new table as added for each statement execute function weft.add_cards();
create trigger add_cards after insert on weft.router_template
  referencing new table as added for each statement execute function weft.add_cards();
