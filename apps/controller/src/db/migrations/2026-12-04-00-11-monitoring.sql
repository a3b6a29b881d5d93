-- What went up or down, or advanced in its delivery: the outbox of live screens, and the history of
-- links, lines and devices. Rows are written by triggers, so that no writer can forget them.
create table weft.transition (
  sequence bigint generated always as identity primary key,
  enterprise_id bigint not null,
  -- Of the node that it is about, for scopes of own data.
  created_by bigint,
  -- repair: a program of the device died and was started again.
  kind text not null check (kind in ('node', 'link', 'line', 'state', 'alarm', 'repair', 'health')),
  node_id bigint not null,
  link_id bigint,
  -- Interface of a line.
  name text,
  -- Null: no matter of up and down.
  up boolean,
  at timestamptz not null default now()
);
create index transition_by_link on weft.transition (link_id, at) where link_id is not null;
create index transition_by_node on weft.transition (node_id, at);
create index transition_at on weft.transition (at);
call weft.tenant_table('transition', 'enterprise_id', 'created_by');
call weft.loop_table('transition');

-- Health of each node, one row, computed with the alarms (domains/monitoring/health): what lists sort and
-- filter by, and what counts count.
create table weft.node_health (
  node_id bigint primary key,
  enterprise_id bigint not null,
  -- A state of the contract (domains/devices/health.ts), and its place in the order of lists.
  state text not null,
  rank smallint not null,
  tone text not null,
  -- What the sentence of the cause names.
  detail jsonb not null default '{}',
  since timestamptz not null,
  foreign key (enterprise_id, node_id) references weft.node (enterprise_id, id)
    on delete cascade on update cascade
);
create index node_health_order on weft.node_health (rank, since, node_id);
call weft.tenant_table('node_health');
call weft.loop_table('node_health');
revoke insert, update, delete on weft.node_health from weft_api, weft_api_all;
create policy shared on weft.node_health for select to weft_api using (
  node_id in (select row_id from weft.share
    where share.kind = 'pop' and share.enterprise_id = any ((select weft.scope_enterprises())::bigint[])));

-- The processes of this installation: each writes its own row every 15 seconds (docs/adr/0033-status-page.md).
create table weft.process (
  -- Made by the process at its start.
  id uuid primary key,
  host text not null,
  port integer not null,
  pid integer not null,
  roles text[] not null,
  version text not null,
  node_version text not null,
  started_at timestamptz not null,
  seen_at timestamptz not null default now(),
  -- What it measured of itself (domains/monitoring/installation/facts.ts).
  facts jsonb not null,
  -- A port is that of one process: the next on it takes the row of one that was killed.
  constraint process_place unique (host, port)
);
alter table weft.process enable row level security;
alter table weft.process force row level security;
create policy owned on weft.process to weft_owner using (true) with check (true);
create policy whole on weft.process to weft_api_all using (true) with check (true);
