-- Nodes are compiled many at a time, on one snapshot: what a compile asks of one node is asked of a list of them.

-- The enterprises whose rows the states of these nodes are made of.
create function weft.compile_scope(nodes bigint[]) returns bigint[]
  language sql stable security definer set search_path = weft, pg_temp
  begin atomic
    select coalesce(array_agg(distinct one), '{}') from (
      select n.enterprise_id as one from weft.node n where n.id = any (nodes)
      union
      select m.enterprise_id from weft.space_member m where m.node_id = any (nodes)
      union
      -- POPs of other enterprises in those spaces: their lines and names are endpoints.
      select peer.node_enterprise_id from weft.space_member peer where peer.space_id in (
        select m.space_id from weft.space_member m where m.node_id = any (nodes))
    ) all_of_them;
  end;
drop function weft.compile_scope(bigint);

create function weft.groups_of(nodes bigint[])
  returns table (node_id bigint, id bigint, name text, rate bigint, takes_part boolean, own_rate bigint,
    members bigint[])
  language sql stable security definer set search_path = weft, pg_temp
  begin atomic
    select y.node_id, g.id, g.name, g.bandwidth_bps, coalesce(c.cug_enabled, true), c.cug_bps,
      array(
        select x.node_id from weft.cug_node x
        join weft.space_member m on m.node_id = x.node_id and m.kind = 'cpe'
        left join weft.node_config f on f.node_id = x.node_id
        where x.owner_id = g.id and x.node_id <> y.node_id and coalesce(f.cug_enabled, true)
          and m.space_id in (select own.space_id from weft.space_member own where own.node_id = y.node_id)
        order by x.node_id)
    from weft.cug_node y
    join weft.cug g on g.id = y.owner_id and g.enabled
    left join weft.node_config c on c.node_id = y.node_id
    where y.node_id = any (nodes)
    order by y.node_id, g.id;
  end;
drop function weft.groups_of(bigint);

create function weft.circuits_of(nodes bigint[])
  returns table (node_id bigint, id bigint, name text, peer bigint, peer_kind text, bandwidth integer,
    guaranteed integer, until bigint, space_id bigint)
  language sql stable security definer set search_path = weft, pg_temp
  begin atomic
    with ended as (
      select c.source_id as node_id, c.target_id as peer, c.id from weft.circuit c
        where c.source_id = any (nodes) and c.enabled
      union
      select c.target_id, c.source_id, c.id from weft.circuit c where c.target_id = any (nodes) and c.enabled
    )
    select e.node_id, c.id, c.name, n.id, n.kind, c.bandwidth_kbps, c.guaranteed_kbps,
      (extract(epoch from c.expire_at) * 1000)::bigint,
      (select min(m.space_id) from weft.space_member m
        join weft.space_member o on o.space_id = m.space_id and o.node_id = n.id
        where m.node_id = e.node_id and m.enterprise_id = c.enterprise_id)
    from ended e
    join weft.circuit c on c.id = e.id
    join weft.node n on n.id = e.peer
    order by e.node_id, coalesce(c.expire_at, 'infinity') desc, c.id;
  end;
drop function weft.circuits_of(bigint);

-- What compile takes from standby groups: a node's place in one, and whether the other device can stand for it, null while
-- that one never reported. No row: the node is in no group.
create function weft.standby_of(nodes bigint[])
  returns table (node_id bigint, standby_group smallint, role text, priority smallint, partner_can boolean)
  language sql stable security definer set search_path = weft, pg_temp
  begin atomic
    select own.id, own.hot_standby_group, own.hot_standby_role, own.hot_standby_priority,
        case when jsonb_array_length(coalesce(s.capabilities, '[]')) > 0 then exists (
          select from jsonb_array_elements(s.capabilities) one
          where one ->> 'name' = 'standby' and (one ->> 'can')::boolean) end
      from weft.node own
      left join weft.node other on other.enterprise_id = own.enterprise_id
        and other.hot_standby_group = own.hot_standby_group and other.id <> own.id
      left join weft.node_status s on s.node_id = other.id
      where own.id = any (nodes) and own.hot_standby_group is not null;
  end;
drop function weft.standby_of(bigint);

-- How many rows a compile of these nodes reads that are numerous: of a node itself (no space), and members of the spaces
-- that it is in, which nodes of one batch read once.
create function weft.compile_weights(nodes bigint[])
  returns table (node_id bigint, space_id bigint, weight bigint)
  language sql stable security definer set search_path = weft, pg_temp
  begin atomic
    select w.id, null::bigint,
      (select count(*) from weft.link l where l.a_node_id = w.id)
      + (select count(*) from weft.link l where l.b_node_id = w.id)
      + (select count(*) from weft.acl_rule r where r.node_id = w.id)
      + (select count(*) from weft.static_route r where r.node_id = w.id)
      + (select count(*) from weft.router_ip_entry r where r.node_id = w.id)
      + (select count(*) from weft.router_domain r where r.node_id = w.id)
      + (select count(*) from weft.router_url r where r.node_id = w.id)
      + (select count(*) from weft.node n join weft.blacklist b on b.enterprise_id = n.enterprise_id
        where n.id = w.id and n.kind = 'cpe')
      + (select count(*) from weft.client_service s join weft.mobile_account a on a.enterprise_id = s.enterprise_id
        where s.pop_id = w.id)
      from unnest(nodes) as w (id)
    union all
    select m.node_id, m.space_id, s.weight
      from weft.space_member m
      join (
        select o.space_id, count(*) as weight from weft.space_member o where o.space_id in (
          select i.space_id from weft.space_member i where i.node_id = any (nodes))
        group by o.space_id
      ) s on s.space_id = m.space_id
      where m.node_id = any (nodes);
  end;

revoke execute on function weft.compile_scope(bigint[]), weft.groups_of(bigint[]), weft.circuits_of(bigint[]),
  weft.standby_of(bigint[]), weft.compile_weights(bigint[]) from public;
grant execute on function weft.compile_scope(bigint[]), weft.groups_of(bigint[]), weft.circuits_of(bigint[]),
  weft.compile_weights(bigint[]) to weft_worker;
grant execute on function weft.standby_of(bigint[]) to weft_api, weft_api_all, weft_worker;

-- As before, of several nodes together: each table has as many rows as it should have where all are readable.
drop function weft.intent_counts_whole(bigint, bigint[]);
drop function weft.intent_counts(bigint, bigint[]);
do $do$
declare
  body constant text := $body$
    with space as materialized (
      select distinct space_id from weft.space_member where node_id = any (these)
    ), every as materialized (
      select unnest(those) as node_id
      union select m.node_id from weft.space_member m where m.space_id in (select space_id from space)
    ), enterprise as materialized (
      select distinct enterprise_id from weft.node where id = any (these)
    ), segment as materialized (
      -- With the owner's rights, so that none is hidden.
      select * from weft.segments_in(array(select space_id from space))
    ), groups as materialized (
      select * from weft.groups_of(these)
    ), blocked as materialized (
      select b.id from weft.blacklist b where b.enterprise_id in (select enterprise_id from enterprise)
      union
      select b.id from weft.blacklist_node x join weft.blacklist b on b.id = x.owner_id where x.node_id = any (these)
    )
    select 'node', count(*) from weft.node where id = any (those)
    union all select 'line', count(*) from weft.line where node_id = any (those)
    union all select 'enterprise_param', count(*) from weft.enterprise_param
      where enterprise_id in (select enterprise_id from enterprise)
    union all select 'lan_section', count(*) from weft.lan_section where node_id in (select node_id from every)
    union all select 'static_route', count(*) from weft.static_route where node_id in (select node_id from every)
    union all select 'route_notice', count(*) from weft.route_notice where node_id in (select node_id from every)
    union all select 'node_config', count(*) from weft.node_config where node_id = any (those)
    union all select 'node_status', count(*) from weft.node_status where node_id = any (those)
    union all select 'node_pin', count(*) from weft.node_pin where node_id in (select node_id from every)
    union all select 'link', count(*) from weft.link where a_node_id = any (these) or b_node_id = any (these)
    union all select 'link_choice', count(*) from weft.link_choice
      where a_node_id = any (these) or b_node_id = any (these)
    union all select 'space_member', count(*) from weft.space_member
      where space_id in (select space_id from space)
    union all select 'acl_rule', count(*) from weft.acl_rule where node_id = any (these)
    -- As groups_of reads them: with the owner's rights, so that none is hidden.
    union all select 'cug', count(*) from groups
    union all select 'cug_node', coalesce(sum(cardinality(members)), 0)::bigint from groups
    union all select 'circuit', count(*) from weft.circuits_of(these)
    union all select 'net_space', count(distinct space_id) from segment
    union all select 'segment_route', count(*) from segment
    union all select 'segment_route_node', coalesce(sum(cardinality(pop_ids)), 0)::bigint from segment
    union all select 'dns_entry', count(*) from weft.dns_entry where node_id = any (these)
    union all select 'blacklist', count(*) from blocked
    -- Without its nodes an entry would be about all of the enterprise.
    union all select 'blacklist_node', count(*) from weft.blacklist_node x
      where x.node_id = any (these) or x.owner_id in (select id from blocked)
    union all select 'client_service', count(*) from weft.client_service
      where pop_id = any (these) or space_id in (select space_id from space)
    union all select 'mobile_account', count(*) from weft.mobile_account
      where enterprise_id in (select enterprise_id from weft.client_service where pop_id = any (these))
    union all select 'router_template_node', count(*) from weft.router_template_node where node_id = any (these)
    union all select 'router_template_version', count(*) from weft.router_template_version v
      where (v.template_id, v.version) in (
        select m.template_id, m.version from weft.router_template_node m where m.node_id = any (these))
    union all select 'router_interface', count(*) from weft.router_interface where node_id = any (these)
    union all select 'router_interface_line', count(*) from weft.router_interface_line where node_id = any (these)
    union all select 'router_time_node', count(*) from weft.router_time_node where node_id = any (these)
    union all select 'router_ip_group', count(*) from weft.router_ip_group where node_id = any (these)
    union all select 'router_ip_entry', count(*) from weft.router_ip_entry where node_id = any (these)
    union all select 'router_dns_group', count(*) from weft.router_dns_group where node_id = any (these)
    union all select 'router_domain', count(*) from weft.router_domain where node_id = any (these)
    union all select 'router_url_group', count(*) from weft.router_url_group where node_id = any (these)
    union all select 'router_url', count(*) from weft.router_url where node_id = any (these)
    union all select 'router_protocol', count(*) from weft.router_protocol where node_id = any (these)
    union all select 'router_rule_custom', count(*) from weft.router_rule_custom where node_id = any (these)
    union all select 'router_app_group', count(*) from weft.router_app_group where node_id = any (these)
    union all select 'router_dns_control', count(*) from weft.router_dns_control where node_id = any (these)
    union all select 'router_url_rule', count(*) from weft.router_url_rule where node_id = any (these)
    union all select 'router_policy_route', count(*) from weft.router_policy_route where node_id = any (these)
    union all select 'router_bandwidth_pipe', count(*) from weft.router_bandwidth_pipe where node_id = any (these)
    union all select 'router_bw_policy', count(*) from weft.router_bw_policy where node_id = any (these)
    union all select 'router_connlimit', count(*) from weft.router_connlimit where node_id = any (these)
    union all select 'router_bgp', count(*) from weft.router_bgp where node_id = any (these)
    union all select 'router_ospf', count(*) from weft.router_ospf where node_id = any (these)
    union all select 'router_port_mapping', count(*) from weft.router_port_mapping where node_id = any (these)
    -- As classes_in reads them: with the owner's rights, so that none is hidden.
    union all select 'traffic_class', count(*) from weft.classes_in(array(select space_id from space))
  $body$;
begin
  -- As its caller may read them.
  execute format('create function weft.intent_counts(these bigint[], those bigint[])
    returns table (name text, n bigint)
    language sql stable set search_path = weft, pg_temp as %L', body);
  -- As they are.
  execute format('create function weft.intent_counts_whole(these bigint[], those bigint[])
    returns table (name text, n bigint)
    language sql stable security definer set search_path = weft, pg_temp as %L', body);
end $do$;
revoke execute on function weft.intent_counts(bigint[], bigint[]), weft.intent_counts_whole(bigint[], bigint[])
  from public;
grant execute on function weft.intent_counts(bigint[], bigint[]), weft.intent_counts_whole(bigint[], bigint[])
  to weft_worker;
