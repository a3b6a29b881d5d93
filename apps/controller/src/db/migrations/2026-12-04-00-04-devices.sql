-- CPEs and POPs: what is set on a device, how it is admitted, what it reports, what it is asked to do.

create table weft.cpe_area (
  id bigint generated always as identity primary key,
  enterprise_id bigint not null references weft.enterprise (id) on delete cascade,
  parent_id bigint,
  name text not null,
  sort integer not null default 0,
  created_by bigint,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (enterprise_id, id),
  constraint cpe_area_above foreign key (enterprise_id, parent_id)
    references weft.cpe_area (enterprise_id, id),
  constraint cpe_area_name unique nulls not distinct (enterprise_id, parent_id, name)
);
call weft.tenant_table('cpe_area', 'enterprise_id', 'created_by');

create table weft.node (
  id bigint generated always as identity primary key,
  enterprise_id bigint not null references weft.enterprise (id),
  kind text not null check (kind in ('cpe', 'pop')),
  name text not null,
  sn text not null,
  enabled boolean not null default true,
  is_push boolean not null default false,
  x_mode smallint not null default 0,
  regions text not null default '',
  longitude numeric(9, 6),
  latitude numeric(8, 6),
  bandwidth_kbps bigint,
  expire_at timestamptz,
  area_id bigint,
  parent_node_id bigint,
  -- Which CPEs of an enterprise are each other's standby (specification section 5).
  hot_standby_group smallint check (hot_standby_group between 1 and 255),
  hot_standby_role text check (hot_standby_role in ('active', 'standby')),
  hot_standby_priority smallint check (hot_standby_priority between 1 and 255),
  remark text not null default '',
  created_by bigint,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  -- IANA name of the time zone that a site's time groups are in; null: the one of its enterprise's parameters.
  time_zone text,
  unique (enterprise_id, id),
  constraint node_name unique (enterprise_id, kind, name),
  constraint node_sn unique (enterprise_id, sn),
  constraint node_area foreign key (enterprise_id, area_id)
    references weft.cpe_area (enterprise_id, id) on delete set null (area_id),
  constraint node_behind foreign key (enterprise_id, parent_node_id)
    references weft.node (enterprise_id, id) on delete set null (parent_node_id),
  constraint node_standby_whole check (
    (hot_standby_group is null) = (hot_standby_role is null)
    and (hot_standby_group is null) = (hot_standby_priority is null))
);
create index node_by_kind on weft.node (kind, id);
create index node_name_search on weft.node using gin (name gin_trgm_ops);
create index node_expiry on weft.node (kind, expire_at, id) where expire_at is not null;
create index node_in_area on weft.node (area_id) where area_id is not null;
create index node_children on weft.node (parent_node_id) where parent_node_id is not null;
-- One active and one standby device a group (A-31).
create unique index node_standby
  on weft.node (enterprise_id, hot_standby_group, hot_standby_role)
  where hot_standby_group is not null;
-- Devices are searched by a part of its serial number as well as of its name.
create index node_sn_search on weft.node using gin (sn gin_trgm_ops);
call weft.tenant_table('node', 'enterprise_id', 'created_by');

-- Rows of one enterprise that another may read: the POPs that its spaces use.
create table weft.share (
  enterprise_id bigint not null references weft.enterprise (id) on delete cascade,
  kind text not null check (kind in ('pop')),
  row_id bigint not null references weft.node (id) on delete cascade,
  created_by bigint,
  created_at timestamptz not null default now(),
  primary key (enterprise_id, kind, row_id)
);
create index share_row on weft.share (kind, row_id);
call weft.tenant_table('share');
create policy shared on weft.node for select to weft_api using (
  kind = 'pop' and id in (
    select row_id from weft.share
    where share.kind = 'pop' and share.enterprise_id = any ((select weft.scope_enterprises())::bigint[])));

-- Which CPEs are located at a branch.
create table weft.branch_node (
  enterprise_id bigint not null,
  owner_id bigint not null,
  node_enterprise_id bigint not null,
  node_id bigint not null,
  place smallint not null,
  primary key (owner_id, node_id),
  -- A device is at one place.
  constraint branch_node_once unique (node_id),
  foreign key (enterprise_id, owner_id) references weft.branch (enterprise_id, id)
    on update cascade on delete cascade,
  foreign key (node_enterprise_id, node_id) references weft.node (enterprise_id, id)
    on update cascade on delete cascade
);
call weft.tenant_table('branch_node');

-- ---------------------------------------------------------------- what is set on a device

create table weft.line (
  id bigint generated always as identity primary key,
  enterprise_id bigint not null,
  node_id bigint not null,
  slot smallint not null check (slot between 1 and 4),
  name text not null,
  interface_name text not null,
  addressing text not null check (addressing in ('static', 'dhcp')),
  ip text,
  gateway text,
  isp text not null default '',
  line_quality smallint not null default 0,
  reachable boolean not null default false,
  mtu integer not null check (mtu between 1000 and 1450),
  up_kbps bigint check (up_kbps >= 64),
  down_kbps bigint check (down_kbps >= 64),
  remark text not null default '',
  created_by bigint,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  -- Where others call a WAN link that is behind a NAT which leads every port on unchanged; null: at its own address.
  public_ip text,
  -- Where a NAT leads only some ports on, and from others: the first of those that belong to tunnels (51,820 upwards).
  public_port integer check (public_port between 1 and 51820),
  foreign key (enterprise_id, node_id) references weft.node (enterprise_id, id) on delete cascade,
  unique (enterprise_id, id),
  constraint line_slot unique (node_id, slot),
  constraint line_interface unique (node_id, interface_name),
  constraint line_public_port_of_address check (public_port is null or public_ip is not null)
);
call weft.tenant_table('line', 'enterprise_id', 'created_by');
create policy shared on weft.line for select to weft_api using (
  node_id in (select row_id from weft.share
    where share.kind = 'pop' and share.enterprise_id = any ((select weft.scope_enterprises())::bigint[])));

create table weft.lan_section (
  id bigint generated always as identity primary key,
  enterprise_id bigint not null,
  node_id bigint not null,
  interface_name text not null,
  network text not null,
  network6 text,
  vlan smallint check (vlan between 0 and 4094),
  enable_forward boolean not null default true,
  enable_direct boolean not null default true,
  remark text not null default '',
  created_by bigint,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  -- Hosts of a LAN section may reach the internet by the space, where another site announces a default route.
  enable_central boolean not null default false,
  -- Of two CPEs of one site that stand for each other: an own address of each in the LANs that they share.
  own_address text,
  foreign key (enterprise_id, node_id) references weft.node (enterprise_id, id) on delete cascade
);
create index lan_section_node on weft.lan_section (node_id);
-- A tag belongs to one network of a port.
create unique index lan_section_vlan on weft.lan_section (node_id, interface_name, vlan)
  where vlan > 0;
call weft.tenant_table('lan_section', 'enterprise_id', 'created_by');

-- Network cards that lines and LAN sections name, with remarks about them.
create table weft.cpe_port (
  id bigint generated always as identity primary key,
  enterprise_id bigint not null,
  node_id bigint not null,
  name text not null,
  role text not null check (role in ('wan', 'lan')),
  speed_mbps integer check (speed_mbps > 0),
  remark text not null default '',
  updated_at timestamptz not null default now(),
  foreign key (enterprise_id, node_id) references weft.node (enterprise_id, id)
    on delete cascade on update cascade,
  constraint cpe_port_once unique (node_id, name)
);
call weft.tenant_table('cpe_port');

create table weft.static_route (
  id bigint generated always as identity primary key,
  enterprise_id bigint not null,
  node_id bigint not null,
  enabled boolean not null default true,
  destination text not null,
  next_hop text not null,
  metric smallint not null check (metric between 0 and 255),
  announce boolean not null default false,
  remark text not null default '',
  created_by bigint,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  foreign key (enterprise_id, node_id) references weft.node (enterprise_id, id) on delete cascade,
  constraint static_route_once unique (node_id, destination, next_hop)
);
call weft.tenant_table('static_route', 'enterprise_id', 'created_by');

create table weft.dns_entry (
  id bigint generated always as identity primary key,
  enterprise_id bigint not null,
  node_id bigint not null,
  enabled boolean not null default true,
  type smallint not null check (type in (0, 1)),
  domain text not null,
  address text not null,
  remark text not null default '',
  created_by bigint,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  foreign key (enterprise_id, node_id) references weft.node (enterprise_id, id)
    on delete cascade on update cascade,
  constraint dns_entry_once unique (node_id, domain, address)
);
call weft.tenant_table('dns_entry', 'enterprise_id', 'created_by');

-- Items in their wire form; those that are missing are as the contract says.
create table weft.node_config (
  node_id bigint primary key,
  enterprise_id bigint not null,
  items jsonb not null default '{}',
  cug_enabled boolean not null default true,
  cug_bps bigint check (cug_bps >= 64000),
  updated_at timestamptz not null default now(),
  foreign key (enterprise_id, node_id) references weft.node (enterprise_id, id)
    on delete cascade on update cascade
);
call weft.tenant_table('node_config');
call weft.loop_table('node_config');

-- ---------------------------------------------------------------- enrolment

create table weft.claim (
  id bigint generated always as identity primary key,
  enterprise_id bigint not null,
  node_id bigint not null,
  token_hash bytea not null unique,
  sn text not null,
  pre_approved boolean not null,
  expires_at timestamptz not null,
  -- Key that used it: the same device may ask again, no other.
  used_key text,
  used_at timestamptz,
  revoked_at timestamptz,
  created_by bigint not null,
  created_at timestamptz not null default now(),
  foreign key (enterprise_id, node_id)
    references weft.node (enterprise_id, id) on delete cascade on update cascade
);
create index claim_node on weft.claim (node_id);
call weft.tenant_table('claim');

create table weft.node_identity (
  id bigint generated always as identity primary key,
  enterprise_id bigint not null,
  node_id bigint not null,
  -- Raw Ed25519 public key, base64url.
  public_key text not null unique,
  sn text not null,
  address text not null,
  state text not null check (state in ('pending', 'approved', 'rejected', 'quarantined')),
  created_at timestamptz not null default now(),
  decided_at timestamptz,
  decided_by text,
  -- The newest key of the controller that the device has reported to hold on its disk; null: it never reported any.
  pinned_key text,
  foreign key (enterprise_id, node_id)
    references weft.node (enterprise_id, id) on delete cascade on update cascade
);
create index node_identity_waiting on weft.node_identity (state, id);
create unique index one_identity_in_place on weft.node_identity (node_id)
  where state in ('approved', 'quarantined');
-- The devices of a node are looked up whenever one is claimed, replaced or removed, whatever their state.
create index node_identity_node on weft.node_identity (node_id);
call weft.tenant_table('node_identity');
call weft.loop_table('node_identity', 'select');

-- ---------------------------------------------------------------- contact

-- What a node last said of itself, and where its socket is.
create table weft.node_status (
  node_id bigint primary key references weft.node (id) on delete cascade,
  enterprise_id bigint not null,
  online boolean not null default false,
  gateway text,
  session_epoch bigint not null default 0,
  last_seen timestamptz,
  version text,
  running_epoch bigint,
  running_serial bigint,
  running_digest text,
  -- The last drift of the device: its plan in text, since when, and when it ended.
  drift_steps integer,
  drift_plan jsonb not null default '[]',
  drift_since timestamptz,
  drift_ended_at timestamptz,
  capabilities jsonb not null default '[]',
  lines jsonb not null default '[]',
  tunnel_key text,
  -- Where the newest socket came from.
  socket_address text,
  -- Sockets that were replaced while the other end still answered: [{at, from, to}], the last few.
  replacements jsonb not null default '[]',
  -- Addresses that a device gave hosts of its LANs, as it last reported them, at most 1,000 of them.
  leases jsonb not null default '[]',
  lease_total integer not null default 0,
  -- What a device of a standby group reports of its place in it, and since when.
  standby_place text,
  standby_since timestamptz,
  -- What a device reports of itself, such as another key of its tunnels, makes states of all its peers. The first
  -- change acts at once; one that changes again and again acts after 5, 30 and then 300 seconds, and starts
  -- afresh after ten quiet minutes. What it reported last is what acts. Addresses of lines wait for 5 seconds at
  -- most: lines are given others, and tunnels are down until their peers know.
  -- How many pauses it has had in a row.
  news_pauses smallint not null default 0,
  -- When its last change acted.
  news_at timestamptz,
  -- When the one that waits acts; null: none waits.
  news_due_at timestamptz,
  -- When it had its first key of tunnels, which acts at once; null: never.
  keyed_at timestamptz,
  -- Seconds that what waits may wait at most.
  news_longest smallint not null default 300
);
call weft.tenant_table('node_status');
call weft.loop_table('node_status', 'select, insert, update');
create policy shared on weft.node_status for select to weft_api using (
  node_id in (select row_id from weft.share
    where share.kind = 'pop' and share.enterprise_id = any ((select weft.scope_enterprises())::bigint[])));
create index node_status_news on weft.node_status (news_due_at) where news_due_at is not null;
create policy of_nodes on weft.node_status to weft_gateway
  using (node_id = any ((select weft.node_ids())::bigint[]))
  with check (node_id = any ((select weft.node_ids())::bigint[]));

create table weft.cpe_link_log (
  id bigint generated always as identity primary key,
  enterprise_id bigint not null,
  node_id bigint not null references weft.node (id) on delete cascade,
  online boolean not null,
  address text,
  at timestamptz not null default now()
);
create index cpe_link_log_node on weft.cpe_link_log (node_id, at desc);
call weft.tenant_table('cpe_link_log');
call weft.loop_table('cpe_link_log');
revoke insert, update on weft.cpe_link_log from weft_api, weft_api_all, weft_worker;

-- ---------------------------------------------------------------- scheduled tests, firmware, commands

create table weft.dial_task (
  id bigint generated always as identity primary key,
  enterprise_id bigint not null references weft.enterprise (id) on delete cascade,
  name text not null,
  type text not null check (type in ('ping', 'http', 'dns', 'trace')),
  target text not null,
  interval_s integer not null check (interval_s between 30 and 86400),
  enabled boolean not null,
  remark text not null default '',
  last_run timestamptz,
  created_by bigint,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (enterprise_id, id),
  constraint dial_task_name unique (enterprise_id, name)
);
call weft.tenant_table('dial_task', 'enterprise_id', 'created_by');
call weft.loop_table('dial_task');
call weft.choice_table('dial_task');
call weft.loop_table('dial_task_node');

create table weft.firmware_task (
  id bigint generated always as identity primary key,
  enterprise_id bigint not null references weft.enterprise (id) on delete cascade,
  name text not null,
  version text not null,
  schedule text not null,
  status smallint not null default 0 check (status between 0 and 4),
  created_by bigint,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (enterprise_id, id)
);
create index firmware_task_status on weft.firmware_task (status, id);
call weft.tenant_table('firmware_task', 'enterprise_id', 'created_by');
call weft.choice_table('firmware_task');

-- What a device is asked to do, once, within its time. Only the gateway that holds its socket sends it.
create table weft.node_command (
  id bigint generated always as identity primary key,
  enterprise_id bigint not null,
  node_id bigint not null,
  dial_task_id bigint references weft.dial_task (id) on delete cascade,
  what jsonb not null,
  timeout_ms integer not null check (timeout_ms between 1000 and 120000),
  status text not null default 'waiting'
    check (status in ('waiting', 'sent', 'done', 'failed', 'refused', 'expired')),
  reason text,
  result jsonb,
  created_by bigint not null,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  ended_at timestamptz,
  foreign key (enterprise_id, node_id) references weft.node (enterprise_id, id)
    on delete cascade on update cascade
);
create index node_command_open on weft.node_command (node_id) where status in ('waiting', 'sent');
create index node_command_task on weft.node_command (dial_task_id, created_at desc)
  where dial_task_id is not null;
create index node_command_old on weft.node_command (created_at);
call weft.tenant_table('node_command');
call weft.loop_table('node_command', 'select, update');

-- A device whose node was removed learns of it when it connects, and gives its machine back. Only keys that were approved:
-- a stranger learns nothing, and a key that is enrolled for another node is that node's.
create table weft.removed_device (
  public_key text primary key,
  node_id bigint not null,
  enterprise_id bigint not null,
  sn text not null,
  removed_at timestamptz not null default now()
);
call weft.tenant_table('removed_device');

-- What devices report makes states of their peers. node_status bounds that for each device; a POP that tenants share is
-- bounded here, too: several devices of one tenant that report changes in turn act at it together, after 1, 1, 2, 5,
-- 10, 20 and then every 30 seconds (addresses: 5 at most), and all tenants together every 2 seconds. Two quiet minutes
-- start it afresh. What was reported last is what acts. Saves of people wait for none of it.
create table weft.report_hold_down (
  pop_id bigint not null references weft.node (id) on delete cascade,
  -- Tenant whose devices acted at the POP; null: any.
  enterprise_id bigint references weft.enterprise (id) on delete cascade,
  -- How often in a row, and the last time.
  turns smallint not null,
  acted_at timestamptz not null,
  unique nulls not distinct (pop_id, enterprise_id)
);
call weft.tenant_table('report_hold_down');
call weft.loop_table('report_hold_down');
revoke insert, update, delete on weft.report_hold_down from weft_api, weft_api_all, weft_worker;
