-- An edit of a row that leaves its networks as they are, of a route's metric or a remark, passes no check of the
-- node and its space: these checks read all networks of both, and took 2.5 ms of every save. One trigger of a
-- table makes all of them, where it was up to four, each with its copy of the written rows.
create or replace function weft.guard_networks() returns trigger
language plpgsql security definer set search_path = weft, pg_temp as $$
declare
  -- Nodes of rows that are new or bring other networks than before.
  touched bigint[] := '{}';
  touched_spaces bigint[] := '{}';
  nodes bigint[];
  spaces bigint[];
  networks inet[];
begin
  if tg_op = 'INSERT' then
    if tg_table_name = 'client_service' then
      touched_spaces := array(select space_id from written where pool is not null);
    else
      touched := array(select distinct node_id from written);
    end if;
  else
    -- Rows of both sides that are alike cancel out one by one.
    case tg_table_name
      when 'lan_section' then
        touched := array(select distinct node_id from (
          select node_id, network, network6, enable_forward, interface_name, vlan from written
          except all
          select node_id, network, network6, enable_forward, interface_name, vlan from replaced) changed);
      when 'static_route' then
        touched := array(select distinct node_id from (
          select node_id, destination, enabled, announce from written
          except all
          select node_id, destination, enabled, announce from replaced) changed);
      when 'route_notice' then
        touched := array(select distinct node_id from (
          select node_id, network, enabled from written
          except all
          select node_id, network, enabled from replaced) changed);
      when 'node_pin' then
        touched := array(select distinct node_id from (
          select node_id, announced, lans from written
          except all
          select node_id, announced, lans from replaced) changed);
      when 'space_member' then
        touched := array(select distinct node_id from (
          select space_id, node_id, kind from written
          except all
          select space_id, node_id, kind from replaced) changed);
      when 'client_service' then
        touched_spaces := array(select space_id from (
          select space_id, pool, enabled from written
          except all
          select space_id, pool, enabled from replaced) changed where pool is not null);
    end case;
  end if;
  if touched = '{}' and touched_spaces = '{}' then
    return null;
  end if;

  -- Sections of one node, and of the sites of a space.
  if tg_table_name = 'lan_section' then
    perform require_networks_apart(touched, '{}');
  elsif tg_table_name = 'client_service' then
    perform require_networks_apart('{}', touched_spaces);
  elsif tg_table_name = 'space_member' and tg_op = 'INSERT' then
    perform require_networks_apart(array(select node_id from written where kind = 'cpe'), '{}');
  end if;

  -- Networks of different sites of a space.
  if tg_table_name = 'space_member' then
    if tg_op = 'INSERT' then
      nodes := array(select node_id from written where kind = 'cpe');
    else
      nodes := array(select node_id from (
        select space_id, node_id from written where kind = 'cpe'
        except select space_id, node_id from replaced) joined);
    end if;
    networks := array(select network(s.network::inet)::inet from site_networks(nodes) s);
  elsif tg_op = 'INSERT' then
    select array_agg(n.node_id) filter (where n.node_id is not null),
        array_agg(n.space_id) filter (where n.space_id is not null), array_agg(n.network)
      into nodes, spaces, networks
      from written w cross join lateral networks_in(tg_table_name::text, to_jsonb(w)) n;
  else
    select array_agg(n.node_id) filter (where n.node_id is not null),
        array_agg(n.space_id) filter (where n.space_id is not null), array_agg(n.network)
      into nodes, spaces, networks
      from (
        select n.* from written w cross join lateral networks_in(tg_table_name::text, to_jsonb(w)) n
        except
        select n.* from replaced r cross join lateral networks_in(tg_table_name::text, to_jsonb(r)) n
      ) n;
  end if;
  if cardinality(networks) > 0 then
    perform require_no_collision(coalesce(nodes, '{}'), coalesce(spaces, '{}'), networks);
  end if;

  -- Room in the state of the node, and of every device of the space.
  if touched <> '{}' then
    perform require_pin_room(touched);
    if tg_table_name <> 'node_pin' and not (tg_table_name = 'space_member' and tg_op = 'UPDATE') then
      perform require_state_room(touched);
    end if;
  end if;
  return null;
end $$;

do $do$
declare
  name text;
  one text;
begin
  foreach name in array array[
    'lan_section', 'static_route', 'route_notice', 'node_pin', 'space_member', 'client_service'
  ] loop
    for one in
      select t.tgname from pg_trigger t
      where t.tgrelid = format('weft.%I', name)::regclass and not t.tgisinternal
        and t.tgfoid in ('weft.guard_networks()'::regprocedure, 'weft.guard_collision()'::regprocedure,
          'weft.guard_pin_room()'::regprocedure, 'weft.guard_state_room()'::regprocedure)
    loop
      execute format('drop trigger %I on weft.%I', one, name);
    end loop;
    execute format('create trigger networks_insert after insert on weft.%I
      referencing new table as written for each statement execute function weft.guard_networks()', name);
    execute format('create trigger networks_update after update on weft.%I
      referencing old table as replaced new table as written
      for each statement execute function weft.guard_networks()', name);
  end loop;
end $do$;
drop function weft.guard_collision(), weft.guard_pin_room(), weft.guard_state_room();
