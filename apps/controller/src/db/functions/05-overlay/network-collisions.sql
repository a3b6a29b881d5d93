-- Which networks of two sites of a space collide, because one site takes traffic of the other: the one place of the
-- rule. A save names them at its field, the triggers of network-checks.sql refuse them whoever writes, and findings
-- report those that a database has from before the rule.
--
-- A site's own network (`lan`, `pool`) collides with everything inside it. Other networks collide with the same
-- network of another site, unless both are mere routes, or both sites say that they share it. In a summary that is
-- announced other sites may have longer prefixes. Two nodes that stand for each other are one site. A site's route to
-- a network that it shares with others is no network beside that.

-- Networks that count in a space, and overlap with one of these: of its members, pinned or not, and of the pools of its
-- mobile clients. For many networks, as when CPEs become members, it may return others as well: all networks of the
-- members are read then, once, where for a few the indexes find them among tens of thousands.
create function weft.networks_near(space bigint, members bigint[], prefixes inet[])
  returns table (node_id bigint, service_id bigint, network text, kind text)
  language plpgsql stable security definer
  set search_path = weft, pg_temp set enable_nestloop = on as $$
#variable_conflict use_column
declare
  enterprises bigint[];
begin
  if cardinality(prefixes) > 16 then
    return query select c.node_id, null::bigint, c.network, c.kind from claimed_networks(members) c;
  elsif members <> '{}' then
    enterprises := array(select distinct n.enterprise_id from node n where n.id = any (members));
    return query
      -- The offset keeps the view apart, so that its parts are looked up by both values.
      select c.node_id, null::bigint, c.network, c.kind
        from unnest(enterprises) owner (id) cross join unnest(prefixes) near (prefix)
        cross join lateral (
          select c.* from configured_network c where c.enterprise_id = owner.id and c.prefix && near.prefix offset 0) c
        where c.node_id = any (members)
      union all
      select s.node_id, null, s.network, s.kind from site_networks(array(
          select p.node_id from node_pin p where p.node_id = any (members))) s;
  end if;
  return query select c.pop_id, c.enterprise_id, c.pool::text, 'pool'
    from client_service c where c.space_id = space and c.enabled and c.pool is not null;
end $$;
revoke execute on function weft.networks_near(bigint, bigint[], inet[]) from public;

-- Which of these networks collide, those of one space: the columns of networks_near, one array each, as the
-- 10,000 networks of a space take 32 ms more as JSON. `positions`: the place of a drafted network in its list; null: it is
-- there already, and is not compared with others that are. With the owner's rights, as sites that the caller does
-- not see lose traffic as well.
-- Without nested loops: how many rows a function returns is not known to the planner, and a space has up to
-- 30,000 networks.
create function weft.collisions_among(
    positions bigint[], nodes bigint[], services bigint[], networks text[], kinds text[])
  returns table (
    place bigint, node_id bigint, service_id bigint, network text, kind text,
    other_node_id bigint, other_service_id bigint, other_network text, other_kind text
  )
  language sql stable security definer set search_path = weft, pg_temp set enable_nestloop = off as $$
  with claim as materialized (
    select c.position, c.node_id, c.service_id, c.network, c.kind, network(c.network::inet)::inet as prefix
    from unnest(positions, nodes, services, networks, kinds) c (position, node_id, service_id, network, kind)
  ), sited as materialized (
    select c.*, coalesce(-c.service_id, p.site, c.node_id) as site, c.kind in ('lan', 'pool') as own
    from claim c left join standby_sites(array(
      select distinct c.node_id from claim c where c.service_id is null)) p on p.node_id = c.node_id
  ), acting as materialized (
    select s.* from sited s
    where not (s.kind = 'route' and (masklen(s.prefix) = 0
      or (s.site, s.prefix) in (select o.site, o.prefix from sited o where o.kind = 'shared')))
  ), length as materialized (
    select distinct family(a.prefix) as family, masklen(a.prefix) as length from acting a
  ), around as materialized (
    select i.position, i.node_id, i.service_id, i.network, i.kind, masklen(i.prefix) as length,
      o.position as outer_position, o.node_id as outer_node_id, o.service_id as outer_service_id,
      o.network as outer_network, o.kind as outer_kind, l.length as outer_length
    from acting i
    join length l on l.family = family(i.prefix) and l.length <= masklen(i.prefix)
    join acting o on o.prefix = network(set_masklen(i.prefix, l.length))::inet
    where o.site <> i.site and (o.position is not null or i.position is not null)
      and (o.own or (o.prefix = i.prefix and not (o.kind = i.kind and i.kind in ('route', 'shared'))))
  ), named as (
    select a.position, false as is_outer, a.node_id, a.service_id, a.network, a.kind,
      a.outer_node_id as other_node_id, a.outer_service_id as other_service_id,
      a.outer_network as other_network, a.outer_kind as other_kind, a.outer_length as other_length
    from around a where a.position is not null
    union
    select a.outer_position, true, a.outer_node_id, a.outer_service_id, a.outer_network, a.outer_kind,
      a.node_id, a.service_id, a.network, a.kind, a.length
    from around a where a.outer_position is not null and a.outer_length < a.length
  )
  select row_number() over (
      order by n.position, n.is_outer, n.other_length, n.other_node_id, n.other_network),
    n.node_id, n.service_id, n.network, n.kind,
    n.other_node_id, n.other_service_id, n.other_network, n.other_kind
  from named n order by 1
$$;
revoke execute on function weft.collisions_among(bigint[], bigint[], bigint[], text[], text[]) from public;

-- Collisions of drafted networks of a space with what is there, and with each other. `drafted`: an array of objects
-- with the columns of networks_near; whether a drafted network has a row already does not matter. `members`: the CPEs
-- whose networks are there; null: those of the space. In the order in which a refusal names them: as they are drafted,
-- what is around a network before what is inside it. With the owner's rights: who names a space or nodes in it has to
-- check that they are the caller's.
create function weft.network_collisions(space bigint, members bigint[], drafted jsonb)
  returns table (
    place bigint, node_id bigint, service_id bigint, network text, kind text,
    other_node_id bigint, other_service_id bigint, other_network text, other_kind text
  )
  language sql stable security definer set search_path = weft, pg_temp as $$
  with draft as materialized (
    select d.ordinality as position, d.node_id, d.service_id, d.network, d.kind, network(d.network::inet)::inet as prefix
    from rows from (jsonb_to_recordset(coalesce(drafted, '[]'))
      as (node_id bigint, service_id bigint, network text, kind text)) with ordinality d
  ), claim as (
    select d.position, d.node_id, d.service_id, d.network, d.kind from draft d
    union all
    select null, n.node_id, n.service_id, n.network, n.kind
    from networks_near(space,
      coalesce(members, array(
        select m.node_id from space_member m where m.space_id = space and m.kind = 'cpe')),
      array(select distinct d.prefix from draft d)) n
    where exists (select from draft)
  ), listed as (
    select array_agg(c.position) as positions, array_agg(c.node_id) as nodes, array_agg(c.service_id) as services,
      array_agg(c.network) as networks, array_agg(c.kind) as kinds
    from claim c
  )
  select c.* from listed l
  cross join lateral collisions_among(l.positions, l.nodes, l.services, l.networks, l.kinds) c
  order by c.place
$$;
revoke execute on function weft.network_collisions(bigint, bigint[], jsonb) from public;
grant execute on function weft.network_collisions(bigint, bigint[], jsonb) to weft_api, weft_api_all;

-- Collisions of networks that a site is about to get. What it has already is not compared again: a database from
-- before this rule may hold pairs that break it, and their rows must stay editable.
create function weft.site_collisions(site bigint, drafted jsonb)
  returns table (
    place bigint, node_id bigint, network text, kind text,
    other_node_id bigint, other_service_id bigint, other_network text, other_kind text
  )
  language sql stable security definer set search_path = weft, pg_temp as $$
  select c.place, c.node_id, c.network, c.kind,
    c.other_node_id, c.other_service_id, c.other_network, c.other_kind
  from space_member m
  cross join lateral network_collisions(m.space_id, null, (
    select jsonb_agg(jsonb_build_object('node_id', site, 'network', d.network, 'kind', d.kind) order by d.ordinality)
    from rows from (jsonb_to_recordset(drafted) as (network text, kind text)) with ordinality d
    where (network(d.network::inet), d.kind) not in (
      select network(c.network::inet), c.kind from claimed_networks(array[site]) c))) c
  where m.node_id = site and m.kind = 'cpe'
$$;
revoke execute on function weft.site_collisions(bigint, jsonb) from public;
grant execute on function weft.site_collisions(bigint, jsonb) to weft_api, weft_api_all;

-- What CPEs claim, as `drafted` of network_collisions: when they become members of a space, or a site of their own.
create function weft.drafted_members(those bigint[]) returns jsonb
  language sql stable security definer set search_path = weft, pg_temp as $$
  select jsonb_agg(to_jsonb(c) order by c.node_id, c.network) from claimed_networks(those) c
$$;
revoke execute on function weft.drafted_members(bigint[]) from public;
grant execute on function weft.drafted_members(bigint[]) to weft_api, weft_api_all;

-- Of two writes at the same moment, each valid alone, one is admitted: a writer of networks waits for the one before,
-- and then sees what that one wrote. `written`: prefixes that nodes and spaces got.
create function weft.require_no_collision(nodes bigint[], spaces bigint[], written inet[])
returns void
language plpgsql security definer set search_path = weft, pg_temp as $$
declare
  all_spaces bigint[];
  clash text;
begin
  perform from node where id = any (nodes) order by id for no key update;
  select spaces || coalesce(array_agg(m.space_id), '{}') into all_spaces
    from space_member m where m.node_id = any (nodes) and m.kind = 'cpe';
  perform from net_space where id = any (all_spaces) order by id for no key update;
  select c.network into clash from (
    select d.space_id, jsonb_agg(to_jsonb(d)) as drafted from (
      select m.space_id, c.node_id, null::bigint as service_id, c.network, c.kind
        from claimed_networks(nodes) c join space_member m on m.node_id = c.node_id and m.kind = 'cpe'
      union all
      select c.space_id, c.pop_id, c.enterprise_id, c.pool::text, 'pool' from client_service c
        where c.space_id = any (spaces) and c.enabled and c.pool is not null
    ) d where network(d.network::inet)::inet in (select unnest(written)) group by d.space_id
  ) s cross join lateral network_collisions(s.space_id, null, s.drafted) c limit 1;
  if found then
    raise exception 'network % is another site''s', clash
      using errcode = 'exclusion_violation', constraint = 'networks_apart';
  end if;
end $$;
revoke execute on function weft.require_no_collision(bigint[], bigint[], inet[]) from public;

-- Collisions that a database holds all the same, on both sites: at most 20 a node. Networks behind pins do not count: the
-- site does not bring them in now.
create function weft.network_findings(spaces bigint[])
  returns table (node_id bigint, enterprise_id bigint, space_id bigint, kind text, object text, params jsonb)
  language sql stable security definer set search_path = weft, pg_temp as $$
  with held as (
    select s.space_id, array_agg(s.position) as positions, array_agg(s.node_id) as nodes,
      array_agg(s.service_id) as services, array_agg(s.network) as networks, array_agg(s.kind) as kinds
    from (select s.*, row_number() over () as position from space_networks(spaces) s) s group by s.space_id
  ), first_found as (
    select distinct on (h.space_id, c.node_id, c.kind, prefix) h.space_id, c.node_id, c.kind, prefix, other_prefix, c.other_node_id
    from held h cross join lateral collisions_among(h.positions, h.nodes, h.services, h.networks, h.kinds) c
    cross join lateral (select network(c.network::inet)::inet as prefix, network(c.other_network::inet)::inet as other_prefix) p
    order by h.space_id, c.node_id, c.kind, prefix, other_prefix, c.other_node_id
  ), numbered as (
    select o.*, row_number() over (partition by o.space_id, o.node_id order by o.prefix, o.kind) as place
    from first_found o
  )
  select n.id, n.enterprise_id, f.space_id,
    case f.kind when 'announced' then 'announce' when 'shared' then 'announce' else f.kind end,
    host(f.prefix) || '/' || masklen(f.prefix),
    jsonb_build_object('network', host(f.other_prefix) || '/' || masklen(f.other_prefix),
      'site', name_for(n.enterprise_id, f.other_node_id))
  from numbered f join node n on n.id = f.node_id where f.place <= 20
$$;
revoke execute on function weft.network_findings(bigint[]) from public;

-- Notes the collisions of spaces anew: of those that are named, and of those of the nodes that have any.
-- Others cannot have got any: writes that would make one are refused.
create function weft.note_network_findings(nodes bigint[], spaces bigint[]) returns void
language plpgsql security definer set search_path = weft, pg_temp as $$
declare
  targets bigint[];
begin
  select array_agg(id) into targets from (
    select unnest(spaces) as id
    union
    select f.space_id from node_finding f where f.source = 'networks' and (f.node_id = any (nodes)
      or f.space_id in (select m.space_id from space_member m where m.node_id = any (nodes)))
  ) t;
  if targets is null then return; end if;
  delete from node_finding where space_id = any (targets) and source = 'networks';
  insert into node_finding (node_id, enterprise_id, space_id, source, kind, object, reason, params)
    select f.node_id, f.enterprise_id, f.space_id, 'networks', f.kind, f.object, 'collides', f.params
    from network_findings(targets) f;
end $$;
revoke execute on function weft.note_network_findings(bigint[], bigint[]) from public;
grant execute on function weft.note_network_findings(bigint[], bigint[]) to weft_worker;
