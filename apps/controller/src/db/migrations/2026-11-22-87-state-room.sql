-- A desired state has room for so many objects of each kind (contract device/v1/limits.ts). A row too many
-- would end every compile of the device, and on a shared POP that of every tenant: it is refused where it is
-- written, whoever writes it. The error carries the limit, the object and the maximum as JSON.

-- A writer of a node waits for the one before, and counts what that one wrote. Writers of a space do not:
-- its limit leaves room for as many as write at one moment.
create function weft.require_state_room(nodes bigint[]) returns void
language plpgsql security definer set search_path = weft, pg_temp as $$
declare
  spaces bigint[];
  full_one jsonb;
begin
  perform from node where id = any (nodes) order by id for no key update;
  select array_agg(distinct m.space_id) into spaces
    from space_member m where m.node_id = any (nodes) and m.kind = 'cpe';
  with place (space_id, node_id) as (
    select null::bigint, unnest(nodes)
    union all
    select m.space_id, m.node_id from space_member m where m.space_id = any (spaces) and m.kind = 'cpe'
  ), announced (space_id, node_id) as (
    select p.space_id, p.node_id from place p join lan_section s using (node_id)
      cross join lateral unnest(array[s.network, s.network6]) as one(network)
      where s.enable_forward and one.network is not null
    union all
    select p.space_id, p.node_id from place p join static_route r using (node_id)
      where r.enabled and r.announce
    union all
    select p.space_id, p.node_id from place p join route_notice r using (node_id) where r.enabled
  ), room (what, name, n, max) as (
    select 'staticRoutes', n.name, count(*), 4096
      from static_route r join node n on n.id = r.node_id
      where n.id = any (nodes) and r.enabled group by n.id
    union all
    select 'lanSegments', n.name, count(*), 256
      from lan_section s join node n on n.id = s.node_id where n.id = any (nodes) group by n.id
    union all
    select 'lanInterfaces', n.name, count(distinct (s.interface_name, coalesce(s.vlan, 0))), 64
      from lan_section s join node n on n.id = s.node_id where n.id = any (nodes) group by n.id
    union all
    select 'lanAddresses', n.name || ' ' || s.interface_name, count(*) + count(s.network6), 16
      from lan_section s join node n on n.id = s.node_id
      where n.id = any (nodes) group by n.id, s.interface_name, coalesce(s.vlan, 0)
    union all
    select 'announced', n.name, count(*), 4096
      from announced a join node n on n.id = a.node_id where a.space_id is null group by n.id
    union all
    select 'spaceNetworks', s.name, count(*), 30000
      from announced a join net_space s on s.id = a.space_id group by s.id
  )
  select jsonb_build_object('limit', what, 'name', name, 'max', max) into full_one
    from room where n > max limit 1;
  if found then
    raise exception 'no room: %', full_one
      using errcode = 'check_violation', constraint = 'room', detail = full_one::text;
  end if;
end $$;
revoke execute on function weft.require_state_room(bigint[]) from public;

create function weft.guard_state_room() returns trigger
language plpgsql security definer set search_path = weft, pg_temp as $$
begin
  perform require_state_room(array(select distinct node_id from written));
  return null;
end $$;
revoke execute on function weft.guard_state_room() from public;

create trigger state_room_insert after insert on weft.lan_section
  referencing new table as written for each statement execute function weft.guard_state_room();
create trigger state_room_update after update on weft.lan_section
  referencing new table as written for each statement execute function weft.guard_state_room();
create trigger state_room_insert after insert on weft.static_route
  referencing new table as written for each statement execute function weft.guard_state_room();
create trigger state_room_update after update on weft.static_route
  referencing new table as written for each statement execute function weft.guard_state_room();
create trigger state_room_insert after insert on weft.route_notice
  referencing new table as written for each statement execute function weft.guard_state_room();
create trigger state_room_update after update on weft.route_notice
  referencing new table as written for each statement execute function weft.guard_state_room();
create trigger state_room_insert after insert on weft.space_member
  referencing new table as written for each statement execute function weft.guard_state_room();
