-- Health of each node, one row, computed with the alarms (domains/monitoring/health): what lists sort and
-- filter by, and what counts count.
create table weft.node_health (
  node_id bigint primary key,
  enterprise_id bigint not null,
  -- A state of the contract (domains/devices/health.ts), and its place in the order of lists.
  state text not null,
  rank smallint not null,
  tone text not null,
  -- What the sentence of the cause names.
  detail jsonb not null default '{}',
  since timestamptz not null,
  foreign key (enterprise_id, node_id) references weft.node (enterprise_id, id)
    on delete cascade on update cascade
);
create index node_health_order on weft.node_health (rank, since, node_id);
call weft.tenant_table('node_health');
call weft.loop_table('node_health');
revoke insert, update, delete on weft.node_health from weft_api, weft_api_all;
create policy shared on weft.node_health for select to weft_api using (
  node_id in (select row_id from weft.share
    where share.kind = 'pop' and share.enterprise_id = any ((select weft.scope_enterprises())::bigint[])));

-- A change of health reaches open screens.
alter table weft.transition drop constraint transition_kind_check;
alter table weft.transition add constraint transition_kind_check check (kind in
  ('node', 'link', 'line', 'state', 'alarm', 'repair', 'health'));

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
create trigger health_due after insert on weft.node_state
  for each row execute function weft.health_due();
create trigger health_turned after update on weft.node_state
  for each row when (old.outcome is distinct from new.outcome) execute function weft.health_due();
create trigger health_turned after update on weft.node_status
  for each row when (old.drift_steps is distinct from new.drift_steps)
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

-- What is known of nodes of all tenants, for their health. A link is poor above the given limits and up while
-- its last metrics are fresh; events of the given severity and worse count.
create function weft.node_facts(nodes bigint[], fresh interval,
  poor_loss real, poor_delay real, poor_jitter real, worst_level integer
) returns table (
  id bigint, enterprise_id bigint, kind text, enabled boolean, expire_at timestamptz, is_expired boolean,
  enrolment text, enrolled_at timestamptz, online boolean, last_seen timestamptz,
  drift_steps integer, drift_since timestamptz, lines integer, lines_down text[],
  serial bigint, ending text, state_at timestamptz, has_confirmed boolean, failed_at timestamptz,
  findings integer, links integer, links_up integer, links_poor integer, link_down_at timestamptz,
  peer text, loss real, delay real, alarm text, alarm_at timestamptz)
  language sql stable security definer set search_path = weft, pg_temp
  begin atomic
    select n.id, n.enterprise_id, n.kind, n.enabled, n.expire_at, coalesce(n.expire_at <= now(), false),
      i.state, i.at, coalesce(s.online, false), s.last_seen,
      coalesce(s.drift_steps, 0), s.drift_since, coalesce(jsonb_array_length(s.lines), 0),
      array(select one ->> 'interfaceName' from jsonb_array_elements(s.lines) one
        where not (one ->> 'up')::boolean),
      t.serial, t.ending, t.created_at, s.running_serial is not null, m.failed_at,
      coalesce(t.findings, 0) + (select count(*)::integer from policy_finding f
        where f.node_id = n.id and f.effect = 'cannot'),
      k.links, k.up, k.poor, k.down_at, k.peer, k.loss, k.delay, e.strategy_name, e.opened_at
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
          count(*) filter (where w.up and (w.loss_percent > poor_loss or w.rtt_ms > poor_delay
            or w.jitter_ms > poor_jitter))::integer as poor,
          max(w.changed_at) filter (where not w.up) as down_at,
          min(p.name) filter (where w.up) as peer,
          max(w.loss_percent) filter (where w.up) as loss, max(w.rtt_ms) filter (where w.up) as delay
        from (select a.id, a.b_node_id as peer_id from link a where a.a_node_id = n.id
              union all select b.id, b.a_node_id from link b where b.b_node_id = n.id) l
          left join lateral (
            select coalesce(x.up, false) and x.at > now() - fresh as up, x.loss_percent, x.rtt_ms,
              x.jitter_ms, x.changed_at
            from link_status x where x.link_id = l.id) w on true
          left join node p on p.id = l.peer_id) k
      left join lateral (
        select v.strategy_name, v.opened_at from alarm_event v
        where v.node_id = n.id and v.enterprise_id = n.enterprise_id and v.cleared_at is null
          and v.level <= worst_level
        order by v.opened_at limit 1) e on true;
  end;
revoke execute on function weft.node_facts(bigint[], interval, real, real, real, integer) from public;
grant execute on function weft.node_facts(bigint[], interval, real, real, real, integer) to weft_worker;
