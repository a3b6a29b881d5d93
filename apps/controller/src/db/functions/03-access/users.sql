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

-- Streams of events are told at once when what a user may see changes: permissions, entries of the menu, data scope or enterprises of
-- a role, the roles of a user, the tree of enterprises that scopes are made of, and who has to set up MFA first. As with ended sessions it is the
-- user's id on the channel weft_session, or "*" for all users, and only a hint: streams ask every 15 seconds as well.

-- Definer: whoever changes a role need not see everybody who has it. Argument: the column that names the role, or the user.
create function weft.notify_changed_rights() returns trigger
language plpgsql security definer set search_path = weft, pg_temp as $$
declare
  users bigint[];
begin
  if tg_argv[0] = 'user_id' then
    select array_agg(distinct (to_jsonb(c) ->> 'user_id')::bigint) into users from changed c;
  else
    select array_agg(distinct u.user_id) into users
    from user_role u where u.role_id in (select (to_jsonb(c) ->> tg_argv[0])::bigint from changed c);
  end if;
  -- A queue of notifications is not for thousands: then all streams ask.
  if cardinality(users) > 1000 then
    perform pg_notify('weft_session', '*');
  else
    perform pg_notify('weft_session', id::text) from unnest(users) as u (id);
  end if;
  return null;
end $$;
revoke execute on function weft.notify_changed_rights() from public;

create trigger rights_given after insert on weft.role_permission
  referencing new table as changed for each statement execute function weft.notify_changed_rights('role_id');
create trigger rights_taken after delete on weft.role_permission
  referencing old table as changed for each statement execute function weft.notify_changed_rights('role_id');
create trigger scope_given after insert on weft.role_enterprise
  referencing new table as changed for each statement execute function weft.notify_changed_rights('role_id');
create trigger scope_taken after delete on weft.role_enterprise
  referencing old table as changed for each statement execute function weft.notify_changed_rights('role_id');
create trigger role_given after insert on weft.user_role
  referencing new table as changed for each statement execute function weft.notify_changed_rights('user_id');
create trigger role_taken after delete on weft.user_role
  referencing old table as changed for each statement execute function weft.notify_changed_rights('user_id');
create trigger role_changed after update on weft.role
  referencing new table as changed for each statement execute function weft.notify_changed_rights('id');

create function weft.notify_changed_tree() returns trigger
language plpgsql set search_path = weft, pg_temp as $$
begin
  perform pg_notify('weft_session', '*');
  return null;
end $$;
create trigger tree_changed after update of parent_id, enabled, password_policy on weft.enterprise for each row
  when (old.parent_id is distinct from new.parent_id or old.enabled <> new.enabled
    or old.password_policy <> new.password_policy)
  execute function weft.notify_changed_tree();
-- Another enterprise is another scope; what ends with disabling ends as well.
create trigger moved_user after update of enterprise_id on weft.sys_user
  for each row when (old.enterprise_id <> new.enterprise_id)
  execute function weft.notify_disabled_user();
