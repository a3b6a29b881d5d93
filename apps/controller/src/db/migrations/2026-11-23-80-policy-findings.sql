-- What becomes of policy objects on a node: written with each compile. An object without a row here acts
-- as it was asked for, once the device has confirmed a state with it.
create table weft.policy_finding (
  node_id bigint not null,
  enterprise_id bigint not null,
  family text not null,
  -- Whose object it is: the node's own, or its template's.
  level text not null check (level in ('node', 'template')),
  object_id bigint not null,
  name text not null,
  effect text not null check (effect in ('fallback', 'cannot', 'replaced')),
  reason text not null,
  params jsonb not null default '{}',
  -- The version of the template that the compile saw; of the node's own objects: none.
  template_id bigint,
  template_version integer,
  created_at timestamptz not null default now(),
  primary key (node_id, family, level, object_id),
  foreign key (enterprise_id, node_id) references weft.node (enterprise_id, id)
    on delete cascade on update cascade,
  check ((level = 'template') = (template_id is not null and template_version is not null))
);
call weft.tenant_table('policy_finding');
call weft.loop_table('policy_finding');
create index policy_finding_template on weft.policy_finding (template_id, family, object_id)
  where template_id is not null;
