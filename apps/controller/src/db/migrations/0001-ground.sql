-- The ground that every later migration stands on. Runs as weft_owner, with the search path
-- weft, public.

-- Trusted extensions: the owner of a database may add them without being superuser.
create extension if not exists pg_trgm;
create extension if not exists btree_gist;

grant usage on schema weft to weft_api, weft_api_all, weft_worker, weft_gateway;

-- Row-level security decides which rows; these decide that there is a question at all. The
-- gateway gets nothing by default: each migration grants it the few tables that it needs.
alter default privileges in schema weft
  grant select, insert, update, delete on tables to weft_api, weft_api_all, weft_worker;
alter default privileges in schema weft
  grant usage on sequences to weft_api, weft_api_all, weft_worker;

-- The scope of a transaction, set by inScope (db/pool.ts):
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
