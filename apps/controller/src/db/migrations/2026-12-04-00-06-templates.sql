-- Router templates: drafts, the versions that were published, and which CPE follows which template.

create table weft.router_template (
  id bigint generated always as identity primary key,
  enterprise_id bigint not null references weft.enterprise (id),
  name text not null,
  remark text not null default '',
  -- Published last; 0: never.
  version integer not null default 0,
  created_by bigint,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (enterprise_id, id),
  constraint router_template_name unique (enterprise_id, name)
);
create index router_template_trigram on weft.router_template using gin (name gin_trgm_ops);
call weft.tenant_table('router_template', 'enterprise_id', 'created_by');

-- What a template contained when it was published: rows by table. Never written again.
create table weft.router_template_version (
  enterprise_id bigint not null,
  template_id bigint not null,
  version integer not null,
  content jsonb not null,
  created_by bigint not null,
  created_at timestamptz not null default now(),
  primary key (template_id, version),
  foreign key (enterprise_id, template_id)
    references weft.router_template (enterprise_id, id) on delete cascade,
  -- Secrets are sealed, as in the tables that the rows are of.
  constraint router_template_version_sealed check (not (
    jsonb_path_exists(content, '$.router_interface_line[*].pppoe_password
      ? (@ != "" && !(@ starts with "sealed:"))')
    or jsonb_path_exists(content, '$.router_bgp[*].password
      ? (@ != "" && !(@ starts with "sealed:"))')
  ))
);
call weft.tenant_table('router_template_version');
call weft.loop_table('router_template_version');
revoke update on weft.router_template_version from weft_api, weft_api_all, weft_worker;

-- One template at a time (A-38); its enterprise is the CPE's own or one above.
create table weft.router_template_node (
  node_id bigint primary key,
  enterprise_id bigint not null,
  template_id bigint not null,
  node_enterprise_id bigint not null,
  -- Published to this CPE last; null: none since it was assigned.
  version integer,
  foreign key (enterprise_id, template_id)
    references weft.router_template (enterprise_id, id) on delete cascade,
  constraint router_template_node_node foreign key (node_enterprise_id, node_id)
    references weft.node (enterprise_id, id) on delete cascade,
  foreign key (template_id, version) references weft.router_template_version (template_id, version),
  unique (enterprise_id, node_id)
);
create index router_template_node_template on weft.router_template_node (template_id, node_id);
call weft.tenant_table('router_template_node');
call weft.loop_table('router_template_node');

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
  -- restore: what devices run now, and what was found about the version since the backup, is unknown.
  -- unseen: it has ended, and on none of its CPEs the version was seen.
  reason text check (reason in ('gate', 'operator', 'restore', 'unseen')),
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
  -- Since when a rollout has been observed without a pause: a device that found no controller before that proves nothing.
  watched_since timestamptz not null default now(),
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
  -- A CPE that waits for an operator neither passes nor fails its wave (held).
  outcome text not null default 'ahead' check (outcome in
    ('ahead', 'underway', 'observed', 'passed', 'absent', 'held', 'rolledBack')),
  -- Since when its device runs the version and nothing is worse than before.
  steady_since timestamptz,
  -- Gate -> ms of the epoch since when it is worse than before.
  suspects jsonb not null default '{}',
  -- By what it failed: {gate, params}.
  failure jsonb,
  -- Of held: it is pinned at a configuration without the version, no configuration of it could be made before its wave
  -- started either, or its state waits for approval.
  held_by text check (held_by in ('pin', 'compile', 'approval')),
  -- Observed time for which a CPE of a wave was in contact without running the version: time in which nobody observed
  -- it is no reason to roll its wave back.
  awaited_ms integer not null default 0 check (awaited_ms >= 0),
  -- Of a CPE that cannot be compiled: the failure that this was asked about, and the one with the version before.
  compared jsonb,
  primary key (rollout_id, node_id),
  foreign key (enterprise_id, rollout_id)
    references weft.template_rollout (enterprise_id, id) on delete cascade,
  foreign key (enterprise_id, node_id)
    references weft.router_template_node (enterprise_id, node_id) on delete cascade
);
create index template_rollout_node_node on weft.template_rollout_node (enterprise_id, node_id);
call weft.tenant_table('template_rollout_node');
call weft.loop_table('template_rollout_node');

-- Enterprises whose CPEs a template includes, those of later as well (docs/adr/0031-template-versions.md): a rule, from
-- which the worker makes members.

create table weft.router_template_target (
  -- Of the template.
  enterprise_id bigint not null,
  template_id bigint not null,
  target_enterprise_id bigint not null references weft.enterprise (id) on delete cascade,
  created_by bigint not null,
  created_at timestamptz not null default now(),
  primary key (template_id, target_enterprise_id),
  -- A CPE follows one template.
  constraint router_template_target_once unique (target_enterprise_id),
  foreign key (enterprise_id, template_id)
    references weft.router_template (enterprise_id, id) on delete cascade
);
call weft.tenant_table('router_template_target');
call weft.loop_table('router_template_target');

-- CPEs that were taken out of a template by hand: its rules do not take them in again.
create table weft.router_template_exclusion (
  enterprise_id bigint not null,
  template_id bigint not null,
  node_id bigint not null,
  node_enterprise_id bigint not null,
  created_by bigint not null,
  created_at timestamptz not null default now(),
  primary key (template_id, node_id),
  foreign key (enterprise_id, template_id)
    references weft.router_template (enterprise_id, id) on delete cascade,
  -- One that moves to another enterprise stays out of the template as well.
  constraint router_template_exclusion_node foreign key (node_enterprise_id, node_id)
    references weft.node (enterprise_id, id) on delete cascade on update cascade
);
create index router_template_exclusion_node on weft.router_template_exclusion (node_enterprise_id, node_id);
call weft.tenant_table('router_template_exclusion');
call weft.loop_table('router_template_exclusion');
