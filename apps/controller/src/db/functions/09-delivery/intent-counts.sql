-- How many rows the states of these nodes are made of, by table. The worker counts as itself and with the
-- owner's rights on one snapshot: a table that it reads nothing of, though rows are there, must
-- never look like a setting that a user removed.
--
-- PostgreSQL plans a statement of a function anew when the role changes whose rows it reads, as the plan
-- depends on row security. Every compile counts twice, as the worker and as the owner: if the whole count
-- called the other one, each of the two would throw the plan of the other away, and parsing and planning the
-- union took 20 ms of each compiled state. So each has the same text as a body of its own.
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
    ), accelerated as materialized (
      -- As accelerations_in reads them: with the owner's rights, so that none is hidden.
      select * from weft.accelerations_in(array(select space_id from space))
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
    union all select 'saas_group', count(*) from accelerated where object = 'saasGroup'
    union all select 'xwan_speed', count(*) from accelerated where object = 'xwanSpeed'
    union all select 'xwan_speed_define', coalesce(sum(cardinality(members)), 0)::bigint from accelerated
      where object = 'xwanSpeed'
    union all select 'dhcp_reservation', count(*) from weft.dhcp_reservation where node_id = any (these)
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
