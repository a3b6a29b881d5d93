create function weft.note_transition(
  of_enterprise bigint, of_kind text, of_node bigint, of_link bigint, called text, is_up boolean
) returns void language sql security definer set search_path = weft, pg_temp
  begin atomic
    insert into weft.transition (enterprise_id, created_by, kind, node_id, link_id, name, up)
    select of_enterprise, n.created_by, of_kind, n.id, of_link, called, is_up
    from weft.node n where n.id = of_node;
    insert into weft.alarm_due (enterprise_id, node_id)
    select of_enterprise, of_node where of_kind in ('node', 'line', 'link');
  end;
revoke execute on function weft.note_transition(bigint, text, bigint, bigint, text, boolean) from public;

create function weft.link_changed() returns trigger
language plpgsql security definer set search_path = weft, pg_temp as $$
begin
  perform weft.note_transition(new.enterprise_id, 'link', l.a_node_id, l.id, null, new.up)
  from weft.link l where l.id = new.link_id;
  return null;
end $$;
create trigger link_changed after update on weft.link_status
  for each row when (old.up is distinct from new.up) execute function weft.link_changed();
create trigger link_known after insert on weft.link_status
  for each row execute function weft.link_changed();

create function weft.node_changed() returns trigger
language plpgsql security definer set search_path = weft, pg_temp as $$
begin
  if tg_op = 'INSERT' or old.online is distinct from new.online then
    perform weft.note_transition(new.enterprise_id, 'node', new.node_id, null, null, new.online);
  end if;
  if tg_op = 'UPDATE' and old.lines is distinct from new.lines then
    perform weft.note_transition(new.enterprise_id, 'line', new.node_id, null,
      l.line ->> 'interfaceName', (l.line ->> 'up')::boolean)
    from jsonb_array_elements(new.lines) as l (line)
    where not exists (
      select from jsonb_array_elements(old.lines) as o (line)
      where o.line ->> 'interfaceName' = l.line ->> 'interfaceName'
        and o.line ->> 'up' = l.line ->> 'up');
  end if;
  return null;
end $$;
create trigger node_changed after insert or update of online, lines on weft.node_status
  for each row execute function weft.node_changed();

create function weft.alarm_changed() returns trigger
language plpgsql security definer set search_path = weft, pg_temp as $$
begin
  insert into weft.transition (enterprise_id, created_by, kind, node_id, name, up)
  values (new.enterprise_id, new.created_by, 'alarm', new.node_id, new.level::text,
    new.cleared_at is not null);
  return null;
end $$;
create trigger alarm_opened after insert on weft.alarm_event
  for each row execute function weft.alarm_changed();
create trigger alarm_changed after update on weft.alarm_event
  for each row when (old.cleared_at is distinct from new.cleared_at
    or old.handled_at is distinct from new.handled_at) execute function weft.alarm_changed();

-- Written by the device of this transaction, so that the rows are bounded here.
create function weft.note_repairs(names text[]) returns void
  language plpgsql security definer set search_path = weft, pg_temp as $$
begin
  insert into transition (enterprise_id, created_by, kind, node_id, name)
  select n.enterprise_id, n.created_by, 'repair', n.id, one.name
  from node n cross join unnest(names) with ordinality as one (name, place)
  where n.id = weft.node_id() and one.place <= 60 - (
    select count(*) from transition t
    where t.node_id = n.id and t.kind = 'repair' and t.at > now() - interval '10 minutes')
  order by one.place;
  insert into alarm_due (enterprise_id, node_id)
  select enterprise_id, id from node where id = weft.node_id();
end $$;
revoke execute on function weft.note_repairs(text[]) from public;
grant execute on function weft.note_repairs(text[]) to weft_gateway;

-- States change many at a time: what follows from it is written once for a statement and not once for each row:
-- each change of an outcome is a transition, steps between which the health is the same note nothing, and webhooks are
-- sent what a state came to; a node of which several states change in one statement is evaluated once.
create function weft.states_changed() returns trigger
language plpgsql security definer set search_path = weft, pg_temp as $$
begin
  insert into transition (enterprise_id, created_by, kind, node_id, name)
  select s.enterprise_id, n.created_by, 'state', n.id, s.outcome
  from new_states s
    join old_states o on (o.node_id, o.epoch, o.serial) = (s.node_id, s.epoch, s.serial)
    join node n on n.id = s.node_id
  where o.outcome <> s.outcome
  order by s.node_id, s.epoch, s.serial;
  if not found then return null; end if;

  insert into alarm_due (enterprise_id, node_id, due_at)
  select distinct s.enterprise_id, s.node_id, now() + interval '3 seconds'
  from new_states s
    join old_states o on (o.node_id, o.epoch, o.serial) = (s.node_id, s.epoch, s.serial)
  where o.outcome <> s.outcome
    and not (o.outcome in ('waiting', 'delivered', 'applied') and s.outcome in ('waiting', 'delivered', 'applied'));

  if exists (select from webhook where enabled) then
    perform note_webhook_event(s.enterprise_id,
      case when s.outcome = 'confirmed' then 'change.delivered' else 'change.failed' end,
      s.node_id, jsonb_build_object('epoch', s.epoch, 'serial', s.serial, 'outcome', s.outcome,
        'reason', s.reason, 'cause', s.cause))
    from new_states s
      join old_states o on (o.node_id, o.epoch, o.serial) = (s.node_id, s.epoch, s.serial)
    where o.outcome <> s.outcome and s.outcome in ('confirmed', 'refused', 'failed', 'reverted');
  end if;
  return null;
end $$;
create trigger states_changed after update on weft.node_state
  referencing old table as old_states new table as new_states
  for each statement execute function weft.states_changed();

create function weft.states_made() returns trigger
language plpgsql security definer set search_path = weft, pg_temp as $$
begin
  insert into transition (enterprise_id, created_by, kind, node_id, name)
  select s.enterprise_id, n.created_by, 'state', n.id, s.outcome
  from new_states s join node n on n.id = s.node_id
  order by s.node_id, s.epoch, s.serial;
  insert into alarm_due (enterprise_id, node_id, due_at)
  select distinct s.enterprise_id, s.node_id, now() + interval '3 seconds' from new_states s;
  return null;
end $$;
create trigger states_made after insert on weft.node_state
  referencing new table as new_states
  for each statement execute function weft.states_made();
