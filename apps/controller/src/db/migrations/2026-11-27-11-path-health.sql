-- A link of which an end finds its direction bad is a poor one, also where the mean of both directions hides it.
-- Everything else in the function stays as it is.
create or replace function weft.node_facts(nodes bigint[], fresh interval,
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
        where f.node_id = n.id and f.effect = 'cannot')
        + (select count(*)::integer from node_finding f where f.node_id = n.id),
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
            or w.jitter_ms > poor_jitter or q.is_bad))::integer as poor,
          max(w.changed_at) filter (where not w.up) as down_at,
          min(p.name) filter (where w.up) as peer,
          max(greatest(w.loss_percent, q.loss_percent)) filter (where w.up) as loss,
          max(greatest(w.rtt_ms, q.rtt_ms)) filter (where w.up) as delay
        from (select a.id, a.b_node_id as peer_id from link a where a.a_node_id = n.id
              union all select b.id, b.a_node_id from link b where b.b_node_id = n.id) l
          left join lateral (
            select coalesce(x.up, false) and x.at > now() - fresh as up, x.loss_percent, x.rtt_ms,
              x.jitter_ms, x.changed_at
            from link_status x where x.link_id = l.id) w on true
          left join lateral (
            select bool_or(y.state in ('brownout', 'oneWay', 'flapping')) as is_bad,
              max(y.loss_percent) as loss_percent, max(y.rtt_ms) as rtt_ms
            from link_path y where y.link_id = l.id) q on true
          left join node p on p.id = l.peer_id) k
      left join lateral (
        select v.strategy_name, v.opened_at from alarm_event v
        where v.node_id = n.id and v.enterprise_id = n.enterprise_id and v.cleared_at is null
          and v.level <= worst_level
        order by v.opened_at limit 1) e on true;
  end;
