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
-- A node moves to another enterprise with what it always has or once had: its cards, used codes and
-- devices that were refused. Whatever else of its enterprise hangs on it is in the way, and is named.
alter table weft.router_interface drop constraint router_interface_enterprise_id_node_id_fkey,
  add constraint router_interface_enterprise_id_node_id_fkey foreign key (enterprise_id, node_id)
    references weft.node (enterprise_id, id) on delete cascade on update cascade;

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
  pppoe_password text not null default ''
    constraint router_interface_line_sealed
    check (pppoe_password = '' or pppoe_password like 'sealed:%'),
  has_pppoe_password boolean not null generated always as (pppoe_password <> '') stored,
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
create unique index router_interface_line_vlan
  on weft.router_interface_line (enterprise_id, owner, interface_id, vlan) where vlan > 0;

-- ---------------------------------------------------------------- groups

create table weft.router_time_node (
  id bigint generated always as identity primary key,
  name text not null,
  remark text not null default '',
  weekdays smallint[] not null,
  start_time text not null,
  end_time text not null,
  -- The rule of the contract (hasTime): a time group has at least one minute.
  constraint router_time_node_window
    check (start_time <> end_time and not (start_time = '24:00' and end_time = '00:00'))
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
  nat_lbextra smallint not null,
  -- Policy routes that refuse their flows in place of a way out.
  deny boolean not null default false
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
  password text not null default ''
    constraint router_bgp_sealed check (password = '' or password like 'sealed:%'),
  has_password boolean not null generated always as (password <> '') stored,
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

-- ---------------------------------------------------------------- access control

create table weft.acl_rule (
  id bigint generated always as identity primary key,
  enterprise_id bigint not null,
  node_id bigint not null,
  enabled boolean not null default true,
  section integer not null,
  sort integer not null default 0,
  name text not null,
  action smallint not null check (action in (0, 1)),
  protocol text not null check (protocol in ('any', 'tcp', 'udp', 'icmp')),
  src_ip text,
  dst_ip text,
  src_port text,
  dst_port text,
  remark text not null default '',
  created_by bigint,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  foreign key (enterprise_id, node_id) references weft.node (enterprise_id, id)
    on delete cascade on update cascade
);
create index acl_rule_node on weft.acl_rule (node_id, section, sort, id);
call weft.tenant_table('acl_rule', 'enterprise_id', 'created_by');

create table weft.blacklist (
  id bigint generated always as identity primary key,
  enterprise_id bigint not null references weft.enterprise (id) on delete cascade,
  type text not null check (type in ('ip', 'mac', 'domain', 'url')),
  value text not null,
  enabled boolean not null,
  remark text not null default '',
  created_by bigint,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (enterprise_id, id),
  constraint blacklist_once unique (enterprise_id, type, value)
);
create index blacklist_value_search on weft.blacklist using gin (value gin_trgm_ops);
call weft.tenant_table('blacklist', 'enterprise_id', 'created_by');
call weft.choice_table('blacklist');
-- An agent's entry may be about CPEs of its customers, whose compiles have a scope of their own.
call weft.loop_table('blacklist');
call weft.loop_table('blacklist_node');

-- ---------------------------------------------------------------- an enterprise's own sets

-- Sets of addresses and of host names that belong to an enterprise.
create table weft.enterprise_ipgroup (
  id bigint generated always as identity primary key,
  enterprise_id bigint not null references weft.enterprise (id),
  name text not null,
  share boolean not null default false,
  members text[] not null,
  remark text not null default '',
  created_by bigint,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint enterprise_ipgroup_name unique (enterprise_id, name)
);
call weft.tenant_table('enterprise_ipgroup', 'enterprise_id', 'created_by');
-- A shared set may be used by all below its enterprise.
create policy shared on weft.enterprise_ipgroup for select to weft_api using (
  share and enterprise_id = any ((select weft.above(weft.scope_enterprises()))::bigint[]));

create table weft.enterprise_urlgroup (
  id bigint generated always as identity primary key,
  enterprise_id bigint not null references weft.enterprise (id),
  name text not null,
  members text[] not null,
  remark text not null default '',
  created_by bigint,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint enterprise_urlgroup_name unique (enterprise_id, name)
);
call weft.tenant_table('enterprise_urlgroup', 'enterprise_id', 'created_by');

-- ---------------------------------------------------------------- acceleration

-- Destinations that are meant to leave through a POP, which may be another enterprise's, shared.
create table weft.saas_group (
  id bigint generated always as identity primary key,
  enterprise_id bigint not null references weft.enterprise (id) on delete cascade,
  kind text not null check (kind in ('domain', 'dpi', 'ip', 'app')),
  name text not null,
  members text[] not null,
  -- Null: the controller chooses.
  pop_id bigint references weft.node (id) on delete set null,
  enabled boolean not null,
  remark text not null default '',
  created_by bigint,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (enterprise_id, id),
  constraint saas_group_name unique (enterprise_id, kind, name)
);
create index saas_group_kind on weft.saas_group (kind, id);
create index saas_group_search on weft.saas_group using gin (name gin_trgm_ops);
create index saas_group_pop on weft.saas_group (pop_id) where pop_id is not null;
call weft.tenant_table('saas_group', 'enterprise_id', 'created_by');

create table weft.xwan_speed (
  id bigint generated always as identity primary key,
  enterprise_id bigint not null references weft.enterprise (id) on delete cascade,
  name text not null,
  type smallint not null check (type between 0 and 2),
  enabled boolean not null,
  remark text not null default '',
  created_by bigint,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (enterprise_id, id),
  constraint xwan_speed_name unique (enterprise_id, name)
);
create index xwan_speed_search on weft.xwan_speed using gin (name gin_trgm_ops);
call weft.tenant_table('xwan_speed', 'enterprise_id', 'created_by');

create table weft.xwan_speed_define (
  id bigint generated always as identity primary key,
  enterprise_id bigint not null,
  speed_id bigint not null,
  kind text not null check (kind in ('domain', 'dpi', 'ip', 'app')),
  value text not null,
  remark text not null default '',
  created_by bigint,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  foreign key (enterprise_id, speed_id) references weft.xwan_speed (enterprise_id, id)
    on delete cascade on update cascade,
  constraint xwan_speed_define_once unique (speed_id, kind, value)
);
create index xwan_speed_define_of on weft.xwan_speed_define (speed_id, id);
call weft.tenant_table('xwan_speed_define', 'enterprise_id', 'created_by');

-- What becomes of policy objects on a node: written with each compile. An object without a row here acts
-- as it was asked for, once the device has confirmed a state with it.
create table weft.policy_finding (
  node_id bigint not null,
  enterprise_id bigint not null,
  family text not null,
  -- Whose object it is: the node's own, its template's, or (blacklist entries) its enterprise's.
  level text not null check (level in ('node', 'template', 'enterprise')),
  object_id bigint not null,
  name text not null,
  effect text not null check (effect in ('fallback', 'cannot', 'replaced')),
  reason text not null,
  params jsonb not null default '{}',
  -- The version of the template that the compile saw; of the node's own objects: none.
  template_id bigint,
  template_version integer,
  created_at timestamptz not null default now(),
  -- Whether its object was meant to keep something out: one that cannot is an alarm.
  denies boolean not null default false,
  -- What a device or the product does not support is known before it is saved: it is no matter of health and raises no alarm.
  -- The reasons are those of the contract (domains/policies/policy-finding.ts, unsupportedReasons).
  unsupported boolean not null
    generated always as (reason in ('notCarriedOut', 'fieldNotCarriedOut', 'noVlan', 'noPppoe')) stored,
  primary key (node_id, family, level, object_id),
  foreign key (enterprise_id, node_id) references weft.node (enterprise_id, id)
    on delete cascade on update cascade,
  check ((level = 'template') = (template_id is not null and template_version is not null))
);
call weft.tenant_table('policy_finding');
call weft.loop_table('policy_finding');
create index policy_finding_template on weft.policy_finding (template_id, family, object_id)
  where template_id is not null;
