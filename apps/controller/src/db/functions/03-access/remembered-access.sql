-- The number as the statement that asks sees it, which is what its other tables are like.
create function weft.access_version() returns bigint
  language sql stable security definer set search_path = weft, pg_temp
  begin atomic
    select v.version from weft.access_version v;
  end;
revoke execute on function weft.access_version() from public;
grant execute on function weft.access_version() to weft_api_all;

-- Deferred, so that the one row is locked while a transaction commits and not while it works; once for a transaction.
create function weft.note_access_change() returns trigger
language plpgsql security definer set search_path = weft, pg_temp as $$
declare
  own text := pg_current_xact_id()::text;
begin
  if current_setting('weft.access_noted', true) is distinct from own then
    update access_version set version = version + 1;
    perform set_config('weft.access_noted', own, true);
  end if;
  return null;
end $$;
revoke execute on function weft.note_access_change() from public;

-- Rows whose coming and going counts. A new user, role or key gives nobody anything by itself.
do $$
declare
  name text;
begin
  foreach name in array array['user_role', 'role_permission', 'role_enterprise', 'user_identity', 'identity_provider',
    'passkey']
  loop
    execute format('create constraint trigger access_changed after insert or delete on weft.%I
      deferrable initially deferred for each row execute function weft.note_access_change()', name);
  end loop;
  foreach name in array array['sys_user', 'role', 'api_key']
  loop
    execute format('create constraint trigger access_changed after delete on weft.%I
      deferrable initially deferred for each row execute function weft.note_access_change()', name);
  end loop;
end $$;
create constraint trigger access_changed after insert or delete on weft.enterprise
  deferrable initially deferred for each row execute function weft.note_access_change();
create constraint trigger access_removed after delete on weft.totp
  deferrable initially deferred for each row when (old.confirmed_at is not null)
  execute function weft.note_access_change();
create constraint trigger access_added after insert on weft.totp
  deferrable initially deferred for each row when (new.confirmed_at is not null)
  execute function weft.note_access_change();

-- Columns from which follows who somebody is and what that person may do. A login or the use of a key changes none.
create constraint trigger access_edited after update on weft.sys_user
  deferrable initially deferred for each row
  when ((old.enterprise_id, old.login_name, old.enabled) is distinct from (new.enterprise_id, new.login_name, new.enabled))
  execute function weft.note_access_change();
create constraint trigger access_edited after update on weft.enterprise
  deferrable initially deferred for each row
  when ((old.parent_id, old.name, old.enabled, old.password_policy)
    is distinct from (new.parent_id, new.name, new.enabled, new.password_policy))
  execute function weft.note_access_change();
create constraint trigger access_edited after update on weft.role
  deferrable initially deferred for each row
  when ((old.enterprise_id, old.code, old.role_type, old.data_scope, old.demands_factor)
    is distinct from (new.enterprise_id, new.code, new.role_type, new.data_scope, new.demands_factor))
  execute function weft.note_access_change();
create constraint trigger access_edited after update on weft.api_key
  deferrable initially deferred for each row
  when ((old.enterprise_id, old.name, old.role_id, old.created_by, old.key_hash)
    is distinct from (new.enterprise_id, new.name, new.role_id, new.created_by, new.key_hash))
  execute function weft.note_access_change();
create constraint trigger access_edited after update on weft.totp
  deferrable initially deferred for each row when (old.confirmed_at is distinct from new.confirmed_at)
  execute function weft.note_access_change();
create constraint trigger access_edited after update on weft.user_role
  deferrable initially deferred for each row when (old.* is distinct from new.*)
  execute function weft.note_access_change();
create constraint trigger access_edited after update on weft.role_permission
  deferrable initially deferred for each row when (old.* is distinct from new.*)
  execute function weft.note_access_change();
create constraint trigger access_edited after update on weft.role_enterprise
  deferrable initially deferred for each row when (old.* is distinct from new.*)
  execute function weft.note_access_change();
create constraint trigger access_edited after update on weft.user_identity
  deferrable initially deferred for each row
  when ((old.user_id, old.provider_id) is distinct from (new.user_id, new.provider_id))
  execute function weft.note_access_change();
create constraint trigger access_edited after update on weft.identity_provider
  deferrable initially deferred for each row
  when ((old.enabled, old.has_mfa) is distinct from (new.enabled, new.has_mfa))
  execute function weft.note_access_change();

-- Ends the transaction of a call where the session has ended, has to be rotated, or where anything changed since it was read.
-- A link for templates has also ended when the login that gave it out has. Definer: sessions are out of the sight of most callers.
create function weft.require_session(hash bytea, seen bigint, longest interval) returns void
  language plpgsql stable security definer set search_path = weft, pg_temp as $$
begin
  if not exists (
    select from session s, access_version v
    where s.token_hash = hash and s.expires_at > now() and s.rotate_after > now()
      and s.created_at > now() - longest and v.version = seen
      and (s.issuer is null or exists (select from session issuing
        where issuing.family = s.issuer and issuing.user_id = s.user_id and issuing.expires_at > now()
          and issuing.created_at > now() - longest)))
  then
    raise exception 'access has changed' using errcode = 'WA001';
  end if;
end $$;
revoke execute on function weft.require_session(bytea, bigint, interval) from public;
grant execute on function weft.require_session(bytea, bigint, interval) to weft_api, weft_api_all;

-- The same for what a login asked for and is done after its call: a download.
create function weft.require_login(login uuid, seen bigint, longest interval) returns void
  language plpgsql stable security definer set search_path = weft, pg_temp as $$
begin
  if not exists (
    select from session s, access_version v
    where s.family = login and s.expires_at > now() and s.created_at > now() - longest and v.version = seen
      and (s.issuer is null or exists (select from session issuing
        where issuing.family = s.issuer and issuing.user_id = s.user_id and issuing.expires_at > now()
          and issuing.created_at > now() - longest)))
  then
    raise exception 'access has changed' using errcode = 'WA001';
  end if;
end $$;
revoke execute on function weft.require_login(uuid, bigint, interval) from public;
grant execute on function weft.require_login(uuid, bigint, interval) to weft_api, weft_api_all;

-- The same for what outlives the login that asked for it, and for a key by its id: turns of bulk jobs.
create function weft.require_access(seen bigint) returns void
  language plpgsql stable security definer set search_path = weft, pg_temp as $$
begin
  if not exists (select from access_version v where v.version = seen) then
    raise exception 'access has changed' using errcode = 'WA001';
  end if;
end $$;
revoke execute on function weft.require_access(bigint) from public;
grant execute on function weft.require_access(bigint) to weft_api, weft_api_all;

-- The same for an API key; its use is noted once a minute, by the statement that reads it.
create function weft.require_key(hash bytea, seen bigint) returns void
  language plpgsql stable security definer set search_path = weft, pg_temp as $$
begin
  if not exists (
    select from api_key k, access_version v
    where k.key_hash = hash and k.expires_at > now() and k.last_used_at > now() - interval '1 minute'
      and v.version = seen)
  then
    raise exception 'access has changed' using errcode = 'WA001';
  end if;
end $$;
revoke execute on function weft.require_key(bytea, bigint) from public;
grant execute on function weft.require_key(bytea, bigint) to weft_api, weft_api_all;
