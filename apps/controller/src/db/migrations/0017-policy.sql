-- Router policy objects (specification section 7.4): one table for each family, its rows held by a
-- template or by a node, never by both. `owner` says by which in one number (a template's id, or a
-- node's id below zero), so that a reference can be bound to the same holder by a foreign key:
-- (enterprise_id, owner, id), see docs/adr/0012-policy-families.md.

-- Gives a table of a family what all have: holder, creator, policies, and its label once a holder.
create procedure weft.policy_table(name text, label text)
language plpgsql as $$
begin
  execute format('alter table weft.%I
    add enterprise_id bigint not null,
    add template_id bigint,
    add node_id bigint,
    add owner bigint not null generated always as (coalesce(template_id, -node_id)) stored,
    add created_by bigint,
    add created_at timestamptz not null default now(),
    add updated_at timestamptz not null default now(),
    add check (num_nonnulls(template_id, node_id) = 1),
    add constraint %I unique (enterprise_id, owner, id),
    add foreign key (enterprise_id, template_id)
      references weft.router_template (enterprise_id, id) on delete cascade,
    add foreign key (enterprise_id, node_id) references weft.node (enterprise_id, id) on delete cascade',
    name, name || '_owned');
  execute format('alter table weft.%I add constraint %I unique (enterprise_id, owner, %s)',
    name, name || '_once', label);
  execute format('create index on weft.%I (template_id) where template_id is not null', name);
  execute format('create index on weft.%I (node_id) where node_id is not null', name);
  call weft.tenant_table(name, 'enterprise_id', 'created_by');
end $$;

-- A reference to a row of the same holder. `removal`: what becomes of this row with that one.
create procedure weft.policy_reference(name text, field text, target text, removal text default 'no action')
language plpgsql as $$
begin
  execute format('alter table weft.%I add constraint %I foreign key (enterprise_id, owner, %I)
    references weft.%I (enterprise_id, owner, id) on delete %s',
    name, name || '_' || field, field, target, removal);
  execute format('create index on weft.%I (enterprise_id, owner, %I) where %I is not null',
    name, field, field);
end $$;

-- ---------------------------------------------------------------- interfaces and lines
create table weft.router_interface (
  id bigint generated always as identity primary key,
  name text not null,
  remark text not null default '',
  netcard text not null,
  enabled boolean not null default true,
  vlan smallint check (vlan between 0 and 4094),
  mtu integer check (mtu between 1000 and 1450)
);
call weft.policy_table('router_interface', 'netcard');
-- Cards come with their holder.
create function weft.add_cards() returns trigger
language plpgsql security definer set search_path = weft, pg_temp as $$
begin
  if tg_table_name = 'node' then
    insert into router_interface (enterprise_id, node_id, name, netcard, created_by)
    select a.enterprise_id, a.id, c, c, a.created_by from added a, weft.usual_cards() c;
  else
    insert into router_interface (enterprise_id, template_id, name, netcard, created_by)
    select a.enterprise_id, a.id, c, c, a.created_by from added a, weft.usual_cards() c;
  end if;
  return null;
end $$;
-- The cards that every model has, by their names on the box.
create function weft.usual_cards() returns setof text language sql immutable
  return unnest(array['wan1', 'wan2', 'wan3', 'wan4', 'lan1', 'lan2', 'lan3', 'lan4']);
create trigger add_cards after insert on weft.node
  referencing new table as added for each statement execute function weft.add_cards();
create trigger add_cards after insert on weft.router_template
  referencing new table as added for each statement execute function weft.add_cards();
insert into weft.router_interface (enterprise_id, node_id, name, netcard, created_by)
  select n.enterprise_id, n.id, c, c, n.created_by from weft.node n, weft.usual_cards() c;

create table weft.router_interface_line (
  id bigint generated always as identity primary key,
  name text not null,
  remark text not null default '',
  kind text not null check (kind in ('lan', 'wan')),
  accessposition smallint check (accessposition between 1 and 4),
  interface_id bigint,
  access_type smallint not null,
  ip text,
  mask text,
  gateway text,
  vlan smallint check (vlan between 0 and 4094),
  mtu integer check (mtu between 1000 and 1450),
  pppoe_user text not null default '',
  pppoe_password text not null default '',
  up_bandwidth bigint check (up_bandwidth >= 64),
  down_bandwidth bigint check (down_bandwidth >= 64),
  line_quality smallint not null,
  dhcp_start text,
  dhcp_end text,
  hot_standby_group smallint,
  hot_standby_priority smallint,
  check (kind = 'lan' or accessposition is not null)
);
call weft.policy_table('router_interface_line', 'name');
create unique index router_interface_line_position
  on weft.router_interface_line (enterprise_id, owner, accessposition) where kind = 'wan';
call weft.policy_reference('router_interface_line', 'interface_id', 'router_interface');

-- ---------------------------------------------------------------- groups
create table weft.router_time_node (
  id bigint generated always as identity primary key,
  name text not null,
  remark text not null default '',
  weekdays smallint[] not null,
  start_time text not null,
  end_time text not null
);
call weft.policy_table('router_time_node', 'name');
create table weft.router_ip_group (
  id bigint generated always as identity primary key,
  name text not null,
  remark text not null default ''
);
call weft.policy_table('router_ip_group', 'name');
create table weft.router_ip_entry (
  id bigint generated always as identity primary key,
  name text not null,
  remark text not null default '',
  ipgroup_id bigint not null,
  ip text not null
);
call weft.policy_table('router_ip_entry', 'name');
call weft.policy_reference('router_ip_entry', 'ipgroup_id', 'router_ip_group', 'cascade');
create table weft.router_dns_group (
  id bigint generated always as identity primary key,
  name text not null,
  remark text not null default ''
);
call weft.policy_table('router_dns_group', 'name');
create table weft.router_domain (
  id bigint generated always as identity primary key,
  name text not null,
  remark text not null default '',
  dnsgroup_id bigint not null,
  domain text not null
);
call weft.policy_table('router_domain', 'name');
call weft.policy_reference('router_domain', 'dnsgroup_id', 'router_dns_group', 'cascade');
create table weft.router_url_group (
  id bigint generated always as identity primary key,
  name text not null,
  remark text not null default ''
);
call weft.policy_table('router_url_group', 'name');
create table weft.router_url (
  id bigint generated always as identity primary key,
  name text not null,
  remark text not null default '',
  urlgroup_id bigint not null,
  url text not null,
  allow_only_host boolean not null
);
call weft.policy_table('router_url', 'name');
call weft.policy_reference('router_url', 'urlgroup_id', 'router_url_group', 'cascade');

-- ---------------------------------------------------------------- protocols
create table weft.router_protocol (
  id bigint generated always as identity primary key,
  name text not null,
  remark text not null default '',
  enabled boolean not null,
  sort integer not null check (sort between 0 and 9999),
  l7pro bigint[] not null,
  n_pid integer not null,
  protocol text not null,
  src_port text,
  dst_port text,
  dst_ip text
);
call weft.policy_table('router_protocol', 'name');
create table weft.router_rule_custom (
  id bigint generated always as identity primary key,
  name text not null,
  remark text not null default '',
  kind text not null check (kind in ('node', 'domain')),
  ref_id bigint not null,
  value text not null
);
call weft.policy_table('router_rule_custom', 'name');
call weft.policy_reference('router_rule_custom', 'ref_id', 'router_protocol', 'cascade');
create table weft.router_app_group (
  id bigint generated always as identity primary key,
  name text not null,
  remark text not null default '',
  l7ids bigint[] not null
);
call weft.policy_table('router_app_group', 'name');
create index router_app_group_own on weft.router_app_group using gin (l7ids);

-- ---------------------------------------------------------------- rules
create table weft.router_dns_control (
  id bigint generated always as identity primary key,
  name text not null,
  remark text not null default '',
  enabled boolean not null,
  sort integer not null check (sort between 0 and 9999),
  serverip text not null,
  serverip2 text,
  outlineid bigint,
  dnsgroup bigint,
  domainid bigint,
  effectivedate smallint[] not null,
  dnsroute smallint not null,
  return_trip smallint not null
);
call weft.policy_table('router_dns_control', 'name');
call weft.policy_reference('router_dns_control', 'outlineid', 'router_interface_line');
call weft.policy_reference('router_dns_control', 'dnsgroup', 'router_dns_group');
call weft.policy_reference('router_dns_control', 'domainid', 'router_domain');
create table weft.router_url_rule (
  id bigint generated always as identity primary key,
  name text not null,
  remark text not null default '',
  enabled boolean not null,
  sort integer not null check (sort between 0 and 9999),
  urlgroup_id bigint not null,
  ipgroup_id bigint,
  time_id bigint,
  action smallint not null,
  redirect_url text
);
call weft.policy_table('router_url_rule', 'name');
call weft.policy_reference('router_url_rule', 'urlgroup_id', 'router_url_group');
call weft.policy_reference('router_url_rule', 'ipgroup_id', 'router_ip_group');
call weft.policy_reference('router_url_rule', 'time_id', 'router_time_node');
create table weft.router_policy_route (
  id bigint generated always as identity primary key,
  name text not null,
  remark text not null default '',
  enabled boolean not null,
  sort integer not null check (sort between 0 and 9999),
  src_ipgroup_id bigint,
  dst_ipgroup_id bigint,
  appgroup_id bigint,
  time_id bigint,
  line_group smallint not null,
  nat_type smallint not null,
  next_hop text,
  ttl_increment smallint not null,
  nat_lbextra smallint not null
);
call weft.policy_table('router_policy_route', 'name');
call weft.policy_reference('router_policy_route', 'src_ipgroup_id', 'router_ip_group');
call weft.policy_reference('router_policy_route', 'dst_ipgroup_id', 'router_ip_group');
call weft.policy_reference('router_policy_route', 'appgroup_id', 'router_app_group');
call weft.policy_reference('router_policy_route', 'time_id', 'router_time_node');
create table weft.router_bandwidth_pipe (
  id bigint generated always as identity primary key,
  name text not null,
  remark text not null default '',
  gbw bigint not null check (gbw >= 64),
  maxbw bigint not null check (maxbw >= gbw),
  direction smallint not null,
  line_id bigint
);
call weft.policy_table('router_bandwidth_pipe', 'name');
call weft.policy_reference('router_bandwidth_pipe', 'line_id', 'router_interface_line');
create table weft.router_bw_policy (
  id bigint generated always as identity primary key,
  name text not null,
  remark text not null default '',
  enabled boolean not null,
  sort integer not null check (sort between 0 and 9999),
  pipe_id bigint not null,
  appgroup_id bigint,
  ipgroup_id bigint,
  time_id bigint
);
call weft.policy_table('router_bw_policy', 'name');
call weft.policy_reference('router_bw_policy', 'pipe_id', 'router_bandwidth_pipe');
call weft.policy_reference('router_bw_policy', 'appgroup_id', 'router_app_group');
call weft.policy_reference('router_bw_policy', 'ipgroup_id', 'router_ip_group');
call weft.policy_reference('router_bw_policy', 'time_id', 'router_time_node');
create table weft.router_connlimit (
  id bigint generated always as identity primary key,
  name text not null,
  enabled boolean not null,
  ipgroup_id bigint,
  max_connections integer not null,
  max_new_per_second integer
);
call weft.policy_table('router_connlimit', 'name');
call weft.policy_reference('router_connlimit', 'ipgroup_id', 'router_ip_group');

-- ---------------------------------------------------------------- routing daemons and ports
create table weft.router_bgp (
  id bigint generated always as identity primary key,
  asn bigint not null,
  neighbor_ip text not null,
  neighbor_asn bigint not null,
  networks text not null,
  hold_time integer,
  password text not null default '',
  enabled boolean not null
);
call weft.policy_table('router_bgp', 'neighbor_ip');
create table weft.router_ospf (
  id bigint generated always as identity primary key,
  area text not null,
  interface_name text not null,
  cost integer,
  flags smallint not null,
  hello_interval integer,
  dead_interval integer,
  enabled boolean not null
);
call weft.policy_table('router_ospf', 'interface_name');
create table weft.router_port_mapping (
  id bigint generated always as identity primary key,
  protocol text not null,
  external_port text not null,
  internal_ip text not null,
  internal_port text not null,
  line_id bigint,
  enabled boolean not null,
  remark text not null default ''
);
call weft.policy_table('router_port_mapping', 'protocol, external_port, line_id');
call weft.policy_reference('router_port_mapping', 'line_id', 'router_interface_line');
