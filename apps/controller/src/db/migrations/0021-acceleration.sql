-- Acceleration groups and profiles, segment routes, route notices, attachments to clouds.

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

create table weft.segment_route (
  id bigint generated always as identity primary key,
  enterprise_id bigint not null references weft.enterprise (id) on delete cascade,
  name text not null,
  -- Null: from every CPE of the enterprise.
  cpe_id bigint,
  destination text not null,
  metric smallint not null check (metric between 0 and 255),
  enabled boolean not null,
  remark text not null default '',
  created_by bigint,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (enterprise_id, id),
  constraint segment_route_name unique (enterprise_id, name),
  constraint segment_route_cpe foreign key (enterprise_id, cpe_id)
    references weft.node (enterprise_id, id) on delete cascade,
  constraint segment_route_once unique nulls not distinct (enterprise_id, cpe_id, destination, metric)
);
create index segment_route_search on weft.segment_route using gin (name gin_trgm_ops);
create index segment_route_from on weft.segment_route (cpe_id) where cpe_id is not null;
call weft.tenant_table('segment_route', 'enterprise_id', 'created_by');

create table weft.segment_route_node (
  enterprise_id bigint not null,
  owner_id bigint not null,
  node_enterprise_id bigint not null,
  node_id bigint not null,
  place smallint not null,
  primary key (owner_id, node_id),
  foreign key (enterprise_id, owner_id) references weft.segment_route (enterprise_id, id)
    on update cascade on delete cascade,
  foreign key (node_enterprise_id, node_id) references weft.node (enterprise_id, id)
    on update cascade on delete cascade
);
create index segment_route_node_by_node on weft.segment_route_node (node_id);
call weft.tenant_table('segment_route_node');

create table weft.route_notice (
  id bigint generated always as identity primary key,
  enterprise_id bigint not null,
  node_id bigint not null,
  network text not null,
  enabled boolean not null,
  remark text not null default '',
  created_by bigint,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  foreign key (enterprise_id, node_id) references weft.node (enterprise_id, id)
    on delete cascade on update cascade,
  constraint route_notice_once unique (node_id, network)
);
create index route_notice_network on weft.route_notice (network, id);
create index route_notice_search on weft.route_notice using gin (network gin_trgm_ops);
call weft.tenant_table('route_notice', 'enterprise_id', 'created_by');

create table weft.vbr_node (
  id bigint generated always as identity primary key,
  enterprise_id bigint not null references weft.enterprise (id) on delete cascade,
  name text not null,
  cloud text not null,
  pop_id bigint not null constraint vbr_node_pop references weft.node (id),
  -- Null or 0: untagged.
  vlan smallint check (vlan between 0 and 4094),
  local_ip text,
  peer_ip text,
  -- kbit/s; null: as the line gives.
  bandwidth integer check (bandwidth >= 64),
  audit_status smallint not null default 0 check (audit_status between 0 and 2),
  audit_by text,
  audited_at timestamptz,
  audit_remark text,
  remark text not null default '',
  created_by bigint,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (enterprise_id, id),
  constraint vbr_node_name unique (enterprise_id, name)
);
-- A VLAN of the line from a POP to a cloud is one customer's; who waits has none yet.
create unique index vbr_node_vlan on weft.vbr_node (pop_id, cloud, vlan)
  where audit_status = 1 and vlan > 0;
create index vbr_node_by_pop on weft.vbr_node (pop_id);
create index vbr_node_search on weft.vbr_node using gin (name gin_trgm_ops);
call weft.tenant_table('vbr_node', 'enterprise_id', 'created_by');

create table weft.vbr_table (
  id bigint generated always as identity primary key,
  enterprise_id bigint not null,
  vbr_node_id bigint not null,
  network text not null,
  next_hop text not null,
  remark text not null default '',
  created_by bigint,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  foreign key (enterprise_id, vbr_node_id) references weft.vbr_node (enterprise_id, id)
    on delete cascade on update cascade,
  constraint vbr_table_once unique (vbr_node_id, network)
);
call weft.tenant_table('vbr_table', 'enterprise_id', 'created_by');
