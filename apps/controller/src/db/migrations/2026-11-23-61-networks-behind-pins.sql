-- A site that is held at a past state comes back with its rows when it is released, and nothing is held
-- against other sites then. So its rows count while it is held, beside what the past state announces.

create function weft.networks_behind_pins(those bigint[])
  returns table (node_id bigint, network text, kind text)
  language sql stable set search_path = weft, pg_temp
  begin atomic
    with held as (select p.node_id from weft.node_pin p where p.node_id = any (those))
    select s.node_id, one.network, 'lan' from weft.lan_section s
      cross join lateral unnest(array[s.network, s.network6]) as one(network)
      where s.node_id in (select node_id from held) and s.enable_forward and one.network is not null
    union all
    select r.node_id, r.destination, case when r.announce then 'announced' else 'route' end
      from weft.static_route r where r.node_id in (select node_id from held) and r.enabled
        and (r.announce or r.destination not like '%/0')
    union all
    select r.node_id, r.network, 'announced' from weft.route_notice r
      where r.node_id in (select node_id from held) and r.enabled;
  end;

create or replace function weft.networks_beside(those bigint[], spaces bigint[])
  returns table (node_id bigint, service_id bigint, network text, kind text)
  language sql stable security definer set search_path = weft, pg_temp
  begin atomic
    with space as (
      select unnest(spaces) as id
      union select m.space_id from weft.space_member m where m.node_id = any (those) and m.kind = 'cpe'
    )
    select s.node_id, s.service_id, s.network, s.kind
      from weft.space_networks(array(select id from space)) s
    union
    select s.node_id, null, s.network, s.kind from weft.site_networks(those) s
    union
    select h.node_id, null, h.network, h.kind from weft.networks_behind_pins(those || array(
      select m.node_id from weft.space_member m
      where m.space_id in (select id from space) and m.kind = 'cpe')) h;
  end;

-- As before, with the networks behind pins.
create or replace function weft.require_no_collision(nodes bigint[], spaces bigint[], written inet[])
returns void
language plpgsql security definer set search_path = weft, pg_temp set enable_nestloop = off as $$
declare
  all_spaces bigint[];
  clash inet;
begin
  perform from node where id = any (nodes) order by id for no key update;
  select spaces || coalesce(array_agg(m.space_id), '{}') into all_spaces
    from space_member m where m.node_id = any (nodes) and m.kind = 'cpe';
  perform from net_space where id = any (all_spaces) order by id for no key update;
  with brought as (
    select s.node_id, s.service_id, s.network, s.kind from space_networks(all_spaces) s
    union all
    select h.node_id, null, h.network, h.kind from networks_behind_pins(array(
      select m.node_id from space_member m where m.space_id = any (all_spaces) and m.kind = 'cpe')) h
  ), claim as materialized (
    select coalesce(-s.service_id, s.node_id) as site, s.kind, s.kind in ('lan', 'pool') as own,
      network(s.network::inet)::inet as network,
      -- A hashed lookup, however many are written at once.
      network(s.network::inet)::inet in (select unnest(written)) as is_written
    from brought s
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

revoke execute on function weft.networks_behind_pins(bigint[]) from public;
