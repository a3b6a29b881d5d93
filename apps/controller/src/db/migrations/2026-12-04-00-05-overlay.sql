-- Spaces and the links in them, which POPs an enterprise uses, circuits, groups, routes and clouds.

create table weft.net_space (
  id bigint generated always as identity primary key,
  enterprise_id bigint not null references weft.enterprise (id),
  name text not null,
  topology smallint not null check (topology in (0, 1)),
  remark text not null default '',
  created_by bigint,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (enterprise_id, id),
  constraint net_space_name unique (enterprise_id, name)
);
create index net_space_name_search on weft.net_space using gin (name gin_trgm_ops);
call weft.tenant_table('net_space', 'enterprise_id', 'created_by');

create table weft.space_member (
  enterprise_id bigint not null,
  space_id bigint not null,
  node_enterprise_id bigint not null,
  node_id bigint not null,
  kind text not null check (kind in ('cpe', 'pop')),
  primary key (space_id, node_id),
  foreign key (enterprise_id, space_id) references weft.net_space (enterprise_id, id) on delete cascade,
  foreign key (node_enterprise_id, node_id) references weft.node (enterprise_id, id)
);
create index space_member_node on weft.space_member (node_id);
create unique index one_space_per_cpe on weft.space_member (node_id) where kind = 'cpe';
call weft.tenant_table('space_member');

-- ---------------------------------------------------------------- links

create table weft.link (
  id bigint generated always as identity primary key,
  enterprise_id bigint not null,
  space_id bigint not null,
  -- Place in the inner address plan of the space.
  index_in_space integer not null,
  a_node_id bigint not null references weft.node (id),
  a_slot smallint not null,
  a_port integer not null,
  a_key text not null,
  b_node_id bigint not null references weft.node (id),
  b_slot smallint not null,
  b_port integer not null,
  b_key text not null,
  created_at timestamptz not null default now(),
  -- POP strategies decide which POPs a site is linked with (ADR 0028).
  -- Place of the POP among those of the site, 0 the most wanted; null: none of its own.
  place smallint check (place >= 0),
  -- The site is to leave this POP; the link stays until another one carries.
  is_leaving boolean not null default false,
  foreign key (enterprise_id, space_id) references weft.net_space (enterprise_id, id) on delete cascade,
  constraint link_index unique (space_id, index_in_space),
  constraint link_pair unique (space_id, a_node_id, a_slot, b_node_id, b_slot, a_key, b_key)
);
create index link_a on weft.link (a_node_id);
create index link_b on weft.link (b_node_id);
create unique index link_a_port on weft.link (a_node_id, a_port);
create unique index link_b_port on weft.link (b_node_id, b_port);
call weft.tenant_table('link');
call weft.loop_table('link');
grant select on weft.link to weft_gateway;
create policy of_node on weft.link for select to weft_gateway
  using ((select weft.node_id()) in (a_node_id, b_node_id));
create index link_leaving on weft.link (space_id) where is_leaving;

create table weft.link_status (
  link_id bigint primary key references weft.link (id) on delete cascade,
  enterprise_id bigint not null,
  up boolean not null,
  rtt_ms real,
  jitter_ms real,
  loss_percent real,
  in_rate double precision,
  out_rate double precision,
  changed_at timestamptz not null default now(),
  at timestamptz not null default now(),
  -- Quality of links over minutes instead of one sample (docs/alarms.md). What is measured within a minute is added up,
  -- and the means of the last five whole minutes are kept with the link: `past_*`, the newest first.
  minute bigint,
  samples integer not null default 0,
  loss_sum real not null default 0,
  rtt_sum real not null default 0,
  jitter_sum real not null default 0,
  past_loss real[] not null default '{}',
  past_rtt real[] not null default '{}',
  past_jitter real[] not null default '{}'
);
call weft.tenant_table('link_status');
call weft.loop_table('link_status');
grant select, insert, update on weft.link_status to weft_gateway;
create policy of_node on weft.link_status to weft_gateway
  using (link_id in (select id from weft.link)) with check (link_id in (select id from weft.link));

-- What an operator decided about one pair of lines of a space: a link where the space would make none,
-- closed, or preferred. Links themselves follow from it.
create table weft.link_choice (
  -- One row of ids with the links: a list shows both.
  id bigint primary key default nextval('weft.link_id_seq'),
  enterprise_id bigint not null,
  space_id bigint not null,
  -- The lower id first, so that a pair is one row whoever calls.
  a_node_id bigint not null references weft.node (id) on delete cascade,
  a_slot smallint not null check (a_slot between 1 and 4),
  b_node_id bigint not null references weft.node (id) on delete cascade,
  b_slot smallint not null check (b_slot between 1 and 4),
  made boolean not null,
  enabled boolean not null,
  preference smallint check (preference between 1 and 1000),
  remark text not null default '',
  created_by bigint,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  foreign key (enterprise_id, space_id) references weft.net_space (enterprise_id, id)
    on delete cascade,
  check (a_node_id < b_node_id),
  constraint link_choice_once unique (space_id, a_node_id, a_slot, b_node_id, b_slot)
);
create index link_choice_a on weft.link_choice (a_node_id);
create index link_choice_b on weft.link_choice (b_node_id);
call weft.tenant_table('link_choice');
call weft.loop_table('link_choice');

-- ---------------------------------------------------------------- POPs that an enterprise uses

-- POPs that an enterprise's nodes may use, in the order of preference; groups narrow them by region.
create table weft.pop_strategy (
  id bigint generated always as identity primary key,
  enterprise_id bigint not null references weft.enterprise (id),
  name text not null,
  remark text not null default '',
  created_by bigint,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (enterprise_id, id),
  constraint pop_strategy_name unique (enterprise_id, name)
);
call weft.tenant_table('pop_strategy', 'enterprise_id', 'created_by');

-- Nodes that a row lists, in its order. Their enterprise may be another: POPs are shared.
create table weft.pop_strategy_node (
  enterprise_id bigint not null,
  owner_id bigint not null,
  node_enterprise_id bigint not null,
  node_id bigint not null,
  place smallint not null,
  primary key (owner_id, node_id),
  foreign key (enterprise_id, owner_id) references weft.pop_strategy (enterprise_id, id)
    on update cascade on delete cascade,
  foreign key (node_enterprise_id, node_id) references weft.node (enterprise_id, id)
    on update cascade on delete cascade
);
create index pop_strategy_node_by_node on weft.pop_strategy_node (node_id);
call weft.tenant_table('pop_strategy_node');

create table weft.pop_group (
  id bigint generated always as identity primary key,
  enterprise_id bigint not null,
  strategy_id bigint not null,
  name text not null,
  created_by bigint,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (enterprise_id, id),
  foreign key (enterprise_id, strategy_id) references weft.pop_strategy (enterprise_id, id) on delete cascade,
  constraint pop_group_name unique (strategy_id, name)
);
call weft.tenant_table('pop_group', 'enterprise_id', 'created_by');

create table weft.pop_group_node (
  enterprise_id bigint not null,
  owner_id bigint not null,
  node_enterprise_id bigint not null,
  node_id bigint not null,
  place smallint not null,
  primary key (owner_id, node_id),
  foreign key (enterprise_id, owner_id) references weft.pop_group (enterprise_id, id)
    on update cascade on delete cascade,
  foreign key (node_enterprise_id, node_id) references weft.node (enterprise_id, id)
    on update cascade on delete cascade
);
create index pop_group_node_by_node on weft.pop_group_node (node_id);
call weft.tenant_table('pop_group_node');

-- Which POPs an enterprise uses; without a row the controller chooses.
create table weft.enterprise_strategy (
  enterprise_id bigint primary key references weft.enterprise (id) on delete cascade,
  -- 0 automatic, 1 the strategy below.
  strategy_type smallint not null check (strategy_type in (0, 1)),
  pop_strategy_id bigint constraint enterprise_strategy_pop references weft.pop_strategy (id),
  -- Of its POPs only these; empty: all.
  check_server_ids bigint[] not null default '{}',
  updated_at timestamptz not null default now(),
  check ((strategy_type = 1) = (pop_strategy_id is not null))
);
create index enterprise_strategy_by_strategy on weft.enterprise_strategy (pop_strategy_id);
call weft.tenant_table('enterprise_strategy');

-- The reference of a table that is older than what it refers to.
alter table weft.enterprise_param
  add foreign key (default_pop_strategy_id) references weft.pop_strategy (id) on delete set null;

-- POPs that agents in scope may use before a space of theirs does: those of the enterprises above
-- them. Where a POP strategy was chosen for an enterprise, it narrows what those above offer to it
-- and to all below it. Who is above, and what was chosen there, is out of an agent's sight: definer.
create function weft.offered_pops() returns bigint[]
  language sql stable parallel safe security definer set search_path = weft, pg_temp
  begin atomic
    select coalesce(array_agg(distinct n.id), '{}')
    from weft.enterprise a
    join weft.node n on n.kind = 'pop' and n.enterprise_id = any (weft.above(array[a.id]))
    where a.is_agent and a.id = any (weft.scope_enterprises())
      and not exists (
        select from weft.enterprise_strategy s
        where s.enterprise_id = any (weft.above(array[a.id])) and s.strategy_type = 1
          and n.enterprise_id <> s.enterprise_id
          and n.enterprise_id = any (weft.above(array[s.enterprise_id]))
          and not (
            n.id in (select m.node_id from weft.pop_strategy_node m where m.owner_id = s.pop_strategy_id)
            and (s.check_server_ids = '{}' or n.id = any (s.check_server_ids))));
  end;
revoke execute on function weft.offered_pops() from public;
grant execute on function weft.offered_pops() to weft_api;
create policy offered on weft.node for select to weft_api using (
  kind = 'pop' and id = any ((select weft.offered_pops())::bigint[]));
create policy offered on weft.line for select to weft_api using (
  node_id = any ((select weft.offered_pops())::bigint[]));
create policy offered on weft.node_status for select to weft_api using (
  node_id = any ((select weft.offered_pops())::bigint[]));

-- ---------------------------------------------------------------- circuits and closed user groups

create table weft.circuit (
  id bigint generated always as identity primary key,
  enterprise_id bigint not null references weft.enterprise (id),
  name text not null,
  -- A POP may be another enterprise's, shared with this one.
  source_enterprise_id bigint not null,
  source_id bigint not null,
  target_enterprise_id bigint not null,
  target_id bigint not null,
  bandwidth_kbps bigint not null check (bandwidth_kbps >= 64),
  guaranteed_kbps bigint check (guaranteed_kbps between 64 and bandwidth_kbps),
  line_quality smallint not null,
  enabled boolean not null,
  expire_at timestamptz,
  remark text not null default '',
  created_by bigint,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  check (source_id <> target_id),
  constraint circuit_source_node
    foreign key (source_enterprise_id, source_id) references weft.node (enterprise_id, id)
    on update cascade,
  constraint circuit_target_node
    foreign key (target_enterprise_id, target_id) references weft.node (enterprise_id, id)
    on update cascade,
  constraint circuit_name unique (enterprise_id, name)
);
create index circuit_name_search on weft.circuit using gin (name gin_trgm_ops);
create index circuit_source on weft.circuit (source_id);
create index circuit_target on weft.circuit (target_id);
call weft.tenant_table('circuit', 'enterprise_id', 'created_by');

create table weft.cug (
  id bigint generated always as identity primary key,
  enterprise_id bigint not null references weft.enterprise (id) on delete cascade,
  name text not null,
  bandwidth_bps bigint not null check (bandwidth_bps >= 64000),
  enabled boolean not null,
  remark text not null default '',
  created_by bigint,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (enterprise_id, id),
  constraint cug_name unique (enterprise_id, name)
);
create index cug_name_search on weft.cug using gin (name gin_trgm_ops);
call weft.tenant_table('cug', 'enterprise_id', 'created_by');
call weft.choice_table('cug');

-- ---------------------------------------------------------------- routes

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
  -- Two sites that announce the same network, when both say so: the lower number is taken while it answers.
  preference smallint check (preference between 1 and 8),
  foreign key (enterprise_id, node_id) references weft.node (enterprise_id, id)
    on delete cascade on update cascade,
  constraint route_notice_once unique (node_id, network)
);
create index route_notice_network on weft.route_notice (network, id);
create index route_notice_search on weft.route_notice using gin (network gin_trgm_ops);
call weft.tenant_table('route_notice', 'enterprise_id', 'created_by');

-- ---------------------------------------------------------------- clouds

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

-- What each end of a link finds of the direction that it sends in: quality, and whether traffic goes by it. The
-- device reports changes only; a row holds until the next report or until the link goes.
create table weft.link_path (
  link_id bigint not null references weft.link (id) on delete cascade,
  node_id bigint not null references weft.node (id) on delete cascade,
  enterprise_id bigint not null,
  state text not null check (state in ('ok', 'brownout', 'flapping', 'oneWay', 'blackout', 'unknown')),
  used boolean not null,
  behind boolean not null,
  loss_percent real,
  rtt_ms real,
  jitter_ms real,
  changed_at timestamptz not null default now(),
  at timestamptz not null default now(),
  -- By name of the class since when its traffic goes by the link in this direction; null: the device has no classes.
  classes jsonb,
  primary key (link_id, node_id)
);
create index link_path_node on weft.link_path (node_id);
create index link_path_bad on weft.link_path (node_id) where state in ('brownout', 'oneWay', 'flapping');
call weft.tenant_table('link_path');
call weft.loop_table('link_path', 'select, insert, update');
grant select on weft.link_path to weft_worker;

-- Traffic that a device sends by another link than before, with the reason and what both links were like. The newest
-- few hundred of each device are kept.
create table weft.link_move (
  id bigint generated always as identity primary key,
  enterprise_id bigint not null,
  space_id bigint not null references weft.net_space (id) on delete cascade,
  node_id bigint not null references weft.node (id) on delete cascade,
  from_link_id bigint not null references weft.link (id) on delete cascade,
  to_link_id bigint not null references weft.link (id) on delete cascade,
  -- Of the device: it may send one twice.
  boot text not null,
  sequence bigint not null,
  reason text not null
    check (reason in ('loss', 'delay', 'jitter', 'oneWay', 'blackout', 'flapping', 'returned')),
  from_loss real,
  from_rtt real,
  from_jitter real,
  to_loss real,
  to_rtt real,
  to_jitter real,
  at timestamptz not null,
  -- Null: traffic without a class.
  traffic_class text
    check (traffic_class in ('realtime', 'transactional', 'bulk')),
  constraint link_move_once unique (node_id, boot, sequence)
);
create index link_move_enterprise on weft.link_move (enterprise_id, at desc);
create index link_move_node on weft.link_move (node_id, at desc);
create index link_move_from on weft.link_move (from_link_id);
create index link_move_to on weft.link_move (to_link_id);
create index link_move_space on weft.link_move (space_id);
call weft.tenant_table('link_move');
call weft.loop_table('link_move', 'select, insert, delete');

-- Classes of traffic of an enterprise: limits of quality, and the code points of their packets as they were written.
-- Delays and jitter in ms, loss in percent; null: no limit.
create table weft.traffic_class (
  enterprise_id bigint primary key references weft.enterprise (id) on delete cascade,
  enabled boolean not null,
  realtime_loss real not null,
  realtime_delay integer,
  realtime_jitter integer,
  realtime_dscp text not null,
  transactional_loss real not null,
  transactional_delay integer,
  transactional_jitter integer,
  transactional_dscp text not null,
  bulk_loss real not null,
  bulk_delay integer,
  bulk_jitter integer,
  bulk_dscp text not null,
  default_loss real not null,
  default_delay integer,
  default_jitter integer,
  updated_at timestamptz not null default now()
);
call weft.tenant_table('traffic_class');

-- Links whose traffic some class of their enterprise does not bear (contract/domains/overlay/link-quality.ts). A row
-- remains until the quality has been clearly better for minutes.
create table weft.link_quality (
  link_id bigint primary key references weft.link (id) on delete cascade,
  enterprise_id bigint not null,
  metric text not null check (metric in ('loss', 'delay', 'jitter', 'oneWay', 'flapping')),
  -- Percent or ms, and the limit that it is above; null: the metric has no value.
  value real,
  over real,
  since timestamptz not null
);
call weft.tenant_table('link_quality');
call weft.loop_table('link_quality');
revoke insert, update, delete on weft.link_quality from weft_api, weft_api_all;
