-- What a trigger does to rows of others when a node is removed is part of that removal: the call reads it
-- from here, within its transaction, and writes it to the operation log in the name of its user.
create function weft.note_removed_with(entry jsonb) returns void
  language sql volatile set search_path = weft, pg_temp
  as $$
    select set_config('weft.removed_with',
      (coalesce(nullif(current_setting('weft.removed_with', true), ''), '[]')::jsonb || entry)::text, true)
  $$;
revoke execute on function weft.note_removed_with(jsonb) from public;

-- A blacklist entry without CPEs is about all of its enterprise. One that named a single CPE must not
-- become that when the CPE is removed: it goes with the last of its CPEs, and is noted. Taking all CPEs out of an
-- entry by hand stays what it is, a choice: they are still there.
-- Of two CPEs that an entry names, removed at the same moment, neither removal sees the other: one waits for the other, or the
-- entry would stay without any and block the address for all of the enterprise.
create function weft.remove_blacklist_of_removed() returns trigger
language plpgsql security definer set search_path = weft, pg_temp as $$
declare
  owners constant bigint[] := array(
    select r.owner_id from removed r where not exists (select from node n where n.id = r.node_id));
  gone blacklist;
begin
  perform from blacklist where id = any (owners) order by id for no key update;
  -- A statement of its own: it sees what the one that was waited for has committed.
  for gone in
    delete from blacklist b where b.id = any (owners)
      and not exists (select from blacklist_node x where x.owner_id = b.id)
    returning b.*
  loop
    perform note_removed_with(jsonb_build_object('resource', 'blacklist', 'rowId', gone.id,
      'enterpriseId', gone.enterprise_id, 'new', null, 'old', jsonb_build_object(
        'type', gone.type, 'value', gone.value, 'enable', gone.enabled, 'remark', gone.remark,
        'cpeIds', array(select r.node_id from removed r where r.owner_id = gone.id))));
  end loop;
  return null;
end $$;
revoke execute on function weft.remove_blacklist_of_removed() from public;
create trigger remove_blacklist_of_removed after delete on weft.blacklist_node
  referencing old table as removed
  for each statement execute function weft.remove_blacklist_of_removed();

-- An alarm policy without nodes is about all of its enterprise. One that loses its last node because that
-- is removed must not become such a policy: it is disabled, with its rules, until a user decides.
create function weft.disable_alarms_of_removed() returns trigger
language plpgsql security definer set search_path = weft, pg_temp as $$
declare
  owners constant bigint[] := array(
    select r.owner_id from removed r where not exists (select from node n where n.id = r.node_id));
  empty alarm_strategy;
begin
  perform from alarm_strategy where id = any (owners) order by id for no key update;
  -- A statement of its own: it sees what the one that was waited for has committed.
  for empty in
    update alarm_strategy s set enabled = false where s.id = any (owners) and s.enabled
      and not exists (select from alarm_strategy_node x where x.owner_id = s.id)
      and not exists (select from alarm_strategy_pop x where x.owner_id = s.id)
    returning s.*
  loop
    perform note_removed_with(jsonb_build_object('resource', 'alarmStrategy', 'rowId', empty.id,
      'enterpriseId', empty.enterprise_id, 'old', jsonb_build_object('name', empty.name, 'enable', true),
      'new', jsonb_build_object('name', empty.name, 'enable', false)));
  end loop;
  return null;
end $$;
revoke execute on function weft.disable_alarms_of_removed() from public;
create trigger disable_alarms_of_removed after delete on weft.alarm_strategy_node
  referencing old table as removed
  for each statement execute function weft.disable_alarms_of_removed();
create trigger disable_alarms_of_removed after delete on weft.alarm_strategy_pop
  referencing old table as removed
  for each statement execute function weft.disable_alarms_of_removed();

-- Writes what was noted to the operation log. With the owner's rights: the row may be an enterprise's above
-- the caller's, whose log tells who removed the node.
create function weft.audit_removed_with(caller bigint, login text, done text, from_address text, request text)
  returns void
  language sql volatile security definer set search_path = weft, pg_temp
  as $$
    insert into audit (enterprise_id, user_id, login_name, action, resource, row_id, old_value, new_value,
      address, request_id)
    select (e ->> 'enterpriseId')::bigint, caller, login, done, e ->> 'resource', (e ->> 'rowId')::bigint,
      nullif(e -> 'old', 'null'), nullif(e -> 'new', 'null'), from_address, request
    from jsonb_array_elements(
      coalesce(nullif(current_setting('weft.removed_with', true), ''), '[]')::jsonb) e;
    select set_config('weft.removed_with', '', true);
  $$;
revoke execute on function weft.audit_removed_with(bigint, text, text, text, text) from public;
grant execute on function weft.audit_removed_with(bigint, text, text, text, text) to weft_api, weft_api_all;
