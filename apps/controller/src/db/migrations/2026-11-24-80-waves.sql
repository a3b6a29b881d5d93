-- A version of a template that goes out in waves (docs/adr/0019-waves.md). Which version a CPE follows stays
-- in router_template_node: a wave that starts writes it there, and a wave that is rolled back writes the
-- previous one.

create table weft.template_rollout (
  id bigint generated always as identity primary key,
  enterprise_id bigint not null,
  template_id bigint not null,
  version integer not null,
  state text not null default 'running'
    check (state in ('running', 'waiting', 'halted', 'rolledBack', 'completed')),
  -- Of halted.
  reason text check (reason in ('gate', 'operator')),
  is_bad boolean not null default false,
  -- The wave that is underway, or was last, and how many there are.
  wave integer not null default 1 check (wave > 0),
  waves integer not null check (waves > 0),
  -- As the operator gave them: "1", "10%".
  sizes text[] not null,
  soak_s integer not null,
  grace_s integer not null,
  contact_gate boolean not null,
  link_gate boolean not null,
  finding_gate boolean not null,
  loss_limit real,
  ask_each boolean not null,
  -- Of the state, or of the wave that is underway.
  since timestamptz not null default now(),
  -- The last observation: what was not observed for some time proves nothing.
  checked_at timestamptz not null default now(),
  login_name text not null,
  created_by bigint not null,
  created_at timestamptz not null default now(),
  unique (enterprise_id, id),
  unique (template_id, version),
  foreign key (enterprise_id, template_id)
    references weft.router_template (enterprise_id, id) on delete cascade,
  foreign key (template_id, version) references weft.router_template_version (template_id, version)
);
create unique index template_rollout_open on weft.template_rollout (template_id)
  where state in ('running', 'waiting', 'halted');
call weft.tenant_table('template_rollout');
call weft.loop_table('template_rollout');

alter table weft.router_template_node add unique (enterprise_id, node_id);

-- Its CPEs. One that leaves the template leaves the rollout.
create table weft.template_rollout_node (
  rollout_id bigint not null,
  enterprise_id bigint not null,
  node_id bigint not null,
  wave integer not null check (wave > 0),
  -- What it followed when its wave started; null: none.
  version_before integer,
  -- Objects of the version that will not act on it: {isKnown, objects}. Null: not known yet.
  expected jsonb,
  started_at timestamptz,
  -- At the start of its wave, and at the last observation: {online, links, loss, findings}.
  baseline jsonb,
  observed jsonb,
  outcome text not null default 'ahead' check (outcome in
    ('ahead', 'underway', 'observed', 'passed', 'absent', 'rolledBack')),
  -- Since when its device runs the version and nothing is worse than before.
  steady_since timestamptz,
  -- Gate -> ms of the epoch since when it is worse than before.
  suspects jsonb not null default '{}',
  -- By what it failed: {gate, params}.
  failure jsonb,
  primary key (rollout_id, node_id),
  foreign key (enterprise_id, rollout_id)
    references weft.template_rollout (enterprise_id, id) on delete cascade,
  foreign key (enterprise_id, node_id)
    references weft.router_template_node (enterprise_id, node_id) on delete cascade
);
create index template_rollout_node_node on weft.template_rollout_node (enterprise_id, node_id);
call weft.tenant_table('template_rollout_node');
call weft.loop_table('template_rollout_node');
