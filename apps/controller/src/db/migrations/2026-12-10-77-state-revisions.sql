-- Networks of a space change without a state of each member (docs/adr/0047-state-revisions.md).

-- Lists of the networks that CPEs of a space keep inside, in their order.
create table weft.space_revision (
  -- Over all spaces, in the order of commits too: one reader of changes writes at a time.
  revision bigint generated always as identity primary key,
  space_id bigint not null,
  -- Of the section `space.<space>` in space_section.
  hash text not null,
  -- False: the list before is not known, or more of it goes than goes without being weighed; members get states.
  follows boolean not null,
  cause text not null,
  -- As node_state has them.
  causes jsonb not null default '[]',
  created_by bigint not null,
  created_at timestamptz not null default now()
);
create index space_revision_newest on weft.space_revision (space_id, revision);
create index space_revision_hash on weft.space_revision (space_id, hash);
create index space_revision_unrelated on weft.space_revision (space_id, revision) where not follows;
alter table weft.space_revision enable row level security;
alter table weft.space_revision force row level security;
create policy owned on weft.space_revision to weft_owner using (true) with check (true);
create policy worker on weft.space_revision to weft_worker using (true) with check (true);

-- What a device was sent for a state that it runs, beside the state.
create table weft.node_revision (
  node_id bigint not null,
  epoch bigint not null,
  serial bigint not null,
  -- That of the last list that was written of the spaces of the state.
  revision bigint not null,
  enterprise_id bigint not null,
  -- Section name -> hash.
  lists jsonb not null,
  digest text not null,
  outcome text not null default 'delivered'
    check (outcome in ('delivered', 'confirmed', 'refused', 'failed', 'reverted', 'superseded')),
  reason text,
  delivered_at timestamptz not null default now(),
  ended_at timestamptz,
  primary key (node_id, epoch, serial, revision),
  foreign key (node_id, epoch, serial) references weft.node_state (node_id, epoch, serial) on delete cascade
);
-- Asked of each member and with each report, of states that have hundreds of revisions.
create index node_revision_left on weft.node_revision (node_id, epoch, serial)
  where outcome in ('refused', 'failed', 'reverted');
call weft.tenant_table('node_revision');
call weft.loop_table('node_revision', 'select, insert, update');
create policy of_nodes on weft.node_revision to weft_gateway
  using (node_id = any ((select weft.node_ids())::bigint[]))
  with check (node_id = any ((select weft.node_ids())::bigint[]));

-- Whether the device takes revisions (`revisionsCapability` of the contract).
alter table weft.node_status add column revises boolean not null
  generated always as (capabilities @> '[{"name": "state.revisions", "can": true}]') stored;
