-- What enterprises have besides their place in the tree: settings, POP strategies, groups, branches,
-- audits of companies, saved columns.

-- POPs that an enterprise's nodes may use, in the order of preference; groups narrow them by region.
create table weft.pop_strategy (
  id bigint generated always as identity primary key,
  enterprise_id bigint not null references weft.enterprise (id),
  name text not null,
  remark text not null default '',
  created_by bigint,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (enterprise_id, id),
  constraint pop_strategy_name unique (enterprise_id, name)
);
call weft.tenant_table('pop_strategy', 'enterprise_id', 'created_by');

create table weft.pop_group (
  id bigint generated always as identity primary key,
  enterprise_id bigint not null,
  strategy_id bigint not null,
  name text not null,
  created_by bigint,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (enterprise_id, id),
  foreign key (enterprise_id, strategy_id) references weft.pop_strategy (enterprise_id, id) on delete cascade,
  constraint pop_group_name unique (strategy_id, name)
);
call weft.tenant_table('pop_group', 'enterprise_id', 'created_by');

-- A site of an enterprise by its postal address; its CPEs stand there.
create table weft.branch (
  id bigint generated always as identity primary key,
  enterprise_id bigint not null references weft.enterprise (id),
  name text not null,
  regions text[] not null default '{}',
  address text not null default '',
  remark text not null default '',
  created_by bigint,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (enterprise_id, id),
  constraint branch_name unique (enterprise_id, name)
);
create index branch_name_search on weft.branch using gin (name gin_trgm_ops);
call weft.tenant_table('branch', 'enterprise_id', 'created_by');

-- Nodes that a row lists, in its order. Their enterprise may be another: POPs are shared.
create table weft.pop_strategy_node (
  enterprise_id bigint not null,
  owner_id bigint not null,
  node_enterprise_id bigint not null,
  node_id bigint not null,
  place smallint not null,
  primary key (owner_id, node_id),
  foreign key (enterprise_id, owner_id) references weft.pop_strategy (enterprise_id, id)
    on update cascade on delete cascade,
  foreign key (node_enterprise_id, node_id) references weft.node (enterprise_id, id)
    on update cascade on delete cascade
);
create index pop_strategy_node_by_node on weft.pop_strategy_node (node_id);
call weft.tenant_table('pop_strategy_node');

create table weft.pop_group_node (
  enterprise_id bigint not null,
  owner_id bigint not null,
  node_enterprise_id bigint not null,
  node_id bigint not null,
  place smallint not null,
  primary key (owner_id, node_id),
  foreign key (enterprise_id, owner_id) references weft.pop_group (enterprise_id, id)
    on update cascade on delete cascade,
  foreign key (node_enterprise_id, node_id) references weft.node (enterprise_id, id)
    on update cascade on delete cascade
);
create index pop_group_node_by_node on weft.pop_group_node (node_id);
call weft.tenant_table('pop_group_node');

create table weft.branch_node (
  enterprise_id bigint not null,
  owner_id bigint not null,
  node_enterprise_id bigint not null,
  node_id bigint not null,
  place smallint not null,
  primary key (owner_id, node_id),
  -- A box stands in one place.
  constraint branch_node_once unique (node_id),
  foreign key (enterprise_id, owner_id) references weft.branch (enterprise_id, id)
    on update cascade on delete cascade,
  foreign key (node_enterprise_id, node_id) references weft.node (enterprise_id, id)
    on update cascade on delete cascade
);
call weft.tenant_table('branch_node');

alter table weft.enterprise
  add column end_at timestamptz,
  add column business_type text check (business_type in ('network', 'speed', 'all')),
  -- How many CPEs and accounts it may have; null: as many as it likes.
  add column cpe_limit integer check (cpe_limit >= 0),
  add column account_limit integer check (account_limit >= 0),
  add column node_config text not null default '',
  add column is_push boolean not null default false;
create index enterprise_end on weft.enterprise (end_at) where end_at is not null;

-- Which POPs an enterprise uses; without a row the controller chooses.
create table weft.enterprise_strategy (
  enterprise_id bigint primary key references weft.enterprise (id) on delete cascade,
  -- 0 automatic, 1 the strategy below.
  strategy_type smallint not null check (strategy_type in (0, 1)),
  pop_strategy_id bigint constraint enterprise_strategy_pop references weft.pop_strategy (id),
  -- Of its POPs only these; empty: all.
  check_server_ids bigint[] not null default '{}',
  updated_at timestamptz not null default now(),
  check ((strategy_type = 1) = (pop_strategy_id is not null))
);
create index enterprise_strategy_by_strategy on weft.enterprise_strategy (pop_strategy_id);
call weft.tenant_table('enterprise_strategy');

alter table weft.node add column is_push boolean not null default false;

-- Who a company is, with papers, and whether that was looked at.
create table weft.company_audit (
  id bigint generated always as identity primary key,
  enterprise_id bigint not null references weft.enterprise (id),
  name text not null,
  license text,
  id_card text,
  contact text not null default '',
  phone text,
  -- 0 waiting, 1 approved, 2 rejected.
  status smallint not null default 0 check (status in (0, 1, 2)),
  audit_by text,
  audited_at timestamptz,
  remark text not null default '',
  created_by bigint,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint company_audit_name unique (enterprise_id, name)
);
create index company_audit_waiting on weft.company_audit (status, id);
call weft.tenant_table('company_audit', 'enterprise_id', 'created_by');

create table weft.config_item (
  id bigint generated always as identity primary key,
  enterprise_id bigint not null references weft.enterprise (id) on delete cascade,
  config_key text not null,
  config_value text not null,
  remark text not null default '',
  created_by bigint,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint config_item_key unique (enterprise_id, config_key)
);
call weft.tenant_table('config_item', 'enterprise_id', 'created_by');

-- Values of an enterprise that its screens work with; without a row they are as usual.
create table weft.enterprise_param (
  enterprise_id bigint primary key references weft.enterprise (id) on delete cascade,
  expire_notice_days smallint not null check (expire_notice_days between 1 and 365),
  timezone text not null,
  default_pop_strategy_id bigint references weft.pop_strategy (id) on delete set null,
  log_days smallint not null check (log_days between 1 and 3650),
  updated_at timestamptz not null default now()
);
call weft.tenant_table('enterprise_param');

-- Sets of addresses and of host names that belong to an enterprise.
create table weft.enterprise_ipgroup (
  id bigint generated always as identity primary key,
  enterprise_id bigint not null references weft.enterprise (id),
  name text not null,
  share boolean not null default false,
  members text[] not null,
  remark text not null default '',
  created_by bigint,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint enterprise_ipgroup_name unique (enterprise_id, name)
);
call weft.tenant_table('enterprise_ipgroup', 'enterprise_id', 'created_by');

-- The given enterprises and everything above them. Definer: who is above is out of their sight.
create function weft.above(of bigint[]) returns bigint[]
  language sql stable security definer set search_path = weft, pg_temp
  begin atomic
    with recursive up as (
      select e.id, e.parent_id from weft.enterprise e where e.id = any (of)
      union
      select e.id, e.parent_id from weft.enterprise e join up u on e.id = u.parent_id
    )
    select coalesce(array_agg(id), '{}') from up;
  end;
revoke execute on function weft.above(bigint[]) from public;
grant execute on function weft.above(bigint[]) to weft_api, weft_api_all, weft_worker;
-- A shared set may be used by all below its enterprise.
create policy shared on weft.enterprise_ipgroup for select to weft_api using (
  share and enterprise_id = any ((select weft.above(weft.scope_enterprises()))::bigint[]));

create table weft.enterprise_urlgroup (
  id bigint generated always as identity primary key,
  enterprise_id bigint not null references weft.enterprise (id),
  name text not null,
  members text[] not null,
  remark text not null default '',
  created_by bigint,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint enterprise_urlgroup_name unique (enterprise_id, name)
);
call weft.tenant_table('enterprise_urlgroup', 'enterprise_id', 'created_by');

-- Which columns of a table a person wants to see.
create table weft.search_columns (
  user_id bigint not null,
  enterprise_id bigint not null,
  -- Which table: the path of its list.
  class_type text not null check (length(class_type) between 1 and 128),
  cols text[] not null,
  updated_at timestamptz not null default now(),
  primary key (user_id, class_type),
  foreign key (enterprise_id, user_id) references weft.sys_user (enterprise_id, id)
    on update cascade on delete cascade
);
call weft.tenant_table('search_columns');
-- A person's own, whatever the data scope.
drop policy in_scope on weft.search_columns;
create policy own on weft.search_columns to weft_api
  using (user_id = (select weft.user_id())) with check (user_id = (select weft.user_id()));
