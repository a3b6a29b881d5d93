-- What operators say of links, circuits that are sold, and closed user groups.

-- An operator's word on one pair of lines of a space: made where the space would not, closed, or
-- preferred. Links themselves come and go by it (features/loop/place.ts).
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
