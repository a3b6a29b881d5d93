-- The version of a row (contract kernel/row-version.ts) is a column that a trigger increases with each change of what a form
-- edits, whoever makes it. What else is in the row (times, states, what devices and reviews write) leaves it as it is.
--
-- A version is the time of its transaction in microseconds, or one more than the version before where that is later:
-- each is larger than those before it, none comes back after a restored backup, and what the operation log has of the
-- changes since a version is found by the time alone.

create function weft.version_now() returns bigint
  language sql stable set search_path = weft, pg_temp
  return (extract(epoch from now()) * 1000000)::bigint;

create function weft.next_row_version() returns trigger
language plpgsql set search_path = weft, pg_temp as $$
begin
  new.row_version := greatest(weft.version_now(), old.row_version + 1);
  return new;
end $$;

-- Gives a table the column and its trigger. @param columns what forms edit
create procedure weft.version_rows(of_table text, variadic columns text[])
language plpgsql as $$
declare
  was text := (select string_agg(format('old.%I', name), ', ') from unnest(columns) as name);
  now_is text := (select string_agg(format('new.%I', name), ', ') from unnest(columns) as name);
begin
  execute format('alter table weft.%I add column row_version bigint not null default weft.version_now()', of_table);
  execute format('create trigger row_version before update on weft.%I
    for each row when (row(%s) is distinct from row(%s)) execute function weft.next_row_version()',
    of_table, was, now_is);
end $$;

-- Rows of another table that a form edits as part of its row: members of a group, roles of a user.
create function weft.next_version_of_owner() returns trigger
language plpgsql security definer set search_path = weft, pg_temp as $$
begin
  -- Locked in order: what removes members of several groups at a time meets others that do.
  execute format('with owner as materialized (
      select id from weft.%1$I where id in (select %2$I from changed) order by id for no key update)
    update weft.%1$I o set row_version = greatest(weft.version_now(), o.row_version + 1)
    from owner where owner.id = o.id', tg_argv[0], tg_argv[1]);
  return null;
end $$;
revoke execute on function weft.next_version_of_owner() from public;

create procedure weft.version_members(of_table text, owner text, owner_id text)
language plpgsql as $$
begin
  execute format('create trigger version_added after insert on weft.%I referencing new table as changed
    for each statement execute function weft.next_version_of_owner(%L, %L)', of_table, owner, owner_id);
  execute format('create trigger version_removed after delete on weft.%I referencing old table as changed
    for each statement execute function weft.next_version_of_owner(%L, %L)', of_table, owner, owner_id);
end $$;

-- Resources, and settings that are written whole.
call weft.version_rows('xwan_speed', 'name', 'type', 'enterprise_id', 'enabled', 'remark');
call weft.version_rows('xwan_speed_define', 'speed_id', 'kind', 'value', 'remark');
call weft.version_rows('saas_group', 'name', 'enterprise_id', 'members', 'pop_id', 'enabled', 'remark');
call weft.version_rows('enterprise_ipgroup', 'name', 'enterprise_id', 'remark', 'members', 'share');
call weft.version_rows('enterprise_urlgroup', 'name', 'enterprise_id', 'remark', 'members');
call weft.version_rows('blacklist', 'enterprise_id', 'type', 'value', 'enabled', 'remark');
call weft.version_rows('acl_rule', 'node_id', 'enabled', 'section', 'sort', 'name', 'action', 'protocol', 'src_ip',
  'dst_ip', 'src_port', 'dst_port', 'remark');
call weft.version_rows('vbr_node', 'name', 'enterprise_id', 'cloud', 'pop_id', 'vlan', 'local_ip', 'peer_ip',
  'bandwidth', 'remark');
call weft.version_rows('vbr_table', 'vbr_node_id', 'network', 'next_hop', 'remark');
call weft.version_rows('segment_route', 'name', 'enterprise_id', 'cpe_id', 'destination', 'metric', 'enabled',
  'remark');
call weft.version_rows('route_notice', 'node_id', 'network', 'enabled', 'preference', 'remark');
call weft.version_rows('pop_strategy', 'name', 'enterprise_id', 'remark');
call weft.version_rows('pop_group', 'name', 'strategy_id');
call weft.version_rows('cug', 'name', 'enterprise_id', 'bandwidth_bps', 'enabled', 'remark');
call weft.version_rows('webhook', 'name', 'enterprise_id', 'url', 'events', 'below', 'enabled', 'remark');
call weft.version_rows('message_receiver', 'name', 'enterprise_id', 'email', 'email_flag', 'phone', 'phone_flag',
  'dingtalk', 'dingtalk_flag', 'wechat', 'wechat_flag', 'feishu', 'feishu_flag', 'webhook', 'webhook_flag',
  'language', 'remark');
call weft.version_rows('alarm_window', 'reason', 'enterprise_id', 'kind', 'scope_id', 'carrier', 'starts_at',
  'ends_at', 'remark');
call weft.version_rows('alarm_strategy', 'name', 'enterprise_id', 'enabled', 'remark');
call weft.version_rows('alarm_rule', 'strategy_id', 'metric', 'compare_type', 'threshold', 'hysteresis',
  'duration_s', 'recovery_s', 'level', 'enabled');
call weft.version_rows('mobile_account', 'enterprise_id', 'pop_id', 'login_name', 'alias', 'terminal_type',
  'enabled', 'tx_bps', 'rx_bps', 'phone', 'email', 'expire_at', 'remark');
call weft.version_rows('config_item', 'config_key', 'config_value', 'enterprise_id', 'remark');
call weft.version_rows('company_audit', 'enterprise_id', 'name', 'license', 'id_card', 'contact', 'phone', 'status',
  'remark');
call weft.version_rows('branch', 'enterprise_id', 'name', 'regions', 'address', 'remark');
call weft.version_rows('static_route', 'node_id', 'enabled', 'destination', 'next_hop', 'metric', 'announce',
  'remark');
call weft.version_rows('line', 'node_id', 'slot', 'name', 'interface_name', 'addressing', 'ip', 'gateway',
  'public_ip', 'public_port', 'isp', 'line_quality', 'reachable', 'mtu', 'up_kbps', 'down_kbps', 'remark');
call weft.version_rows('lan_section', 'node_id', 'interface_name', 'network', 'network6', 'vlan', 'enable_forward',
  'enable_direct', 'enable_central', 'own_address', 'remark');
call weft.version_rows('firmware_task', 'enterprise_id', 'name', 'version', 'schedule');
call weft.version_rows('dns_entry', 'node_id', 'enabled', 'type', 'domain', 'address', 'remark');
call weft.version_rows('dial_task', 'name', 'enterprise_id', 'type', 'target', 'interval_s', 'enabled', 'remark');
call weft.version_rows('identity_provider', 'name', 'enterprise_id', 'issuer', 'client_id', 'scopes', 'groups_claim',
  'email_domains', 'default_role_id', 'makes_users', 'has_mfa', 'enabled', 'remark');
call weft.version_rows('router_interface', 'name', 'remark', 'enabled', 'vlan', 'mtu');
call weft.version_rows('router_interface_line', 'name', 'remark', 'kind', 'accessposition', 'interface_id',
  'access_type', 'ip', 'mask', 'gateway', 'vlan', 'mtu', 'pppoe_user', 'up_bandwidth', 'down_bandwidth',
  'line_quality', 'dhcp_start', 'dhcp_end', 'hot_standby_group', 'hot_standby_priority');
call weft.version_rows('router_time_node', 'name', 'remark', 'weekdays', 'start_time', 'end_time');
call weft.version_rows('router_ip_group', 'name', 'remark');
call weft.version_rows('router_ip_entry', 'name', 'remark', 'ipgroup_id', 'ip');
call weft.version_rows('router_dns_group', 'name', 'remark');
call weft.version_rows('router_domain', 'name', 'remark', 'dnsgroup_id', 'domain');
call weft.version_rows('router_url_group', 'name', 'remark');
call weft.version_rows('router_url', 'name', 'remark', 'urlgroup_id', 'url', 'allow_only_host');
call weft.version_rows('router_protocol', 'name', 'remark', 'enabled', 'sort', 'l7pro', 'n_pid', 'protocol',
  'src_port', 'dst_port', 'dst_ip');
call weft.version_rows('router_rule_custom', 'name', 'remark', 'kind', 'ref_id', 'value');
call weft.version_rows('router_app_group', 'name', 'remark', 'l7ids');
call weft.version_rows('router_dns_control', 'name', 'remark', 'enabled', 'sort', 'serverip', 'serverip2',
  'outlineid', 'dnsgroup', 'domainid', 'effectivedate', 'dnsroute', 'return_trip');
call weft.version_rows('router_url_rule', 'name', 'remark', 'enabled', 'sort', 'urlgroup_id', 'ipgroup_id',
  'time_id', 'action', 'redirect_url');
call weft.version_rows('router_policy_route', 'name', 'remark', 'enabled', 'sort', 'src_ipgroup_id',
  'dst_ipgroup_id', 'appgroup_id', 'time_id', 'deny', 'line_group', 'nat_type', 'next_hop', 'ttl_increment',
  'nat_lbextra');
call weft.version_rows('router_bandwidth_pipe', 'name', 'remark', 'gbw', 'maxbw', 'direction', 'line_id');
call weft.version_rows('router_bw_policy', 'name', 'remark', 'enabled', 'sort', 'pipe_id', 'appgroup_id',
  'ipgroup_id', 'time_id');
call weft.version_rows('router_connlimit', 'name', 'enabled', 'ipgroup_id', 'max_connections', 'max_new_per_second');
call weft.version_rows('router_bgp', 'asn', 'neighbor_ip', 'neighbor_asn', 'networks', 'hold_time', 'enabled');
call weft.version_rows('router_ospf', 'area', 'interface_name', 'cost', 'flags', 'hello_interval', 'dead_interval',
  'enabled');
call weft.version_rows('router_port_mapping', 'protocol', 'external_port', 'internal_ip', 'internal_port', 'line_id',
  'enabled', 'remark');
call weft.version_rows('net_space', 'name', 'enterprise_id', 'topology', 'remark');
call weft.version_rows('circuit', 'name', 'enterprise_id', 'source_id', 'target_id', 'bandwidth_kbps',
  'guaranteed_kbps', 'line_quality', 'enabled', 'expire_at', 'remark');
call weft.version_rows('sys_user', 'login_name', 'name', 'enterprise_id', 'phone', 'email', 'remark');
call weft.version_rows('api_key', 'name', 'enterprise_id', 'role_id', 'expires_at', 'remark');
call weft.version_rows('role', 'code', 'name', 'enterprise_id', 'role_type', 'data_scope', 'demands_factor',
  'remark');
call weft.version_rows('router_template', 'name', 'remark');
call weft.version_rows('enterprise', 'parent_id', 'name', 'enterprise_type', 'is_agent', 'province', 'city',
  'region', 'contact', 'phone', 'email', 'business_type', 'end_at', 'cpe_limit', 'account_limit', 'password_policy',
  'credit_limit', 'remark');
call weft.version_rows('node', 'enterprise_id', 'name', 'sn', 'enabled', 'x_mode', 'regions', 'longitude',
  'latitude', 'bandwidth_kbps', 'area_id', 'time_zone', 'expire_at', 'remark');
call weft.version_rows('enterprise_param', 'expire_notice_days', 'timezone', 'default_pop_strategy_id', 'log_days');
call weft.version_rows('brand', 'name', 'color', 'host');
call weft.version_rows('client_service', 'enabled', 'space_id', 'pop_id', 'pool', 'host', 'dns', 'routes', 'tx_bps',
  'rx_bps', 'terminal_types');
call weft.version_rows('traffic_class', 'enabled', 'realtime_loss', 'realtime_delay', 'realtime_jitter',
  'realtime_dscp', 'transactional_loss', 'transactional_delay', 'transactional_jitter', 'transactional_dscp',
  'bulk_loss', 'bulk_delay', 'bulk_jitter', 'bulk_dscp', 'default_loss', 'default_delay', 'default_jitter');
call weft.version_rows('node_config', 'items');

-- What an enterprise says of itself is a form of its own.
alter table weft.enterprise add column info_version bigint not null default weft.version_now();
create function weft.next_info_version() returns trigger
language plpgsql set search_path = weft, pg_temp as $$
begin
  new.info_version := greatest(weft.version_now(), old.info_version + 1);
  return new;
end $$;
create trigger info_version before update on weft.enterprise
  for each row when ((old.province, old.city, old.region, old.contact, old.phone, old.email)
    is distinct from (new.province, new.city, new.region, new.contact, new.phone, new.email))
  execute function weft.next_info_version();

call weft.version_members('blacklist_node', 'blacklist', 'owner_id');
call weft.version_members('segment_route_node', 'segment_route', 'owner_id');
call weft.version_members('pop_strategy_node', 'pop_strategy', 'owner_id');
call weft.version_members('pop_group_node', 'pop_group', 'owner_id');
call weft.version_members('cug_node', 'cug', 'owner_id');
call weft.version_members('alarm_window_node', 'alarm_window', 'owner_id');
call weft.version_members('alarm_window_pop', 'alarm_window', 'owner_id');
call weft.version_members('alarm_strategy_node', 'alarm_strategy', 'owner_id');
call weft.version_members('alarm_strategy_pop', 'alarm_strategy', 'owner_id');
call weft.version_members('alarm_strategy_receiver', 'alarm_strategy', 'strategy_id');
call weft.version_members('branch_node', 'branch', 'owner_id');
call weft.version_members('firmware_task_node', 'firmware_task', 'owner_id');
call weft.version_members('dial_task_node', 'dial_task', 'owner_id');
call weft.version_members('identity_provider_role', 'identity_provider', 'provider_id');
call weft.version_members('space_member', 'net_space', 'space_id');
call weft.version_members('user_role', 'sys_user', 'user_id');
call weft.version_members('role_permission', 'role', 'role_id');
call weft.version_members('role_enterprise', 'role', 'role_id');
