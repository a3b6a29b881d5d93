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
