-- The life of a desired state: changes, what is compiled from them, states, tasks.

-- Writes of intent, read in order by the worker. Names whom they touch: nodes and whole spaces.
create table weft.change (
  seq bigint generated always as identity primary key,
  enterprise_id bigint not null,
  node_ids bigint[] not null default '{}',
  space_ids bigint[] not null default '{}',
  cause text not null,
  -- The call that it came from: its audit rows say who did what to which object.
  request_id text not null default '',
  created_by bigint not null,
  at timestamptz not null default now(),
  done boolean not null default false
);
create index change_waiting on weft.change (seq) where not done;
call weft.tenant_table('change');
call weft.loop_table('change');
grant insert on weft.change to weft_gateway;
create policy reported on weft.change for insert to weft_gateway
  with check (node_ids = array[(select weft.node_id())] and space_ids = '{}');

-- Nodes whose state is to be compiled. Cleared only if the generation is still the one that was read.
create table weft.compile_mark (
  node_id bigint primary key references weft.node (id) on delete cascade,
  enterprise_id bigint not null,
  generation bigint not null default 1,
  cause text not null,
  -- Changes that the compile takes on, oldest first: [{cause, requestId, own, others, spaces}].
  causes jsonb not null default '[]',
  created_by bigint not null,
  at timestamptz not null default now(),
  -- Why the node could not be compiled at the last attempt: {code, detail}; null: no attempt since the
  -- last change, or it succeeded.
  failure jsonb,
  failed_at timestamptz,
  -- Nothing but networks of other sites changed for the node: its next state is the newest one with another list of them.
  networks_only boolean not null default false
);
call weft.tenant_table('compile_mark');
call weft.loop_table('compile_mark');

-- Contents by hash. Kept per node, so that a device is sent only what its own heads name.
create table weft.state_section (
  node_id bigint not null references weft.node (id) on delete cascade,
  hash text not null,
  enterprise_id bigint not null,
  content jsonb not null,
  -- A node that moves to another enterprise leaves its states to the one that it comes from: they hold that one's networks
  -- and neighbours. Contents of sections belong to the enterprise whose states name them: where states of both enterprises
  -- name one content, each enterprise has a row of its own, so that neither reads what only the other's states name.
  primary key (node_id, hash, enterprise_id)
);
call weft.tenant_table('state_section');
call weft.loop_table('state_section', 'select');
create policy of_nodes on weft.state_section for select to weft_gateway
  using (node_id = any ((select weft.node_ids())::bigint[]));

create table weft.node_state (
  node_id bigint not null references weft.node (id) on delete cascade,
  epoch bigint not null,
  serial bigint not null,
  enterprise_id bigint not null,
  -- section name -> hash.
  sections jsonb not null,
  digest text not null,
  outcome text not null default 'waiting' check (outcome in
    ('waiting', 'held', 'delivered', 'applied', 'confirmed', 'refused', 'failed', 'reverted', 'superseded')),
  -- Held because it removes more than its changes account for, and never sent since.
  held boolean not null default false,
  reason text,
  unreachable boolean not null default false,
  -- Set when the edge itself was stopped in the middle: says nothing about whether it reached us.
  stopped boolean not null default false,
  -- Times it was sent after a revert; one retry is automatic.
  retries smallint not null default 0,
  cause text not null,
  -- Changes that it came from, oldest first: [{cause, requestId, own, others, spaces}].
  causes jsonb not null default '[]',
  -- Parts that have no effect on the device although the rest has, as the device reported them.
  findings jsonb not null default '[]',
  -- Serial of the past state that it restores; null: it was compiled from the present rows.
  restores bigint,
  -- The template version that it contains: no reference, so that the state outlives it.
  template_id bigint,
  template_version integer,
  created_by bigint not null,
  created_at timestamptz not null default now(),
  delivered_at timestamptz,
  ended_at timestamptz,
  -- What of a template's version does not act as asked for on the node of a state: {cannot, count, rows}.
  -- A task of a published template ends by what the state with its version says, and keeps that: states are
  -- swept, the log of a template is not. Null: everything acts, or nothing is known.
  template_unmet jsonb,
  primary key (node_id, epoch, serial)
);
call weft.tenant_table('node_state');
call weft.loop_table('node_state', 'select, update');
-- What operators watch is counted at each scrape of the metrics: an index of what did not end keeps that small,
-- however long the history of a node is.
create index node_state_open on weft.node_state (outcome)
  include (delivered_at, created_at)
  where outcome in ('waiting', 'held', 'delivered', 'applied');
create policy of_nodes on weft.node_state to weft_gateway
  using (node_id = any ((select weft.node_ids())::bigint[]))
  with check (node_id = any ((select weft.node_ids())::bigint[]));

-- A node that an operator rolled back to a past state and holds there (docs/adr/0008-history.md).
create table weft.node_pin (
  node_id bigint primary key references weft.node (id) on delete cascade,
  enterprise_id bigint not null,
  -- The past state, which is kept as long as this row.
  epoch bigint not null,
  serial bigint not null,
  -- Networks that the node brings along in that state: its peers have to accept them.
  announced text[] not null,
  login_name text not null,
  created_by bigint not null,
  created_at timestamptz not null default now(),
  -- Those of them that are LANs of its own there: in a mere announcement other sites may have longer prefixes.
  lans text[] not null default '{}'
);
call weft.tenant_table('node_pin');
call weft.loop_table('node_pin');

-- What other nodes see of a node, as a hash: while it stays, a change of the node concerns no
-- other, and the links of no space have to be reconciled.
create table weft.node_advertisement (
  node_id bigint primary key references weft.node (id) on delete cascade,
  enterprise_id bigint not null,
  digest text not null,
  -- Changes up to this one may be part of it: each of them concerns the others as well.
  until_seq bigint not null
);
call weft.tenant_table('node_advertisement');
call weft.loop_table('node_advertisement');

create table weft.task (
  id bigint generated always as identity primary key,
  enterprise_id bigint not null,
  node_id bigint not null references weft.node (id) on delete cascade,
  type text not null,
  status smallint not null default 0 check (status between 0 and 4),
  epoch bigint,
  serial bigint,
  content text not null default '',
  -- Of a published template: no reference, so that the task outlives it.
  template_id bigint,
  template_version integer,
  created_by bigint not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz,
  -- As template_unmet of the state that it ended by.
  unmet jsonb
);
create index task_node on weft.task (node_id, id desc);
create index task_template on weft.task (template_id, id desc) where type = 'template';
create index task_template_node on weft.task (node_id) where type = 'template' and status in (0, 2, 4);
call weft.tenant_table('task');
call weft.loop_table('task', 'select, update');
create index task_open on weft.task (status) include (created_at) where status in (0, 4);
create policy of_nodes on weft.task to weft_gateway
  using (node_id = any ((select weft.node_ids())::bigint[]))
  with check (node_id = any ((select weft.node_ids())::bigint[]));

-- What the controller itself finds about nodes, of spaces that they are members of: links for which there
-- is no room or no end to call, and networks that collide with another site's. The page of the node shows
-- it beside what the device reports, and alarm rules about findings cover it.
create table weft.node_finding (
  node_id bigint not null,
  enterprise_id bigint not null,
  space_id bigint references weft.net_space (id) on delete cascade,
  source text not null check (source in ('links', 'networks', 'reports')),
  kind text not null,
  object text not null,
  reason text not null,
  params jsonb not null default '{}',
  created_at timestamptz not null default now(),
  foreign key (enterprise_id, node_id) references weft.node (enterprise_id, id)
    on delete cascade on update cascade,
  constraint node_finding_once unique nulls not distinct (node_id, space_id, kind, object, reason)
);
create index node_finding_space on weft.node_finding (space_id);
call weft.tenant_table('node_finding');
call weft.loop_table('node_finding');
create index node_finding_no_port on weft.node_finding (node_id) where reason = 'noPort';
create index node_finding_reports on weft.node_finding (node_id) where source = 'reports';

-- The networks of a space, which all its members hold: stored once (docs/adr/0037-space-networks.md).

-- Contents of sections `space.<space>` by hash. Not of a node: past states of a node that is in the space no more name them too.
create table weft.space_section (
  space_id bigint not null,
  hash text not null,
  content jsonb not null,
  -- When it was last written: what no head names is removed a day later.
  used_at timestamptz not null default now(),
  primary key (space_id, hash)
);
alter table weft.space_section enable row level security;
alter table weft.space_section force row level security;
create policy owned on weft.space_section to weft_owner using (true) with check (true);
create policy worker on weft.space_section to weft_worker using (true) with check (true);
