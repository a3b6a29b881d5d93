-- CPEs and POPs whole: what is set on a box, areas, commands to boxes, scheduled tests.

-- ---------------------------------------------------------------- areas

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

alter table weft.node
  add column area_id bigint,
  add column parent_node_id bigint,
  add constraint node_area foreign key (enterprise_id, area_id)
    references weft.cpe_area (enterprise_id, id) on delete set null (area_id),
  add constraint node_behind foreign key (enterprise_id, parent_node_id)
    references weft.node (enterprise_id, id) on delete set null (parent_node_id);
create index node_expiry on weft.node (kind, expire_at, id) where expire_at is not null;
create index node_in_area on weft.node (area_id) where area_id is not null;
create index node_children on weft.node (parent_node_id) where parent_node_id is not null;

-- ---------------------------------------------------------------- what is set on a box

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

-- Network cards that lines and LAN sections name, with what people note about them.
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
insert into weft.cpe_port (enterprise_id, node_id, name, role)
  select enterprise_id, node_id, interface_name, 'wan' from weft.line
  union all
  select distinct enterprise_id, node_id, interface_name, 'lan' from weft.lan_section
on conflict on constraint cpe_port_once do nothing;

-- ---------------------------------------------------------------- contact

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

-- Whoever changes it, gateway or worker: nobody else writes this log.
create function weft.note_presence() returns trigger
  language plpgsql security definer set search_path = weft, pg_temp as $$
begin
  insert into weft.cpe_link_log (enterprise_id, node_id, online, address)
  values (new.enterprise_id, new.node_id, new.online,
    case when new.online then new.socket_address end);
  return null;
end $$;
revoke insert, update on weft.cpe_link_log from weft_api, weft_api_all, weft_worker;
create trigger presence_first after insert on weft.node_status
  for each row when (new.online) execute function weft.note_presence();
create trigger presence_changed after update of online on weft.node_status
  for each row when (old.online is distinct from new.online) execute function weft.note_presence();

-- ---------------------------------------------------------------- scheduled tests

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

-- Which nodes a row is about; the node may belong to a subordinate of the row's enterprise.
create procedure weft.choice_table(owner text)
language plpgsql as $$
begin
  execute format('create table weft.%I (
    owner_id bigint not null,
    enterprise_id bigint not null,
    node_enterprise_id bigint not null,
    node_id bigint not null,
    primary key (owner_id, node_id),
    foreign key (enterprise_id, owner_id) references weft.%I (enterprise_id, id)
      on delete cascade on update cascade,
    foreign key (node_enterprise_id, node_id) references weft.node (enterprise_id, id)
      on delete cascade on update cascade)', owner || '_node', owner);
  execute format('create index on weft.%I (node_id)', owner || '_node');
  call weft.tenant_table(owner || '_node');
end $$;
call weft.choice_table('dial_task');
call weft.loop_table('dial_task_node');
call weft.choice_table('blacklist');
-- An agent's entry may be about CPEs of its customers, whose compiles have a scope of their own.
call weft.loop_table('blacklist');
call weft.loop_table('blacklist_node');
call weft.choice_table('firmware_task');

-- ---------------------------------------------------------------- commands

-- What a box is asked to do, once, within its time. Only the gateway that holds its socket sends it.
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
