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
  constraint link_move_once unique (node_id, boot, sequence)
);
create index link_move_enterprise on weft.link_move (enterprise_id, at desc);
create index link_move_node on weft.link_move (node_id, at desc);
create index link_move_from on weft.link_move (from_link_id);
create index link_move_to on weft.link_move (to_link_id);
create index link_move_space on weft.link_move (space_id);
call weft.tenant_table('link_move');
call weft.loop_table('link_move', 'select, insert, delete');
