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

-- CPEs that the rules include now. Definer: the worker has no scope that spans nodes.
create function weft.sites_to_take_in() 
  returns table (template_id bigint, enterprise_id bigint, target_enterprise_id bigint, node_id bigint)
  language sql stable security definer set search_path = weft, pg_temp
  as $$
  select t.template_id, t.enterprise_id, t.target_enterprise_id, n.id
  from router_template_target t
  join node n on n.enterprise_id = t.target_enterprise_id and n.kind = 'cpe'
  where not exists (select from router_template_node m where m.node_id = n.id)
    and not exists (select from router_template_exclusion x
      where x.template_id = t.template_id and x.node_id = n.id)
  order by t.template_id, n.id
  $$;
revoke execute on function weft.sites_to_take_in() from public;
grant execute on function weft.sites_to_take_in() to weft_worker;

-- Whether a CPE of the caller's scope is in a template, also in one above that the caller does not see.
create function weft.is_in_template(of_node bigint) returns boolean
  language sql stable security definer set search_path = weft, pg_temp
  return exists (select from router_template_node m where m.node_id = of_node);
revoke execute on function weft.is_in_template(bigint) from public;
grant execute on function weft.is_in_template(bigint) to weft_api, weft_api_all;
