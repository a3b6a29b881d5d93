-- The operation log as a sealed chain (design section 3.1).
--
-- A row is sealed after its transaction: chaining inside it would be one global lock. What waits is
-- a row of audit_waiting, written with the audit row in one transaction. A seal names its rows by
-- id, so it does not matter in which order transactions commit: a late one goes into a later seal,
-- and nothing rests on sequences or transaction ids, which a restored database does not share.

create table weft.audit_waiting (
  audit_id bigint primary key,
  enterprise_id bigint not null
);
call weft.tenant_table('audit_waiting');
call weft.loop_table('audit_waiting');
revoke insert, update, delete on weft.audit_waiting from weft_api, weft_api_all;
revoke insert, update on weft.audit_waiting from weft_worker;

create table weft.audit_seal (
  -- 1, 2, 3 ... without a gap.
  number bigint primary key,
  -- Audit rows that it seals, ascending.
  row_ids bigint[] not null,
  -- SHA-256 of each of them; of number, time, previous seal's hash and these (record/seal.ts).
  row_hashes bytea[] not null,
  hash bytea not null,
  at timestamptz not null,
  check (cardinality(row_ids) = cardinality(row_hashes))
);
create index audit_seal_rows on weft.audit_seal using gin (row_ids);
alter table weft.audit_seal enable row level security;
alter table weft.audit_seal force row level security;
-- Seals span enterprises: sessions with a scope ask through a call that looks at their rows only.
create policy whole on weft.audit_seal for select to weft_api_all using (true);
create policy worker on weft.audit_seal to weft_worker using (true) with check (true);
create policy owned on weft.audit_seal to weft_owner using (true) with check (true);
revoke insert, update, delete on weft.audit_seal from weft_api, weft_api_all;
revoke update, delete on weft.audit_seal from weft_worker;

-- The worker reads the rows of every enterprise.
call weft.loop_table('audit');
revoke update, delete on weft.audit from weft_worker;

-- Runs as owner: who writes an audit row need not be able to write, or take away, what waits.
create function weft.wait_for_seal() returns trigger
language plpgsql security definer set search_path = weft, pg_temp as $$
begin
  insert into audit_waiting (audit_id, enterprise_id) select id, enterprise_id from added;
  return null;
end $$;
revoke execute on function weft.wait_for_seal() from public;
create trigger wait_for_seal after insert on weft.audit
  referencing new table as added for each statement execute function weft.wait_for_seal();
insert into weft.audit_waiting (audit_id, enterprise_id) select id, enterprise_id from weft.audit;

-- Grants keep the roles from it; this keeps the owner, hence every later migration, from it too.
create function weft.refuse_rewriting() returns trigger
language plpgsql as $$
begin
  raise exception '% is append-only', tg_table_name using errcode = 'insufficient_privilege';
end $$;
create trigger append_only before update or delete or truncate on weft.audit
  for each statement execute function weft.refuse_rewriting();
create trigger append_only before update or delete or truncate on weft.audit_seal
  for each statement execute function weft.refuse_rewriting();

-- The worker takes away old records of log-ins, whosever they are.
call weft.loop_table('login_record');
revoke insert, update on weft.login_record from weft_worker;

-- Keys for programs. A key is its hash; it ends with its maker, and cannot outlive its role.
create table weft.api_key (
  id bigint generated always as identity primary key,
  enterprise_id bigint not null references weft.enterprise (id),
  name text not null,
  -- How it begins, for people to know it by.
  prefix text not null,
  key_hash bytea not null unique,
  role_id bigint not null,
  expires_at timestamptz not null,
  -- To the minute.
  last_used_at timestamptz,
  last_address text,
  remark text not null default '',
  created_by bigint not null references weft.sys_user (id) on delete cascade,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint api_key_role foreign key (enterprise_id, role_id)
    references weft.role (enterprise_id, id),
  constraint api_key_name unique (enterprise_id, name)
);
create index api_key_by_role on weft.api_key (role_id);
create index api_key_by_maker on weft.api_key (created_by);
call weft.tenant_table('api_key', 'enterprise_id', 'created_by');

-- What new passwords must be, here and below; the strictest on the way up the tree holds.
alter table weft.enterprise add column password_policy text not null default 'spec'
  check (password_policy in ('spec', '15+'));

-- Policies of an enterprise and of all above it, which the session may not see: hence definer.
create function weft.password_policies(of_enterprise bigint) returns text[]
  language sql stable security definer set search_path = weft, pg_temp
  begin atomic
    with recursive above as (
      select e.parent_id, e.password_policy from weft.enterprise e where e.id = of_enterprise
      union all
      select e.parent_id, e.password_policy
      from weft.enterprise e join above a on e.id = a.parent_id
    ) select coalesce(array_agg(distinct password_policy), '{}') from above;
  end;
revoke execute on function weft.password_policies(bigint) from public;
grant execute on function weft.password_policies(bigint) to weft_api, weft_api_all;
