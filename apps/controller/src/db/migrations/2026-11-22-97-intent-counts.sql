-- Everything that a compile reads is counted: of all members of the node's spaces, linked with it or not,
-- and of the tables that only one kind of node has rows in.
create or replace function weft.intent_counts(this bigint, those bigint[]) returns table (name text, n bigint)
  language sql stable set search_path = weft, pg_temp as $$
    with space as materialized (
      select space_id from weft.space_member where node_id = this
    ), every as materialized (
      select unnest(those) as node_id
      union select m.node_id from weft.space_member m where m.space_id in (select space_id from space)
    )
    select 'node', count(*) from weft.node where id = any (those)
    union all select 'line', count(*) from weft.line where node_id = any (those)
    union all select 'lan_section', count(*) from weft.lan_section where node_id in (select node_id from every)
    union all select 'static_route', count(*) from weft.static_route where node_id in (select node_id from every)
    union all select 'route_notice', count(*) from weft.route_notice where node_id in (select node_id from every)
    union all select 'node_config', count(*) from weft.node_config where node_id = any (those)
    union all select 'node_status', count(*) from weft.node_status where node_id = any (those)
    union all select 'node_pin', count(*) from weft.node_pin where node_id in (select node_id from every)
    union all select 'link', count(*) from weft.link where this in (a_node_id, b_node_id)
    union all select 'link_choice', count(*) from weft.link_choice where this in (a_node_id, b_node_id)
    union all select 'space_member', count(*) from weft.space_member
      where space_id in (select space_id from space)
    union all select 'acl_rule', count(*) from weft.acl_rule where node_id = this
    union all select 'blacklist', count(*) from weft.blacklist b
      where b.enterprise_id = (select enterprise_id from weft.node where id = this)
        or b.id in (select owner_id from weft.blacklist_node where node_id = this)
    -- Without its nodes an entry would be about all of the enterprise.
    union all select 'blacklist_node', count(*) from weft.blacklist_node x
      where x.node_id = this or x.owner_id in (select b.id from weft.blacklist b
        where b.enterprise_id = (select enterprise_id from weft.node where id = this))
    union all select 'client_service', count(*) from weft.client_service
      where pop_id = this or space_id in (select space_id from space)
    union all select 'mobile_account', count(*) from weft.mobile_account
      where enterprise_id in (select enterprise_id from weft.client_service where pop_id = this)
    union all select 'router_template_node', count(*) from weft.router_template_node where node_id = this
    union all select 'router_template_version', count(*) from weft.router_template_version v
      where (v.template_id, v.version) in (
        select m.template_id, m.version from weft.router_template_node m where m.node_id = this)
  $$;
