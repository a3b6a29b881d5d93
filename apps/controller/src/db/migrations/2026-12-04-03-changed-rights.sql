-- Streams of events are told at once when what a user may see changes: permissions, entries of the menu, data scope or enterprises of
-- a role, the roles of a user, and the tree of enterprises that scopes are made of. As with ended sessions (2026-11-29-21) it is the
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
create trigger tree_changed after update of parent_id, enabled on weft.enterprise for each row
  when (old.parent_id is distinct from new.parent_id or old.enabled <> new.enabled)
  execute function weft.notify_changed_tree();
-- Another enterprise is another scope; what ends with disabling is in 2026-11-29-21.
create trigger moved_user after update of enterprise_id on weft.sys_user
  for each row when (old.enterprise_id <> new.enterprise_id)
  execute function weft.notify_disabled_user();
