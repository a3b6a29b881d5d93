-- One list of what the members of a space bring into it, or send elsewhere: compile keeps it inside the
-- space, and whatever would attract or divert another site's traffic is refused where it is written.

-- Networks of sites. `lan`: its own addresses, of segments that enter the space. `announced`: static
-- routes and route notices that are announced, or (of a site that is held at a past state) what that
-- state announced; it may be a summary with longer prefixes of other sites in it. `route`: static
-- routes that are not announced. Rows as the caller may read them.
create function weft.site_networks(those bigint[])
  returns table (node_id bigint, network text, kind text)
  language sql stable set search_path = weft, pg_temp
  begin atomic
    with present as (
      select n as node_id from unnest(those) n
      where not exists (select from weft.node_pin p where p.node_id = n)
    )
    select s.node_id, one.network, 'lan' from weft.lan_section s
      cross join lateral unnest(array[s.network, s.network6]) as one(network)
      where s.node_id in (select node_id from present) and s.enable_forward and one.network is not null
    union all
    select r.node_id, r.destination, case when r.announce then 'announced' else 'route' end
      from weft.static_route r where r.node_id in (select node_id from present) and r.enabled
    union all
    select r.node_id, r.network, 'announced' from weft.route_notice r
      where r.node_id in (select node_id from present) and r.enabled
    union all
    select p.node_id, unnest(p.announced), 'announced' from weft.node_pin p
      where p.node_id = any (those);
  end;

-- Networks of the members of spaces and the pools of their mobile clients (`pool`, at a POP, of the
-- enterprise in service_id). Rows as the caller may read them.
create function weft.space_networks(spaces bigint[])
  returns table (space_id bigint, node_id bigint, service_id bigint, network text, kind text)
  language sql stable set search_path = weft, pg_temp
  begin atomic
    select m.space_id, s.node_id, null::bigint, s.network, s.kind
      from weft.site_networks(array(
        select one.node_id from weft.space_member one where one.space_id = any (spaces) and one.kind = 'cpe'
      )) s join weft.space_member m on m.node_id = s.node_id and m.space_id = any (spaces)
    union all
    select c.space_id, c.pop_id, c.enterprise_id, c.pool::text, 'pool' from weft.client_service c
      where c.space_id = any (spaces) and c.enabled and c.pool is not null;
  end;

-- Networks of the spaces, of the spaces that the nodes are in, and of the nodes themselves, each once.
-- With the owner's rights: a site that the caller does not see must not lose its traffic either.
create function weft.networks_beside(those bigint[], spaces bigint[])
  returns table (node_id bigint, service_id bigint, network text, kind text)
  language sql stable security definer set search_path = weft, pg_temp
  begin atomic
    select s.node_id, s.service_id, s.network, s.kind from weft.space_networks(spaces || array(
      select m.space_id from weft.space_member m where m.node_id = any (those) and m.kind = 'cpe'
    )) s
    union
    select s.node_id, null, s.network, s.kind from weft.site_networks(those) s;
  end;

-- Of two writes at the same moment, each valid alone, one is admitted. Two networks collide when one
-- is a site's own and contains the other, or when they are the same, unless both are mere routes
-- (domains/devices/space-networks.ts has the rule for the field). A site's own networks never overlap
-- others' (require_networks_apart), so the last own one before a network is the only one around it.
-- Without nested loops: how many rows a function returns is not known to the planner, and a space has
-- up to 30,000 networks.
create function weft.require_no_collision(nodes bigint[], spaces bigint[], written inet[]) returns void
language plpgsql security definer set search_path = weft, pg_temp set enable_nestloop = off as $$
declare
  all_spaces bigint[];
  clash inet;
begin
  perform from node where id = any (nodes) order by id for no key update;
  select spaces || coalesce(array_agg(m.space_id), '{}') into all_spaces
    from space_member m where m.node_id = any (nodes) and m.kind = 'cpe';
  perform from net_space where id = any (all_spaces) order by id for no key update;
  with claim as materialized (
    select coalesce(-s.service_id, s.node_id) as site, s.kind, s.kind in ('lan', 'pool') as own,
      network(s.network::inet)::inet as network,
      -- A hashed lookup, however many are written at once.
      network(s.network::inet)::inet in (select unnest(written)) as is_written
    from space_networks(all_spaces) s
  ), around as materialized (
    select claim.*, max(network) filter (where own) over (
      order by network, own desc rows between unbounded preceding and current row) as outer_network
    from claim
  )
  select network into clash from (
    select one.network from around one join claim other on other.network = one.outer_network and other.own
      where one.outer_network >>= one.network and one.site <> other.site
        and (one.is_written or other.is_written)
    union all
    select one.network from claim one join claim other on one.network = other.network
      where one.site <> other.site and one.kind <> 'route' and one.is_written
  ) pair limit 1;
  if found then
    raise exception 'network % is another site''s', clash
      using errcode = 'exclusion_violation', constraint = 'networks_apart';
  end if;
end $$;

create function weft.guard_collision() returns trigger
language plpgsql security definer set search_path = weft, pg_temp as $$
declare
  nodes bigint[];
  spaces bigint[] := '{}';
  networks inet[];
begin
  case tg_table_name
    when 'lan_section' then
      select array_agg(node_id), array_agg(network(one.network::inet)::inet) into nodes, networks
        from written cross join lateral unnest(array[network, network6]) as one(network)
        where enable_forward and one.network is not null;
    when 'static_route' then
      select array_agg(node_id), array_agg(network(destination::inet)::inet) into nodes, networks
        from written where enabled;
    when 'route_notice' then
      select array_agg(node_id), array_agg(network(network::inet)::inet) into nodes, networks
        from written where enabled;
    when 'node_pin' then
      select array_agg(node_id), array_agg(network(one.network::inet)::inet) into nodes, networks
        from written cross join lateral unnest(announced) as one(network);
    when 'space_member' then
      select array_agg(distinct node_id) into nodes from written where kind = 'cpe';
      select array_agg(network(s.network::inet)::inet) into networks from site_networks(nodes) s;
    when 'client_service' then
      select array_agg(space_id), array_agg(network(pool)::inet) into spaces, networks
        from written where enabled and pool is not null and space_id is not null;
  end case;
  if networks is not null then
    perform require_no_collision(coalesce(nodes, '{}'), coalesce(spaces, '{}'), networks);
  end if;
  return null;
end $$;

do $$
declare
  name text;
begin
  foreach name in array array[
    'lan_section', 'static_route', 'route_notice', 'node_pin', 'space_member', 'client_service'
  ] loop
    execute format('create trigger no_collision_insert after insert on weft.%I
      referencing new table as written for each statement execute function weft.guard_collision()', name);
    execute format('create trigger no_collision_update after update on weft.%I
      referencing new table as written for each statement execute function weft.guard_collision()', name);
  end loop;
end $$;

revoke execute on function weft.site_networks(bigint[]), weft.space_networks(bigint[]),
  weft.networks_beside(bigint[], bigint[]), weft.require_no_collision(bigint[], bigint[], inet[]),
  weft.guard_collision() from public;
grant execute on function weft.site_networks(bigint[]), weft.space_networks(bigint[])
  to weft_api, weft_api_all, weft_worker;
grant execute on function weft.networks_beside(bigint[], bigint[]) to weft_api, weft_api_all;
