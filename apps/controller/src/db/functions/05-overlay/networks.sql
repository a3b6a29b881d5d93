-- What a past state announced, each network as what it was there.
create function weft.pinned_networks(announced text[], lans text[]) returns table (network text, kind text)
  language sql immutable
  begin atomic
    select one, case when network(one::inet) in (select network(l::inet) from unnest(lans) l)
      then 'lan' else 'announced' end
    from unnest(announced) one;
  end;
revoke execute on function weft.pinned_networks(text[], text[]) from public;
grant execute on function weft.pinned_networks(text[], text[]) to weft_api, weft_api_all, weft_worker;

-- One list of what the members of a space bring into it, or send elsewhere: compile keeps it inside the
-- space, and whatever would attract or divert another site's traffic is refused where it is written.

-- Networks of sites. `lan`: its own addresses, of segments that enter the space. `announced`: static
-- routes and route notices that are announced, or (of a site that is held at a past state) what that
-- state announced; it may be a summary with longer prefixes of other sites in it. `shared`: a network that several
-- sites may announce; what a notice says of it holds for a past state that the site is held at, too. `route`: static
-- routes that are not announced, but for a default route, a site's own way out, which is no network of another site.
-- Rows as the caller may read them.
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
        and (r.announce or r.destination not like '%/0')
    union all
    select r.node_id, r.network, case when r.preference is null then 'announced' else 'shared' end
      from weft.route_notice r where r.node_id in (select node_id from present) and r.enabled
    union all
    select p.node_id, w.network, case when w.kind = 'announced' and exists (
          select from weft.route_notice r where r.node_id = p.node_id and r.preference is not null
            and network(r.network::inet) = network(w.network::inet)) then 'shared' else w.kind end
      from weft.node_pin p cross join lateral weft.pinned_networks(p.announced, p.lans) w
      where p.node_id = any (those);
  end;
revoke execute on function weft.site_networks(bigint[]) from public;
grant execute on function weft.site_networks(bigint[]) to weft_api, weft_api_all, weft_worker;

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
revoke execute on function weft.space_networks(bigint[]) from public;
grant execute on function weft.space_networks(bigint[]) to weft_api, weft_api_all, weft_worker;

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
    select r.node_id, r.network, case when r.preference is null then 'announced' else 'shared' end
      from weft.route_notice r where r.node_id in (select node_id from held) and r.enabled;
  end;
revoke execute on function weft.networks_behind_pins(bigint[]) from public;

-- Networks of the spaces, of the spaces that the nodes are in, and of the nodes themselves, each once.
-- With the owner's rights: a site that the caller does not see must not lose its traffic either.
create function weft.networks_beside(those bigint[], spaces bigint[])
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
revoke execute on function weft.networks_beside(bigint[], bigint[]) from public;
grant execute on function weft.networks_beside(bigint[], bigint[]) to weft_api, weft_api_all;

-- What a row brings into a space, or sends elsewhere, and as what; of the row of a pin likewise. Empty: nothing.
-- An edit that leaves the networks of its row as they are is not held against other sites' again: a remark of a row, or a move
-- of its site with all that hangs on it, costs no check.
create function weft.networks_in(name text, this jsonb)
  returns table (node_id bigint, space_id bigint, network inet, kind text)
  language sql immutable
  begin atomic
    select (this ->> 'node_id')::bigint, null::bigint, network(one::inet)::inet, 'lan'
      from unnest(array[this ->> 'network', this ->> 'network6']) one
      where name = 'lan_section' and (this ->> 'enable_forward')::boolean and one is not null
    union all
    select (this ->> 'node_id')::bigint, null, network((this ->> 'destination')::inet)::inet,
        case when (this ->> 'announce')::boolean then 'announced' else 'route' end
      where name = 'static_route' and (this ->> 'enabled')::boolean
    union all
    select (this ->> 'node_id')::bigint, null, network((this ->> 'network')::inet)::inet,
        case when this ->> 'preference' is null then 'announced' else 'shared' end
      where name = 'route_notice' and (this ->> 'enabled')::boolean
    union all
    select (this ->> 'node_id')::bigint, null, network(w.network::inet)::inet, w.kind
      from weft.pinned_networks(
        array(select jsonb_array_elements_text(case when name = 'node_pin' then this -> 'announced' else '[]' end)),
        array(select jsonb_array_elements_text(case when name = 'node_pin' then this -> 'lans' else '[]' end))) w
    union all
    select null, (this ->> 'space_id')::bigint, network((this ->> 'pool')::inet)::inet, 'pool'
      where name = 'client_service' and (this ->> 'enabled')::boolean
        and this ->> 'pool' is not null and this ->> 'space_id' is not null;
  end;
revoke execute on function weft.networks_in(text, jsonb) from public;

create function weft.networks_around(those bigint[], called text) returns table (node_id bigint, network text)
  language sql stable security definer set search_path = weft, pg_temp
  begin atomic
    with beside as (
      select b.node_id from weft.space_member a join weft.space_member b using (space_id)
      where a.node_id = any (those) and b.node_id <> all (those)
    )
    select found.node_id, network(found.network::inet)::text from (
      select l.node_id, l.ip as network from weft.line l
        where l.node_id in (select b.node_id from beside b) and l.addressing = 'static' and l.ip is not null
      union all
      select s.node_id, s.network from weft.lan_section s where s.node_id in (select b.node_id from beside b)
    ) found where called::inet <<= network(found.network::inet);
  end;
revoke execute on function weft.networks_around(bigint[], text) from public;
grant execute on function weft.networks_around(bigint[], text) to weft_api, weft_api_all;

-- A refusal for lack of room in a space names the space to those whose it is. A site of another enterprise
-- in it, whose users do not see the space, learns that it is its own network that finds no room.
create function weft.full_space_name(space bigint, nodes bigint[]) returns text
  language sql stable security definer set search_path = weft, pg_temp
  begin atomic
    select coalesce(
      (select s.name from weft.net_space s where s.id = space
        and (s.enterprise_id = any (weft.scope_enterprises()) or weft.scope_enterprises() = '{}')),
      (select n.name from weft.node n
        where n.id = any (nodes) and n.enterprise_id = any (weft.scope_enterprises()) order by n.id limit 1),
      '');
  end;
revoke execute on function weft.full_space_name(bigint, bigint[]) from public;

-- Pairs that require_no_collision refuses, and that a database may hold all the same: two sites of a
-- space of which one takes traffic of the other, or that both announce a default route. At most 20 a node. A site's own way to a
-- network that it shares with others is no network beside that.
create function weft.network_findings(spaces bigint[])
  returns table (node_id bigint, enterprise_id bigint, space_id bigint, kind text, object text, params jsonb)
  language sql stable security definer set search_path = weft, pg_temp set enable_nestloop = off
  as $$
    with claim as materialized (
      select s.space_id, s.node_id, coalesce(-s.service_id, s.node_id) as site, s.kind,
        s.kind in ('lan', 'pool') as own, network(s.network::inet)::inet as network
      from space_networks(spaces) s
      where not (s.kind = 'route' and (masklen(s.network::inet) = 0
        or (s.node_id, network(s.network::inet)) in (
          select o.node_id, network(o.network::inet) from space_networks(spaces) o where o.kind = 'shared')))
    ), around as materialized (
      select c.*, max(network) filter (where own) over (
        partition by c.space_id order by network, own desc
        rows between unbounded preceding and current row) as outer_network
      from claim c
    ), pair as (
      select i.space_id, i.node_id, i.kind, i.network, o.node_id as other_id, o.kind as other_kind,
        o.network as other_network
      from around i join claim o on o.space_id = i.space_id and o.network = i.outer_network
      where o.own and o.network >>= i.network and o.site <> i.site
      union
      select i.space_id, i.node_id, i.kind, i.network, o.node_id, o.kind, o.network
      from claim i join claim o on o.space_id = i.space_id and o.network = i.network
      where o.site <> i.site and not (i.kind in ('route', 'shared') and o.kind = i.kind)
    ), half as (
      select space_id, node_id, kind, network, other_id, other_network from pair
      union
      select space_id, other_id, other_kind, other_network, node_id, network from pair
    ), one as (
      select distinct on (h.space_id, h.node_id, h.kind, h.network) h.*
      from half h order by h.space_id, h.node_id, h.kind, h.network, h.other_network, h.other_id
    ), numbered as (
      select o.*, row_number() over (partition by o.space_id, o.node_id order by o.network, o.kind) as place
      from one o
    )
    select n.id, n.enterprise_id, f.space_id,
      case f.kind when 'announced' then 'announce' when 'shared' then 'announce' else f.kind end,
      host(f.network) || '/' || masklen(f.network),
      jsonb_build_object('network', host(f.other_network) || '/' || masklen(f.other_network),
        'site', name_for(n.enterprise_id, f.other_id))
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
