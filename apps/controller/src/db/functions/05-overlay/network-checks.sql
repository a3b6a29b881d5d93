-- Networks that share a routing table never overlap, whatever is written concurrently. The controller
-- refuses them at the field; of two writes at the same moment, both valid alone, this admits one. A LAN that both devices of a
-- standby group have is one network of one site.

-- A writer of networks of a node or a space waits for the one before, and then sees what that one
-- wrote: each statement of a volatile function has a snapshot of its own. Sorted, a network is followed
-- by those inside it, so that neighbours reveal every overlap.
create function weft.require_networks_apart(nodes bigint[], spaces bigint[]) returns void
language plpgsql security definer set search_path = weft, pg_temp as $$
declare
  all_spaces bigint[];
  clash inet;
begin
  perform from node where id = any (nodes) order by id for no key update;
  select spaces || coalesce(array_agg(m.space_id), '{}') into all_spaces
    from space_member m where m.node_id = any (nodes) and m.kind = 'cpe';
  perform from net_space where id = any (all_spaces) order by id for no key update;
  with section as (
    select s.node_id, s.enable_forward, network(one.network::inet) as network
    from lan_section s cross join lateral unnest(array[s.network, s.network6]) as one(network)
    where one.network is not null
  ), member as (
    select distinct m.space_id, p.site, section.network
    from space_member m join section using (node_id)
      join standby_sites(array(
        select one.node_id from space_member one where one.space_id = any (all_spaces))) p using (node_id)
      where m.space_id = any (all_spaces) and section.enable_forward
  ), seen as (
    -- Of a node, whether the space sees it or not.
    select -node_id as place, network from section where node_id = any (nodes)
    union all
    select space_id, network from member
    union all
    select c.space_id, network(c.pool) from client_service c
      where c.space_id = any (all_spaces) and c.pool is not null
  )
  select next into clash from (
    select network, lead(network) over (partition by place order by network) as next from seen
  ) neighbours where network >>= next limit 1;
  if found then
    raise exception 'network % overlaps another', clash
      using errcode = 'exclusion_violation', constraint = 'networks_apart';
  end if;
end $$;

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
    select 'spaceNetworks', full_space_name(s.id, nodes), count(*), 30000
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

-- What a past state announced counts as what the rows announce: the site has one of both.
create function weft.require_pin_room(nodes bigint[]) returns void
language plpgsql security definer set search_path = weft, pg_temp as $$
declare
  full_one jsonb;
begin
  perform from node where id = any (nodes) order by id for no key update;
  with space as (
    select distinct m.space_id from space_member m where m.node_id = any (nodes) and m.kind = 'cpe'
  ), room (what, name, n, max) as (
    select 'announced', n.name, count(*), 4096
      from site_networks(nodes) s join node n on n.id = s.node_id where s.kind <> 'route' group by n.id
    union all
    select 'spaceNetworks', full_space_name(p.id, nodes), count(*), 30000
      from space_networks(array(select space_id from space)) s join net_space p on p.id = s.space_id
      where s.kind <> 'route' group by p.id
  )
  select jsonb_build_object('limit', what, 'name', name, 'max', max) into full_one
    from room where n > max limit 1;
  if found then
    raise exception 'no room: %', full_one
      using errcode = 'check_violation', constraint = 'room', detail = full_one::text;
  end if;
end $$;
revoke execute on function weft.require_pin_room(bigint[]) from public;

-- An edit of a row that leaves its networks as they are, of a route's metric or a remark, passes no check of the
-- node and its space: these checks read all networks of both, and took 2.5 ms of every save. One trigger of a
-- table makes all of them, where it was up to four, each with its copy of the written rows.
create function weft.guard_networks() returns trigger
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
          select node_id, network, enabled, preference is null from written
          except all
          select node_id, network, enabled, preference is null from replaced) changed);
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
begin
  foreach name in array array[
    'lan_section', 'static_route', 'route_notice', 'node_pin', 'space_member', 'client_service'
  ] loop
    execute format('create trigger networks_insert after insert on weft.%I
      referencing new table as written for each statement execute function weft.guard_networks()', name);
    execute format('create trigger networks_update after update on weft.%I
      referencing old table as replaced new table as written
      for each statement execute function weft.guard_networks()', name);
  end loop;
end $do$;

-- Who leaves a group is a site of its own from then on.
create function weft.guard_standby() returns trigger
language plpgsql security definer set search_path = weft, pg_temp as $$
begin
  perform require_no_collision(array[new.id], '{}', array(
    select network(s.network::inet)::inet from site_networks(array[new.id]) s));
  return null;
end $$;
revoke execute on function weft.guard_standby() from public;
create trigger no_collision_standby after update on weft.node
  for each row when (old.hot_standby_group is not null
    and old.hot_standby_group is distinct from new.hot_standby_group)
  execute function weft.guard_standby();

-- The same for a CPE's own LAN line. Versions of templates are not refused: they go out to many, in waves, and what two
-- devices claim then is decided by standby_rivals.
create function weft.guard_standby_line() returns trigger
language plpgsql security definer set search_path = weft, pg_temp as $$
declare
  clash record;
begin
  -- With the CPE itself all that it had goes.
  perform from node where id = old.node_id;
  if not found then
    return null;
  end if;
  select c.network, name_for(old.enterprise_id, coalesce(c.other_node_id, c.node_id)) as other into clash
    from space_member m cross join lateral network_collisions(m.space_id, null, drafted_members(array[m.node_id])) c
    where m.node_id = old.node_id and m.kind = 'cpe' and c.kind = 'lan' limit 1;
  if found then
    raise exception 'network % is another site''s', clash.network using errcode = 'exclusion_violation',
      constraint = 'broken_rule', detail = jsonb_build_object('path', 'hotStandbyGroup', 'rule', 'overlap',
        'params', jsonb_build_object('value', clash.network, 'other', clash.other));
  end if;
  return null;
end $$;
revoke execute on function weft.guard_standby_line() from public;
create trigger no_collision_update after update on weft.router_interface_line
  for each row when (old.node_id is not null and old.hot_standby_group is not null
    and (old.hot_standby_group, old.kind, old.name) is distinct from (new.hot_standby_group, new.kind, new.name))
  execute function weft.guard_standby_line();
create trigger no_collision_delete after delete on weft.router_interface_line
  for each row when (old.node_id is not null and old.hot_standby_group is not null)
  execute function weft.guard_standby_line();
