-- What all later files are built on. Migrations run as weft_owner, with the search path weft, public;
-- docs/database.md says how they are written.
--
-- Every table has its enterprise; those that users write have their creator. References inside a
-- tenant are composite (enterprise_id, id), because foreign keys are checked without row-level
-- security (docs/adr/0004-tenancy.md).

-- Trusted extensions: the owner of a database may add them without being superuser.
create extension if not exists pg_trgm;
create extension if not exists btree_gist;

grant usage on schema weft to weft_api, weft_api_all, weft_worker, weft_gateway;

-- Row-level security decides which rows a role sees; these grants, that it may ask at all. The gateway
-- gets nothing by default: each file grants it the few tables that it needs.
alter default privileges in schema weft
  grant select, insert, update, delete on tables to weft_api, weft_api_all, weft_worker;
alter default privileges in schema weft
  grant usage on sequences to weft_api, weft_api_all, weft_worker;

-- The scope of a transaction, set by inScope of the controller:
--   weft.scope     enterprise ids that are in scope, as an array literal: {1,5,9}
--   weft.user_id   id of the acting user
--   weft.own_only  'on' when only rows that the user made are in scope
--   weft.node_id   id of the node that the gateway speaks for
-- A transaction without them has an empty scope and sees nothing. Once a session has had such a
-- setting it reads as '' afterwards, not as null.
-- In policies write  = any ((select weft.scope_enterprises())::bigint[]):  the select makes it once
-- a statement instead of once a row, and the cast keeps it an array (any (select ...) alone is a
-- comparison with rows).

create function weft.scope_enterprises() returns bigint[]
  language sql stable parallel safe
  return coalesce(nullif(current_setting('weft.scope', true), ''), '{}')::bigint[];

create function weft.user_id() returns bigint
  language sql stable parallel safe
  return nullif(current_setting('weft.user_id', true), '')::bigint;

create function weft.own_only() returns boolean
  language sql stable parallel safe
  return coalesce(nullif(current_setting('weft.own_only', true), ''), 'off')::boolean;

create function weft.node_id() returns bigint
  language sql stable parallel safe
  return nullif(current_setting('weft.node_id', true), '')::bigint;

-- A gateway writes what devices report about their states, and what it delivers to them, for many nodes in one
-- transaction, whose scope is these nodes (`weft.node_ids`, set by inScope beside `weft.node_id`). It reaches the tables of
-- deliveries only; what a device says of itself otherwise stays a transaction of its node.
create function weft.node_ids() returns bigint[]
  language sql stable parallel safe
  return coalesce(nullif(current_setting('weft.node_ids', true), ''), '{}')::bigint[];

-- ---------------------------------------------------------------- what tables of one kind have in common

-- Declares the policies that every tenant table has. `tenant` and `creator` are column names.
create procedure weft.tenant_table(name text, tenant text default 'enterprise_id', creator text default null)
language plpgsql as $$
declare
  in_scope text := format('%I = any ((select weft.scope_enterprises())::bigint[])', tenant);
  own text := case when creator is null then 'true'
    else format('(not (select weft.own_only()) or %I = (select weft.user_id()))', creator) end;
begin
  execute format('alter table weft.%I enable row level security', name);
  execute format('alter table weft.%I force row level security', name);
  execute format('create policy in_scope on weft.%I to weft_api using (%s and %s) with check (%s and %s)',
    name, in_scope, own, in_scope, own);
  execute format('create policy whole on weft.%I to weft_api_all using (true) with check (true)', name);
  -- The worker's scope is set per compile; own_only is never set for it.
  execute format('create policy compiled on weft.%I to weft_worker using (%s) with check (%s)',
    name, in_scope, in_scope);
  -- Migrations and seeds run as the owner, whom FORCE binds too.
  execute format('create policy owned on weft.%I to weft_owner using (true) with check (true)', name);
end $$;

-- Tables of the loop that the worker reads across tenants, and the gateway for one node.
create procedure weft.loop_table(name text, gateway_rights text default null)
language plpgsql as $$
begin
  execute format('drop policy compiled on weft.%I', name);
  execute format('create policy worker on weft.%I to weft_worker using (true) with check (true)', name);
  if gateway_rights is not null then
    execute format('grant %s on weft.%I to weft_gateway', gateway_rights, name);
    execute format('create policy of_node on weft.%I to weft_gateway
      using (node_id = (select weft.node_id())) with check (node_id = (select weft.node_id()))', name);
  end if;
end $$;

-- Which nodes a row is about; the node may belong to a subordinate of the row's enterprise.
create procedure weft.choice_table(owner text)
language plpgsql as $$
begin
  execute format('create table weft.%I (
    owner_id bigint not null,
    enterprise_id bigint not null,
    node_enterprise_id bigint not null,
    node_id bigint not null,
    primary key (owner_id, node_id),
    foreign key (enterprise_id, owner_id) references weft.%I (enterprise_id, id)
      on delete cascade on update cascade,
    foreign key (node_enterprise_id, node_id) references weft.node (enterprise_id, id)
      on delete cascade on update cascade)', owner || '_node', owner);
  execute format('create index on weft.%I (node_id)', owner || '_node');
  call weft.tenant_table(owner || '_node');
end $$;

-- Grants prevent the roles from rewriting a log; this prevents the owner, hence every later migration.
create function weft.refuse_rewriting() returns trigger
language plpgsql as $$
begin
  raise exception '% is append-only', tg_table_name using errcode = 'insufficient_privilege';
end $$;

-- ---------------------------------------------------------------- the installation

-- One row: who this controller is, for all its processes.
create table weft.installation (
  id smallint primary key default 1 check (id = 1),
  -- Grows when a backup is restored.
  epoch bigint not null default 1,
  -- Raw Ed25519 public key (base64url) and addresses that go into claims; written by the gateway.
  controller_key text,
  edge_addresses text[] not null default '{}',
  -- Which key secrets are under, and, under that key, who the controller is to its devices.
  secret_key_hash text,
  sealed_identity bytea,
  created_at timestamptz not null default now(),
  -- A change of the controller's key (docs/adr/0017-controller-key.md): the next key is prepared, devices confirm
  -- that they hold it, then it becomes the present one.
  -- Raw Ed25519 public key (base64url), and its private key under the key for secrets.
  next_controller_key text,
  sealed_next_identity bytea,
  key_prepared_at timestamptz,
  key_activated_at timestamptz,
  -- Earlier keys of this controller: a gateway whose file holds one of them is behind, and no stranger.
  retired_controller_keys text[] not null default '{}',
  constraint next_key_is_whole check (
    (next_controller_key is null) = (sealed_next_identity is null)
    and (next_controller_key is null) = (key_prepared_at is null))
);
insert into weft.installation default values;
alter table weft.installation enable row level security;
alter table weft.installation force row level security;
create policy readable on weft.installation for select using (true);
create policy owned on weft.installation to weft_owner using (true) with check (true);
grant select on weft.installation to weft_gateway;
-- The row of the installation holds the epoch, the controller's keys and the fingerprint of the key for
-- secrets. No role but the owner writes it, and functions of the owner: row-level security refuses the
-- others, and they have no right to it either.
revoke insert, update, delete on weft.installation from weft_api, weft_api_all, weft_worker;

-- Which gateways run, and under which addresses devices reach each: claims name the addresses of all.
create table weft.gateway_process (
  -- Made by the process at its start.
  id uuid primary key,
  addresses text[] not null,
  started_at timestamptz not null default now(),
  seen_at timestamptz not null default now()
);
alter table weft.gateway_process enable row level security;
alter table weft.gateway_process force row level security;
create policy owned on weft.gateway_process to weft_owner using (true) with check (true);
