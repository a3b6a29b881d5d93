-- History of nodes: what a state came from, and states that wait for an operator's word.

-- The call that a change came from: its audit rows say who did what to which object.
alter table weft.change add column request_id text not null default '';
create index audit_request on weft.audit (request_id);

-- Changes that a compile takes on, and those that a state came from, oldest first:
-- [{cause, requestId, own, others, spaces}].
alter table weft.compile_mark add column causes jsonb not null default '[]';
alter table weft.node_state
  add column causes jsonb not null default '[]',
  -- Kept back because it removes more than its changes account for, and never sent since.
  add column held boolean not null default false;
alter table weft.node_state drop constraint node_state_outcome_check;
alter table weft.node_state add constraint node_state_outcome_check check (outcome in
  ('waiting', 'held', 'delivered', 'applied', 'confirmed', 'refused', 'failed', 'reverted', 'superseded'));

-- A node that an operator took back to a past state and holds there (docs/adr/0008-history.md).
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
  created_at timestamptz not null default now()
);
call weft.tenant_table('node_pin');
call weft.loop_table('node_pin');
-- Serial of the past state that a state brings back; null: it was compiled of the present rows.
alter table weft.node_state add column restores bigint;

-- The last drift of a box: its plan as people read it, since when, and when it was gone again.
alter table weft.node_status
  add column drift_plan jsonb not null default '[]',
  add column drift_since timestamptz,
  add column drift_ended_at timestamptz;
