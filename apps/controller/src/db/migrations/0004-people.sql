-- People: what a user's row was missing, references that cannot leave the tenant, and logs that
-- "own data only" narrows to the person's own.

alter table weft.sys_user
  add column phone text,
  add column email text,
  add column remark text not null default '',
  add constraint sys_user_tenant unique (enterprise_id, id);
alter table weft.role add constraint role_tenant unique (enterprise_id, id);

-- A user has roles of the own enterprise only, whoever gives them (docs/adr/0004-tenancy.md).
alter table weft.role_permission
  drop constraint role_permission_role_id_fkey,
  add constraint role_permission_role foreign key (enterprise_id, role_id)
    references weft.role (enterprise_id, id) on delete cascade;
alter table weft.user_role
  drop constraint user_role_user_id_fkey,
  drop constraint user_role_role_id_fkey,
  add constraint user_role_user foreign key (enterprise_id, user_id)
    references weft.sys_user (enterprise_id, id) on delete cascade,
  add constraint user_role_role foreign key (enterprise_id, role_id)
    references weft.role (enterprise_id, id);
create index user_role_by_role on weft.user_role (role_id);

-- Whether a role of scope 4 names an enterprise outside the transaction's scope. Row-level security
-- hides those rows, so that such a role would look as if it gave nothing: hence definer.
create function weft.reaches_beyond(of_role bigint) returns boolean
  language sql stable security definer set search_path = weft, pg_temp
  begin atomic
    select exists (
      select 1 from weft.role_enterprise c
      where c.role_id = of_role and c.enterprise_id <> all (weft.scope_enterprises()));
  end;
revoke execute on function weft.reaches_beyond(bigint) from public;
grant execute on function weft.reaches_beyond(bigint) to weft_api, weft_api_all;

drop policy in_scope on weft.audit;
create policy in_scope on weft.audit to weft_api
  using (enterprise_id = any ((select weft.scope_enterprises())::bigint[])
    and (not (select weft.own_only()) or user_id = (select weft.user_id())))
  with check (enterprise_id = any ((select weft.scope_enterprises())::bigint[])
    and user_id = (select weft.user_id()));
drop policy in_scope on weft.login_record;
create policy in_scope on weft.login_record to weft_api
  using (enterprise_id = any ((select weft.scope_enterprises())::bigint[])
    and (not (select weft.own_only()) or user_id = (select weft.user_id())))
  with check (false);

-- Newest first for sessions over the whole tree, and for one person.
create index audit_newest on weft.audit (at desc);
create index login_record_success on weft.login_record (user_id, at desc) where success;
