-- Names of what the database does on its own, by the field's words: state changes, default network
-- cards, alarms whose notification is pending.

alter function weft.link_turned() rename to link_changed;
alter trigger link_turned on weft.link_status rename to link_changed;
alter function weft.node_turned() rename to node_changed;
alter trigger node_turned on weft.node_status rename to node_changed;
alter function weft.state_turned() rename to state_changed;
alter trigger state_turned on weft.node_state rename to state_changed;
alter function weft.alarm_turned() rename to alarm_changed;

alter index weft.alarm_event_untold rename to alarm_event_pending;

alter function weft.usual_cards() rename to default_cards;
create or replace function weft.add_cards() returns trigger
language plpgsql security definer set search_path = weft, pg_temp as $$
begin
  if tg_table_name = 'node' then
    insert into router_interface (enterprise_id, node_id, name, netcard, created_by)
    select a.enterprise_id, a.id, c, c, a.created_by from added a, weft.default_cards() c;
  else
    insert into router_interface (enterprise_id, template_id, name, netcard, created_by)
    select a.enterprise_id, a.id, c, c, a.created_by from added a, weft.default_cards() c;
  end if;
  return null;
end $$;
