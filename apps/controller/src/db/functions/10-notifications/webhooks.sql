-- Enabled webhooks that an event of this enterprise is for.
create function weft.webhooks_for(of_enterprise bigint, of_kind text) returns setof bigint
  language sql stable security definer set search_path = weft, pg_temp
  begin atomic
    select w.id from weft.webhook w
    where w.enabled and of_kind = any (w.events)
      and (w.enterprise_id = of_enterprise
        or (w.below and w.enterprise_id = any (weft.above(array[of_enterprise]))));
  end;
revoke execute on function weft.webhooks_for(bigint, text) from public;
grant execute on function weft.webhooks_for(bigint, text) to weft_worker;

create function weft.note_webhook_event(of_enterprise bigint, of_kind text, of_node bigint, facts jsonb)
  returns void language sql security definer set search_path = weft, pg_temp
  begin atomic
    insert into weft.webhook_event (enterprise_id, kind, node_id, facts)
    select of_enterprise, of_kind, n.id, jsonb_build_object('enterpriseName', e.name, 'nodeKind', n.kind,
      'nodeName', n.name, 'sn', coalesce((select i.sn from weft.node_identity i
        where i.node_id = n.id and i.state in ('approved', 'quarantined')), '')) || facts
    from weft.node n join weft.enterprise e on e.id = of_enterprise
    where n.id = of_node and exists (select from weft.webhooks_for(of_enterprise, of_kind));
  end;
revoke execute on function weft.note_webhook_event(bigint, text, bigint, jsonb) from public;

create function weft.alarm_happened() returns trigger
language plpgsql security definer set search_path = weft, pg_temp as $$
begin
  perform weft.note_webhook_event(new.enterprise_id,
    case when new.cleared_at is null then 'alarm.opened' else 'alarm.ended' end,
    new.node_id, jsonb_build_object('alarmId', new.id));
  return null;
end $$;
create trigger alarm_happened after insert on weft.alarm_event
  for each row execute function weft.alarm_happened();
create trigger alarm_over after update of cleared_at on weft.alarm_event
  for each row when (old.cleared_at is null and new.cleared_at is not null)
  execute function weft.alarm_happened();

create function weft.identity_happened() returns trigger
language plpgsql security definer set search_path = weft, pg_temp as $$
begin
  perform weft.note_webhook_event(new.enterprise_id, 'cpe.approved', n.id,
    jsonb_build_object('sn', new.sn, 'by', new.decided_by))
  from weft.node n where n.id = new.node_id and n.kind = 'cpe';
  return null;
end $$;
create trigger identity_approved after update of state on weft.node_identity
  for each row when (old.state is distinct from new.state and new.state = 'approved')
  execute function weft.identity_happened();
create trigger identity_made after insert on weft.node_identity
  for each row when (new.state = 'approved') execute function weft.identity_happened();

create function weft.contact_happened() returns trigger
language plpgsql security definer set search_path = weft, pg_temp as $$
begin
  perform weft.note_webhook_event(new.enterprise_id,
    case when new.online then 'device.online' else 'device.offline' end, new.node_id, '{}');
  return null;
end $$;
create trigger contact_happened after update of online on weft.node_status
  for each row when (old.online is distinct from new.online) execute function weft.contact_happened();
create trigger contact_made after insert on weft.node_status
  for each row when (new.online) execute function weft.contact_happened();
