-- What people decide and what deliveries come to changes the health of a node at once; all else is found by
-- the periodic scan.
create function weft.health_due() returns trigger
language plpgsql security definer set search_path = weft, pg_temp as $$
declare
  of_node bigint := case tg_table_name when 'node' then to_jsonb(new) ->> 'id' else to_jsonb(new) ->> 'node_id' end;
begin
  insert into weft.alarm_due (enterprise_id, node_id) values (new.enterprise_id, of_node);
  return null;
end $$;
create trigger health_due after insert on weft.node for each row execute function weft.health_due();
create trigger health_turned after update on weft.node
  for each row when (old.enabled is distinct from new.enabled or old.expire_at is distinct from new.expire_at)
  execute function weft.health_due();
create trigger health_due after insert on weft.node_identity
  for each row execute function weft.health_due();
create trigger health_turned after update on weft.node_identity
  for each row when (old.state is distinct from new.state) execute function weft.health_due();
create trigger health_turned after update on weft.node_status
  for each row when (old.drift_steps is distinct from new.drift_steps)
  execute function weft.health_due();
create trigger standby_health_turned after update on weft.node_status
  for each row when (old.standby_place is distinct from new.standby_place)
  execute function weft.health_due();

create function weft.health_changed() returns trigger
language plpgsql security definer set search_path = weft, pg_temp as $$
begin
  perform weft.note_transition(new.enterprise_id, 'health', new.node_id, null, new.state, null);
  return null;
end $$;
create trigger health_known after insert on weft.node_health
  for each row execute function weft.health_changed();
create trigger health_changed after update on weft.node_health
  for each row when (old.state is distinct from new.state) execute function weft.health_changed();

-- What is known of nodes of all tenants, for their health: the quality of links that is kept, the worst link by its line, what
-- the controller found, and what the oldest of the most severe alarms is about. A link of which an end finds its direction bad
-- is a poor one, also where the mean of both directions hides it. Events of the given severity and worse count.
create function weft.node_facts(nodes bigint[], worst_level integer) returns table (
  id bigint, enterprise_id bigint, kind text, enabled boolean, expire_at timestamptz, is_expired boolean,
  enrolment text, enrolled_at timestamptz, online boolean, last_seen timestamptz,
  drift_steps integer, drift_since timestamptz, lines integer, lines_down text[],
  serial bigint, ending text, state_at timestamptz, has_confirmed boolean, failed_at timestamptz,
  findings integer, links integer, links_up integer, links_poor integer, links_new boolean, link_down_at timestamptz,
  peer text, loss real, worst jsonb, alarm jsonb, alarm_at timestamptz)
  language sql stable security definer set search_path = weft, pg_temp
  begin atomic
    select n.id, n.enterprise_id, n.kind, n.enabled, n.expire_at, coalesce(n.expire_at <= now(), false),
      i.state, i.at, coalesce(s.online, false), s.last_seen,
      coalesce(s.drift_steps, 0), s.drift_since, coalesce(jsonb_array_length(s.lines), 0),
      array(select one ->> 'interfaceName' from jsonb_array_elements(s.lines) one
        where not (one ->> 'up')::boolean),
      t.serial, t.ending, t.created_at, s.running_serial is not null, m.failed_at,
      coalesce(t.findings, 0) + (select count(*)::integer from policy_finding f
        where f.node_id = n.id and f.effect = 'cannot' and not f.unsupported)
        + (select count(*)::integer from node_finding f where f.node_id = n.id),
      k.links, k.up, k.poor,
      -- Devices measure their links within seconds of their first configuration.
      k.measured = 0 and not exists (select from node_state c
        where c.node_id = n.id and c.outcome = 'confirmed' and c.ended_at < now() - interval '2 minutes'),
      k.down_at, k.peer, k.loss, k.worst,
      case when e.id is not null then jsonb_build_object('metric', e.metric, 'name', e.strategy_name,
        'item', e.item_name, 'value', e.value, 'limit', e.threshold) end, e.opened_at
    from unnest(nodes) as asked (id) join node n on n.id = asked.id
      left join node_status s on s.node_id = n.id
      left join compile_mark m on m.node_id = n.id and m.failure is not null
      left join lateral (
        select d.state, coalesce(d.decided_at, d.created_at) as at from node_identity d
        where d.node_id = n.id
        order by d.state in ('approved', 'quarantined') desc, d.id desc limit 1) i on true
      left join lateral (
        select z.serial, z.created_at, jsonb_array_length(z.findings) as findings,
          case when z.outcome = 'confirmed' then 'confirmed'
            when z.outcome in ('refused', 'failed', 'reverted') then 'blocked'
            when z.held then 'held' else 'underway' end as ending
        from node_state z where z.node_id = n.id order by z.epoch desc, z.serial desc limit 1) t on true
      cross join lateral (
        select count(*)::integer as links, count(*) filter (where w.up)::integer as up,
          count(w.changed_at) as measured,
          count(*) filter (where w.up and q.link_id is not null)::integer as poor,
          max(w.changed_at) filter (where not w.up) as down_at,
          min(p.name) filter (where w.up) as peer,
          max(greatest(w.loss_percent, y.loss_percent)) filter (where w.up) as loss,
          (array_agg(jsonb_build_object('slot', l.slot, 'metric', q.metric, 'value', q.value,
              'limit', q.over, 'since', q.since)
            order by q.value / q.over desc nulls last, l.slot, l.id)
            filter (where w.up and q.link_id is not null))[1] as worst
        from (select a.id, a.b_node_id as peer_id, a.a_slot as slot
              from link a where a.a_node_id = n.id
              union all
              select b.id, b.a_node_id, b.b_slot from link b where b.b_node_id = n.id) l
          left join lateral (
            select weft.link_is_up(x.up, x.at, x.link_id, (select weft.devices_return())) as up,
              x.loss_percent, x.changed_at
            from link_status x where x.link_id = l.id) w on true
          left join lateral (
            select max(z.loss_percent) as loss_percent from link_path z where z.link_id = l.id) y on true
          left join link_quality q on q.link_id = l.id
          left join node p on p.id = l.peer_id) k
      left join lateral (
        select v.id, v.metric, v.strategy_name, v.item_name, v.value, v.threshold, v.opened_at
        from alarm_event v
        where v.node_id = n.id and v.enterprise_id = n.enterprise_id and v.cleared_at is null
          and v.level <= worst_level
          -- What is put off, or in a maintenance window, counts nowhere.
          and coalesce(v.snoozed_until, '-infinity') <= now()
          and coalesce(v.maintenance_until, '-infinity') <= now()
        order by v.level, v.opened_at limit 1) e on true;
  end;
revoke execute on function weft.node_facts(bigint[], integer) from public;
grant execute on function weft.node_facts(bigint[], integer) to weft_worker;
