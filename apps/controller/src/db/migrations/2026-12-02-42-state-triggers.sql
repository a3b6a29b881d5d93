-- States change many at a time: what follows from it is written once for a statement and not once for each row. As before,
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

drop trigger state_changed on weft.node_state;
drop trigger state_made on weft.node_state;
drop trigger state_happened on weft.node_state;
drop trigger health_turned on weft.node_state;
drop trigger health_due on weft.node_state;
drop function weft.state_changed();
drop function weft.state_happened();
drop function weft.delivery_due();

create trigger states_changed after update on weft.node_state
  referencing old table as old_states new table as new_states
  for each statement execute function weft.states_changed();
create trigger states_made after insert on weft.node_state
  referencing new table as new_states
  for each statement execute function weft.states_made();
