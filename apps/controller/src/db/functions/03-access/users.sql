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

-- Before something that stops a site the caller's own password is asked for once more. The caller's account may be out of
-- the caller's data scope, and the call must not take a second connection for it: hence definer, for this one user.
create function weft.own_password_hash() returns text
  language sql stable security definer set search_path = weft, pg_temp
  begin atomic
    select u.password_hash from weft.sys_user u where u.id = weft.user_id();
  end;
revoke execute on function weft.own_password_hash() from public;
grant execute on function weft.own_password_hash() to weft_api, weft_api_all;

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

-- Streams of events are told at once when a session ends or an account is disabled: the user's id on the
-- channel weft_session. Only a hint, like all notifications: streams ask every 15 seconds as well.

create function weft.notify_ended_sessions() returns trigger
language plpgsql set search_path = weft, pg_temp as $$
begin
  perform pg_notify('weft_session', one.user_id::text)
    from (select distinct user_id from ended limit 1000) one;
  return null;
end $$;
create trigger ended_sessions after delete on weft.session
  referencing old table as ended
  for each statement execute function weft.notify_ended_sessions();

create function weft.notify_disabled_user() returns trigger
language plpgsql set search_path = weft, pg_temp as $$
begin
  perform pg_notify('weft_session', new.id::text);
  return null;
end $$;
create trigger disabled_user after update of enabled on weft.sys_user
  for each row when (old.enabled and not new.enabled)
  execute function weft.notify_disabled_user();
