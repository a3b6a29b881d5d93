-- A delivery is evaluated once, not after each of its steps. What it comes to changes the health of its node, and whether
-- it is on its way, applied or confirmed is known together some seconds later: rows of it wait until then, while what went
-- up or down stays due at once. Steps between which the health is the same note nothing.
alter table weft.alarm_due add column due_at timestamptz not null default now();
create index alarm_due_node on weft.alarm_due (node_id, due_at);

create function weft.delivery_due() returns trigger
language plpgsql security definer set search_path = weft, pg_temp as $$
begin
  insert into alarm_due (enterprise_id, node_id, due_at)
  values (new.enterprise_id, new.node_id, now() + interval '3 seconds');
  return null;
end $$;
drop trigger health_due on weft.node_state;
create trigger health_due after insert on weft.node_state
  for each row execute function weft.delivery_due();
drop trigger health_turned on weft.node_state;
create trigger health_turned after update on weft.node_state
  for each row when (old.outcome is distinct from new.outcome
    and not (old.outcome in ('waiting', 'delivered', 'applied') and new.outcome in ('waiting', 'delivered', 'applied')))
  execute function weft.delivery_due();
