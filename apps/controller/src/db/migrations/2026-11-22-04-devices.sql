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
  foreign key (enterprise_id, node_id) references weft.node (enterprise_id, id) on delete cascade,
  unique (enterprise_id, id),
  constraint line_slot unique (node_id, slot),
  constraint line_interface unique (node_id, interface_name)
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

create function weft.note_port() returns trigger language plpgsql as $$
begin
  insert into weft.cpe_port (enterprise_id, node_id, name, role)
  values (new.enterprise_id, new.node_id, new.interface_name, tg_argv[0])
  on conflict on constraint cpe_port_once do nothing;
  return null;
end $$;
create trigger line_port after insert or update of interface_name on weft.line
  for each row execute function weft.note_port('wan');
create trigger lan_port after insert or update of interface_name on weft.lan_section
  for each row execute function weft.note_port('lan');

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
  foreign key (enterprise_id, node_id) references weft.node (enterprise_id, id) on delete cascade
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
  foreign key (enterprise_id, node_id) references weft.node (enterprise_id, id) on delete cascade
);
create index node_identity_waiting on weft.node_identity (state, id);
create unique index one_identity_in_place on weft.node_identity (node_id)
  where state in ('approved', 'quarantined');
-- The devices of a node are looked up whenever one is claimed, replaced or removed, whatever their state.
create index node_identity_node on weft.node_identity (node_id);
call weft.tenant_table('node_identity');
call weft.loop_table('node_identity', 'select');

-- A device that is not yet known to be a node is looked up by its key or claim: definer functions for
-- the gateway, so that it needs no right to the tables.

-- Who says hello: the identity of this key on this node, whatever became of it.
create function weft.edge_identity(node bigint, key text)
  returns table (enterprise_id bigint, sn text, state text)
  language sql stable security definer set search_path = weft, pg_temp
  begin atomic
    select i.enterprise_id, i.sn, i.state from weft.node_identity i
    where i.node_id = node and i.public_key = key;
  end;
revoke execute on function weft.edge_identity(bigint, text) from public;
grant execute on function weft.edge_identity(bigint, text) to weft_gateway;

-- The key that may confirm for a node.
create function weft.edge_key(node bigint) returns text
  language sql stable security definer set search_path = weft, pg_temp
  begin atomic
    select i.public_key from weft.node_identity i where i.node_id = node and i.state = 'approved';
  end;
revoke execute on function weft.edge_key(bigint) from public;
grant execute on function weft.edge_key(bigint) to weft_gateway;

-- Uses a claim (design section 6). The verdict is the state of the device's identity, or a refusal of
-- the device protocol. Everything about a claim that exists is audited.
create function weft.use_claim(
  token bytea, serial_number text, key text, from_address text, request text
) returns table (verdict text, node bigint)
language plpgsql security definer set search_path = weft, pg_temp as $$
declare
  c weft.claim;
  identity weft.node_identity;
  replaced weft.node_identity;
begin
  select * into c from weft.claim where token_hash = token for update;
  if not found then
    return query select 'claimUnknown', null::bigint;
    return;
  end if;
  select * into identity from weft.node_identity where public_key = key for update;
  verdict := case
    when c.sn <> serial_number then 'claimOtherSerial'
    when c.used_key is not null and c.used_key <> key then 'claimUsed'
    when c.used_key is null and (c.revoked_at is not null or c.expires_at <= now()) then 'claimExpired'
    when identity.id is not null and identity.node_id <> c.node_id and identity.state = 'approved'
      then 'notYours'
    -- Two devices have this key: neither is admitted with it, whatever claim it has.
    when identity.state = 'quarantined' then 'quarantined'
    when c.used_key is not null and identity.id is null then 'rejected'
    when c.used_key is not null and identity.node_id <> c.node_id then 'notYours'
    when c.used_key is null and exists (select from weft.node n where n.enterprise_id = c.enterprise_id
      and n.sn = c.sn and n.id <> c.node_id) then 'notYours'
  end;
  if verdict is not null then
    insert into weft.audit (enterprise_id, user_id, login_name, action, resource, row_id, new_value, address, request_id)
    values (c.enterprise_id, 0, 'edge', 'edge.enrolRefused', 'claim', c.id,
      jsonb_build_object('reason', verdict, 'sn', serial_number), from_address, request);
    return query select verdict, null::bigint;
    return;
  end if;
  -- The same device asks again: the same answer.
  if c.used_key is not null then
    return query select identity.state, case when identity.state = 'approved' then c.node_id end;
    return;
  end if;
  update weft.claim set used_key = key, used_at = now() where id = c.id;
  if c.pre_approved then
    update weft.node_identity i set state = 'rejected', decided_at = now(), decided_by = 'claim'
    where i.node_id = c.node_id and i.state in ('approved', 'quarantined') and i.public_key <> key
    returning i.* into replaced;
    -- Another device has another serial number; the node keeps everything else.
    update weft.node set sn = c.sn, updated_at = now() where id = c.node_id and sn <> c.sn;
    if replaced.id is not null then
      -- Peers refuse the old device's tunnels immediately.
      update weft.node_status set tunnel_key = null where node_id = c.node_id;
      insert into weft.change (enterprise_id, node_ids, space_ids, cause, created_by)
      values (c.enterprise_id, array[c.node_id], '{}', 'edge: replaced', 0);
    end if;
  end if;
  insert into weft.node_identity (enterprise_id, node_id, public_key, sn, address, state, decided_at, decided_by)
  values (c.enterprise_id, c.node_id, key, c.sn, from_address,
    case when c.pre_approved then 'approved' else 'pending' end,
    case when c.pre_approved then now() end, case when c.pre_approved then 'claim' end)
  on conflict (public_key) do update set
    enterprise_id = excluded.enterprise_id, node_id = excluded.node_id, sn = excluded.sn,
    address = excluded.address,
    state = case when node_identity.state = 'approved' then 'approved' else excluded.state end,
    decided_at = excluded.decided_at, decided_by = excluded.decided_by
  returning * into identity;
  insert into weft.audit (enterprise_id, user_id, login_name, action, resource, row_id, old_value, new_value, address, request_id)
  values (c.enterprise_id, 0, 'edge', 'edge.enrol', 'enrolment', identity.id,
    case when replaced.id is not null then jsonb_build_object('identity', replaced.id, 'sn', replaced.sn) end,
    jsonb_build_object('nodeId', c.node_id, 'sn', c.sn, 'state', identity.state), from_address, request);
  return query select identity.state, case when identity.state = 'approved' then c.node_id end;
end $$;
revoke execute on function weft.use_claim(bytea, text, text, text, text) from public;
grant execute on function weft.use_claim(bytea, text, text, text, text) to weft_gateway;

-- Revokes trust in the key of this node. Once: later calls change nothing.
create function weft.quarantine_edge(node bigint, key text, facts jsonb) returns boolean
language plpgsql security definer set search_path = weft, pg_temp as $$
declare
  found_one weft.node_identity;
begin
  update weft.node_identity i set state = 'quarantined', decided_at = now(), decided_by = 'clone'
  where i.node_id = node and i.public_key = key and i.state = 'approved'
  returning i.* into found_one;
  if found_one.id is null then return false; end if;
  insert into weft.audit (enterprise_id, user_id, login_name, action, resource, row_id, old_value, new_value, address, request_id)
  values (found_one.enterprise_id, 0, 'edge', 'edge.quarantine', 'enrolment', found_one.id,
    jsonb_build_object('nodeId', node, 'state', 'approved'),
    jsonb_build_object('nodeId', node, 'state', 'quarantined') || facts, '', '');
  return true;
end $$;
revoke execute on function weft.quarantine_edge(bigint, text, jsonb) from public;
grant execute on function weft.quarantine_edge(bigint, text, jsonb) to weft_gateway;

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
  replacements jsonb not null default '[]'
);
call weft.tenant_table('node_status');
call weft.loop_table('node_status', 'select, insert, update');
create policy shared on weft.node_status for select to weft_api using (
  node_id in (select row_id from weft.share
    where share.kind = 'pop' and share.enterprise_id = any ((select weft.scope_enterprises())::bigint[])));

-- Writes once a minute for all open sockets that they were seen, and at their end that they are gone.
-- A socket that was replaced since counts no more.
create function weft.edges_seen(nodes bigint[], epochs bigint[], still_online boolean) returns void
  language sql security definer set search_path = weft, pg_temp
  begin atomic
    update weft.node_status s set last_seen = now(), online = still_online
    from unnest(nodes, epochs) as w (node, epoch)
    where s.node_id = w.node and s.session_epoch = w.epoch;
  end;
revoke execute on function weft.edges_seen(bigint[], bigint[], boolean) from public;
grant execute on function weft.edges_seen(bigint[], bigint[], boolean) to weft_gateway;

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

-- Runs as owner: gateway and worker change the status, and no role may write this log.
create function weft.note_presence() returns trigger
  language plpgsql security definer set search_path = weft, pg_temp as $$
begin
  insert into weft.cpe_link_log (enterprise_id, node_id, online, address)
  values (new.enterprise_id, new.node_id, new.online,
    case when new.online then new.socket_address end);
  return null;
end $$;
create trigger presence_first after insert on weft.node_status
  for each row when (new.online) execute function weft.note_presence();
create trigger presence_changed after update of online on weft.node_status
  for each row when (old.online is distinct from new.online) execute function weft.note_presence();

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

-- Takes what waits for these sockets; a socket that was replaced gets nothing.
create function weft.take_commands(nodes bigint[], epochs bigint[])
  returns table (id bigint, node_id bigint, timeout_ms integer, what jsonb)
  language sql security definer set search_path = weft, pg_temp
  begin atomic
    update weft.node_command c set status = 'sent'
    from unnest(nodes, epochs) as w (node, epoch)
    join weft.node_status s on s.node_id = w.node and s.session_epoch = w.epoch
    where c.node_id = w.node and c.status = 'waiting' and c.expires_at > now()
    returning c.id, c.node_id, c.timeout_ms, c.what;
  end;
revoke execute on function weft.take_commands(bigint[], bigint[]) from public;
grant execute on function weft.take_commands(bigint[], bigint[]) to weft_gateway;
