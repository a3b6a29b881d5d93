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

-- What rows configure a site to bring into its space, or to send elsewhere. `lan`: its own addresses, of segments that
-- enter the space. `announced`: static routes and route notices that are announced; it may be a summary with longer prefixes
-- of other sites in it. `shared`: a network that several sites may announce. `route`: static routes that are not announced,
-- but for a default route, a site's own way out, which is no network of another site. `prefix` is the network without bits
-- of a host, and by it and the enterprise each table has an index. Rows as their reader may read them.
create view weft.configured_network with (security_invoker) as
  select s.enterprise_id, s.node_id, s.network, network(s.network::inet)::inet as prefix, 'lan' as kind
    from weft.lan_section s where s.enable_forward
  union all
  select s.enterprise_id, s.node_id, s.network6, network(s.network6::inet)::inet, 'lan'
    from weft.lan_section s where s.enable_forward and s.network6 is not null
  union all
  select r.enterprise_id, r.node_id, r.destination, network(r.destination::inet)::inet,
      case when r.announce then 'announced' else 'route' end
    from weft.static_route r where r.enabled and (r.announce or r.destination not like '%/0')
  union all
  select r.enterprise_id, r.node_id, r.network, network(r.network::inet)::inet,
      case when r.preference is null then 'announced' else 'shared' end
    from weft.route_notice r where r.enabled;
grant select on weft.configured_network to weft_api, weft_api_all, weft_worker;

-- Networks of sites: those that are configured, or, of a site that is held at a past state, those that this state
-- announced. What a notice says of a network that several sites may announce holds for the past state, too.
-- Rows as the caller may read them.
create function weft.site_networks(those bigint[])
  returns table (node_id bigint, network text, kind text)
  language sql stable set search_path = weft, pg_temp
  begin atomic
    select c.node_id, c.network, c.kind from weft.configured_network c
      where c.node_id = any (those) and not exists (select from weft.node_pin p where p.node_id = c.node_id)
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

-- What sites bring into their space, and what they would at once: a site that is held at a past state comes back with
-- its rows when it is released, and nothing is held against other sites then. So its rows count while it is held, beside
-- what the past state announces. With the owner's rights: a site that the caller does not see must not lose its
-- traffic either.
create function weft.claimed_networks(those bigint[])
  returns table (node_id bigint, network text, kind text)
  language sql stable security definer set search_path = weft, pg_temp
  begin atomic
    select s.node_id, s.network, s.kind from weft.site_networks(those) s
    union
    select c.node_id, c.network, c.kind from weft.configured_network c
      where c.node_id = any (those) and exists (select from weft.node_pin p where p.node_id = c.node_id);
  end;
revoke execute on function weft.claimed_networks(bigint[]) from public;
grant execute on function weft.claimed_networks(bigint[]) to weft_api, weft_api_all;

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

-- Networks around some addresses by which sites reach these in their spaces: what other members bring in, and pools of mobile
-- clients; a default route is none. With the owner's rights: sites that the caller does not see are reached as well. The caller has
-- checked that the nodes are its own.
create function weft.space_networks_around(those bigint[], addresses inet[]) returns setof text
  language sql stable security definer set search_path = weft, pg_temp as $$
  select distinct n.network from space_member m
  cross join lateral networks_near(m.space_id, array(
    select o.node_id from space_member o
    where o.space_id = m.space_id and o.kind = 'cpe' and o.node_id <> all (those)), addresses) n
  where m.node_id = any (those) and m.kind = 'cpe' and n.kind <> 'route' and masklen(n.network::inet) > 0
    and n.network::inet >>= any (addresses)
$$;
revoke execute on function weft.space_networks_around(bigint[], inet[]) from public;
grant execute on function weft.space_networks_around(bigint[], inet[]) to weft_api, weft_api_all;

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
