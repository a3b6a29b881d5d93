-- A phone number or an e-mail address recovers a password only after its user has proven, by a code, that
-- messages arrive there. Nobody has proven it for those that are there already.
alter table sys_user
  add column phone_confirmed_at timestamptz,
  add column email_confirmed_at timestamptz;

-- Whatever writes another address, its proof does not come along.
create function weft.forget_confirmation() returns trigger
language plpgsql set search_path = weft, pg_temp as $$
begin
  if new.phone is distinct from old.phone and new.phone_confirmed_at is not distinct from old.phone_confirmed_at then
    new.phone_confirmed_at := null;
  end if;
  if new.email is distinct from old.email and new.email_confirmed_at is not distinct from old.email_confirmed_at then
    new.email_confirmed_at := null;
  end if;
  return new;
end $$;
create trigger forget_confirmation before update of phone, email on sys_user
  for each row execute function weft.forget_confirmation();

alter table one_time_code drop constraint one_time_code_purpose_check;
alter table one_time_code add constraint one_time_code_purpose_check
  check (purpose in ('login', 'phone', 'email', 'confirmPhone', 'confirmEmail'));

-- A change of login name, phone number or address, and the code that undoes it: sent to the former address.
create table weft.contact_change (
  id bigint generated always as identity primary key,
  enterprise_id bigint not null,
  user_id bigint not null,
  code_hash bytea not null unique,
  old_login_name text not null,
  old_phone text,
  old_email text,
  old_phone_confirmed_at timestamptz,
  old_email_confirmed_at timestamptz,
  used_at timestamptz,
  expires_at timestamptz not null,
  created_at timestamptz not null default now(),
  constraint contact_change_user foreign key (enterprise_id, user_id)
    references weft.sys_user (enterprise_id, id) on delete cascade on update cascade
);
create index contact_change_by_user on weft.contact_change (user_id);
create index contact_change_expiry on weft.contact_change (expires_at);
call weft.tenant_table('contact_change');
