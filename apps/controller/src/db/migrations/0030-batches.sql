-- Actions on many rows: who began what with which rows, and what came of each. The rows of a batch
-- are worked on in their order, so many in one transaction with what is done to them: how far it
-- is and what was done cannot differ, whatever dies in between.
create table weft.batch (
  id bigint generated always as identity primary key,
  enterprise_id bigint not null references weft.enterprise (id) on delete cascade,
  -- Of an API key: minus its id.
  user_id bigint not null,
  key_id bigint,
  login_name text not null,
  address text not null,
  request_id text not null,
  -- Id of the call that began it, and its own fields as the wire has them; never a secret.
  action text not null,
  fields jsonb not null,
  total integer not null,
  done integer not null default 0,
  failed integer not null default 0,
  -- When some of it was done last: of several batches the one that waited longest goes on.
  turn_at timestamptz,
  cancelled boolean not null default false,
  ended_at timestamptz,
  created_at timestamptz not null default now(),
  check (done + failed <= total)
);
create index batch_newest on weft.batch (user_id, id desc);
create index batch_open on weft.batch (turn_at nulls first, id) where ended_at is null;

-- One row of a batch. It is done or failed when its place is behind the batch's done + failed.
create table weft.batch_item (
  batch_id bigint not null references weft.batch (id) on delete cascade,
  place integer not null,
  user_id bigint not null,
  row_id bigint not null,
  name text not null,
  -- Why it failed: code, parameters and issues of a refusal; null: it did not.
  why jsonb,
  primary key (batch_id, place)
);
create index batch_item_failed on weft.batch_item (batch_id, place) where why is not null;

call weft.tenant_table('batch');
call weft.loop_table('batch');
call weft.tenant_table('batch_item', 'user_id');
call weft.loop_table('batch_item');
-- A batch is its person's alone, also of one whose role names other enterprises than the own.
alter policy in_scope on weft.batch
  using (user_id = (select weft.user_id())) with check (user_id = (select weft.user_id()));
alter policy in_scope on weft.batch_item
  using (user_id = (select weft.user_id())) with check (user_id = (select weft.user_id()));
