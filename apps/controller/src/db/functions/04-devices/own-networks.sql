-- LAN sections, WAN links and static routes of nodes, whoever made them: who sees rows of the own making only writes beside those of others, which
-- share the device and its routing table. The caller has checked that the nodes are its own; hence definer.
-- One for each table: a single function for rows of any type would have to build its statement from the table's name, and
-- neither its columns nor what depends on them would be known before it runs.
create function weft.lans_on(those bigint[]) returns setof weft.lan_section
  language sql stable security definer set search_path = weft, pg_temp
  begin atomic
    select s.* from weft.lan_section s where s.node_id = any (those);
  end;
revoke execute on function weft.lans_on(bigint[]) from public;
grant execute on function weft.lans_on(bigint[]) to weft_api, weft_api_all;

create function weft.lines_on(those bigint[]) returns setof weft.line
  language sql stable security definer set search_path = weft, pg_temp
  begin atomic
    select l.* from weft.line l where l.node_id = any (those);
  end;
revoke execute on function weft.lines_on(bigint[]) from public;
grant execute on function weft.lines_on(bigint[]) to weft_api, weft_api_all;

create function weft.static_routes_on(those bigint[]) returns setof weft.static_route
  language sql stable security definer set search_path = weft, pg_temp
  begin atomic
    select r.* from weft.static_route r where r.node_id = any (those);
  end;
revoke execute on function weft.static_routes_on(bigint[]) from public;
grant execute on function weft.static_routes_on(bigint[]) to weft_api, weft_api_all;

-- Networks in which these nodes find next hops: their LAN sections, their static WAN links, and what they reported of links whose
-- address comes from the carrier. One plan that is kept, for three functions and three checks whose the node is: every save of a static route asks.
create function weft.near_networks(those bigint[]) returns text[]
  language plpgsql stable security definer set search_path = weft, pg_temp as $$
begin
  return array(
    select one.network from lan_section s cross join lateral unnest(array[s.network, s.network6]) as one (network)
      where s.node_id = any (those) and one.network is not null
    union all
    select one.network from line l
      cross join lateral unnest(array[l.ip, case when l.ipv6_mode = 'static' then l.ip6 end]) as one (network)
      where l.node_id = any (those) and one.network is not null
    union all
    select one ->> 'address' from node_status s
      cross join lateral jsonb_array_elements(s.lines || coalesce(s.ipv6_lines, '[]')) as one
      where s.node_id = any (those) and one ->> 'address' is not null);
end $$;
revoke execute on function weft.near_networks(bigint[]) from public;
grant execute on function weft.near_networks(bigint[]) to weft_api, weft_api_all;
