-- Quality of links over minutes instead of one sample (docs/alarms.md). What is measured within a minute is added up,
-- and the means of the last five whole minutes are kept with the link: `past_*`, the newest first.
alter table weft.link_status
  add column minute bigint,
  add column samples integer not null default 0,
  add column loss_sum real not null default 0,
  add column rtt_sum real not null default 0,
  add column jitter_sum real not null default 0,
  add column past_loss real[] not null default '{}',
  add column past_rtt real[] not null default '{}',
  add column past_jitter real[] not null default '{}';

-- Null: nothing is known. At most five.
create function weft.mean_of(past real[]) returns real
  language sql immutable parallel safe
  as $$
    select case when cardinality(past) > 0 then (coalesce(past[1], 0) + coalesce(past[2], 0)
      + coalesce(past[3], 0) + coalesce(past[4], 0) + coalesce(past[5], 0)) / cardinality(past) end
  $$;

-- Links whose traffic some class of their enterprise does not bear (contract/domains/overlay/link-quality.ts). A row
-- remains until the quality has been clearly better for minutes.
create table weft.link_quality (
  link_id bigint primary key references weft.link (id) on delete cascade,
  enterprise_id bigint not null,
  metric text not null check (metric in ('loss', 'delay', 'jitter', 'oneWay', 'flapping')),
  -- Percent or ms, and the limit that it is above; null: the metric has no value.
  value real,
  over real,
  since timestamptz not null
);
call weft.tenant_table('link_quality');
call weft.loop_table('link_quality');
revoke insert, update, delete on weft.link_quality from weft_api, weft_api_all;

-- What is known of the quality of links that the given nodes probe: those that are beyond a limit, and those that were.
create function weft.doubtful_links(nodes bigint[], most_loss real, most_delay real, most_jitter real)
  returns table (link_id bigint, enterprise_id bigint, minute bigint, past_loss real[], past_rtt real[],
    past_jitter real[], classes jsonb, path_state text, path_loss real, path_rtt real, path_jitter real,
    path_since timestamptz, metric text, value real, over real, since timestamptz)
  language sql stable security definer set search_path = weft, pg_temp
  begin atomic
    select l.id, l.enterprise_id, s.minute, s.past_loss, s.past_rtt, s.past_jitter, to_jsonb(c),
      y.state, y.loss_percent, y.rtt_ms, y.jitter_ms, y.changed_at, q.metric, q.value, q.over, q.since
    from unnest(nodes) as asked (id) join link l on l.a_node_id = asked.id
      join link_status s on s.link_id = l.id
      left join link_quality q on q.link_id = l.id
      left join traffic_class c on c.enterprise_id = l.enterprise_id and c.enabled
      left join lateral (
        select p.state, p.loss_percent, p.rtt_ms, p.jitter_ms, p.changed_at from link_path p
        where p.link_id = l.id and p.state in ('brownout', 'oneWay', 'flapping')
        order by p.loss_percent desc nulls last, p.node_id limit 1) y on true
    where q.link_id is not null or y.state is not null
      or weft.mean_of(s.past_loss) > coalesce(c.realtime_loss, most_loss)
      or weft.mean_of(s.past_rtt) > coalesce(c.realtime_delay, most_delay)
      or weft.mean_of(s.past_jitter) > coalesce(c.realtime_jitter, most_jitter);
  end;
revoke execute on function weft.doubtful_links(bigint[], real, real, real) from public;
grant execute on function weft.doubtful_links(bigint[], real, real, real) to weft_worker;

-- Health takes the quality that is kept, names the worst link by its line, and knows what the oldest of the most
-- severe alarms is about.
drop function weft.node_facts(bigint[], interval, real, real, real, integer);
create function weft.node_facts(nodes bigint[], fresh interval, worst_level integer) returns table (
  id bigint, enterprise_id bigint, kind text, enabled boolean, expire_at timestamptz, is_expired boolean,
  enrolment text, enrolled_at timestamptz, online boolean, last_seen timestamptz,
  drift_steps integer, drift_since timestamptz, lines integer, lines_down text[],
  serial bigint, ending text, state_at timestamptz, has_confirmed boolean, failed_at timestamptz,
  findings integer, links integer, links_up integer, links_poor integer, link_down_at timestamptz,
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
        where f.node_id = n.id and f.effect = 'cannot')
        + (select count(*)::integer from node_finding f where f.node_id = n.id),
      k.links, k.up, k.poor, k.down_at, k.peer, k.loss, k.worst,
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
          count(*) filter (where w.up and q.link_id is not null)::integer as poor,
          max(w.changed_at) filter (where not w.up) as down_at,
          min(p.name) filter (where w.up) as peer,
          max(greatest(w.loss_percent, y.loss_percent)) filter (where w.up) as loss,
          (array_agg(jsonb_build_object('slot', l.slot, 'metric', q.metric, 'value', q.value,
              'limit', q.over, 'since', q.since)
            order by q.value / q.over desc nulls last, l.slot, l.id)
            filter (where w.up and q.link_id is not null))[1] as worst
        from (select a.id, a.b_node_id as peer_id, a.a_slot as slot from link a where a.a_node_id = n.id
              union all
              select b.id, b.a_node_id, b.b_slot from link b where b.b_node_id = n.id) l
          left join lateral (
            select coalesce(x.up, false) and x.at > now() - fresh as up, x.loss_percent,
              x.changed_at
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
revoke execute on function weft.node_facts(bigint[], interval, integer) from public;
grant execute on function weft.node_facts(bigint[], interval, integer) to weft_worker;

-- Rules about links see the means as well: what is open stays open while they are beyond its limit.
drop function weft.alarm_findings(bigint[], text[]);
create function weft.alarm_findings(nodes bigint[], subjects text[]) returns table (
  rule_id bigint, enterprise_id bigint, created_by bigint, node_id bigint, node_kind text,
  node_name text, item text, item_name text, subject text, relies text[],
  up boolean, delay real, jitter real, loss real, fresh boolean,
  mean_delay real, mean_jitter real, mean_loss real)
  language plpgsql stable security definer set search_path = weft, pg_temp
  -- Planning costs more than a slice.
  set plan_cache_mode = force_generic_plan set enable_hashjoin = on
  as $$
#variable_conflict use_column
begin
  return query
    with recursive callers as materialized (
      select k.id, k.enterprise_id, k.a_node_id, k.b_node_id, k.a_slot, k.b_slot,
        s.up, s.rtt_ms, s.jitter_ms, s.loss_percent, s.at,
        weft.mean_of(s.past_rtt) as mean_rtt, weft.mean_of(s.past_jitter) as mean_jitter,
        weft.mean_of(s.past_loss) as mean_loss
      from link k join link_status s on s.link_id = k.id where k.a_node_id = any (nodes)
    ),
    cover as materialized (
      select c.*, r.id as rule_id, r.metric, c.node_id = any (nodes) as is_here
      from weft.alarm_cover(nodes || array(select distinct b_node_id from callers)) c
      join alarm_rule r on r.strategy_id = c.strategy_id and r.enabled
      where r.metric not in ('bandwidth', 'cpu', 'mem')
    ),
    -- Every tenant concerned with all above it.
    up (below, id) as (
      select enterprise_id, enterprise_id from callers
      union
      select enterprise_id, enterprise_id from node where id = any (nodes)
      union
      select u.below, e.parent_id from up u join enterprise e on e.id = u.id
      where e.parent_id is not null
    ),
    ends as (
      select k.a_node_id as node_id, k.id from callers k
      union all
      select k.b_node_id, k.id from callers k
    ),
    -- Each rule looks at a link once, whichever of its ends it covers.
    linked as (
      select distinct c.rule_id, c.metric, c.owner, c.shared, e.id
      from cover c join ends e on e.node_id = c.node_id
      where c.metric in ('link', 'delay', 'jitter', 'loss')
    ),
    states as materialized (
      select * from weft.alarm_states(nodes, array(select distinct metric from cover where is_here))
    ),
    found as (
      select c.rule_id, c.owner, c.shared, n.enterprise_id as of_enterprise, c.node_id,
        s.item, s.item_name, s.key, s.relies, s.up,
        null::real as delay, null::real as jitter, null::real as loss, true as fresh,
        null::real as mean_delay, null::real as mean_jitter, null::real as mean_loss
      from cover c join node n on n.id = c.node_id
        join states s on s.node_id = c.node_id and s.metric = c.metric
      where c.is_here
      union all
      select c.rule_id, c.owner, c.shared, k.enterprise_id, k.a_node_id, k.id::text,
        a.name || ' - ' || b.name, 'k:' || k.id,
        array['n:' || k.a_node_id, 'n:' || k.b_node_id]
          || array(select 'l:' || w.node_id || '/' || w.interface_name from line w
            where w.node_id = k.a_node_id and w.slot = k.a_slot
              or w.node_id = k.b_node_id and w.slot = k.b_slot)
          || case when c.metric = 'link' then '{}'::text[] else array['k:' || k.id] end,
        case when sa.online then k.up end, k.rtt_ms, k.jitter_ms, k.loss_percent,
        k.at > now() - interval '2 minutes', k.mean_rtt, k.mean_jitter, k.mean_loss
      from linked c join callers k on k.id = c.id
        join node a on a.id = k.a_node_id join node b on b.id = k.b_node_id
        left join node_status sa on sa.node_id = k.a_node_id
      where (k.enterprise_id, c.owner) in (select below, id from up)
    )
    select f.rule_id,
      case when f.shared and (f.of_enterprise, f.owner) in (select below, id from up)
        then f.of_enterprise else f.owner end,
      n.created_by, f.node_id, n.kind, n.name, f.item, f.item_name,
      case when r.metric in ('node', 'line', 'link') then f.key end, f.relies,
      f.up, f.delay, f.jitter, f.loss, f.fresh, f.mean_delay, f.mean_jitter, f.mean_loss
    from found f join node n on n.id = f.node_id join alarm_rule r on r.id = f.rule_id
    where f.up is not true
      or case when r.compare_type is null then null
        when r.compare_type in (1, 3) then r.threshold <=
          case r.metric when 'delay' then f.delay when 'jitter' then f.jitter else f.loss end
        else r.threshold >=
          case r.metric when 'delay' then f.delay when 'jitter' then f.jitter else f.loss end end
      or f.key in (select unnest(subjects))
      or exists (select from alarm_watch w
        where w.rule_id = f.rule_id and w.node_id = f.node_id and w.item = f.item);
end
  $$;
revoke execute on function weft.alarm_findings(bigint[], text[]) from public;
grant execute on function weft.alarm_findings(bigint[], text[]) to weft_worker;

-- The policy that an installation starts with had a limit of loss that no operator works by; one that was changed stays.
update weft.alarm_rule r set threshold = 2, hysteresis = 1
from weft.alarm_strategy s
where s.id = r.strategy_id and s.name = '默认告警' and r.metric = 'loss' and r.threshold = 5 and r.hysteresis = 2
  and r.duration_s = 120;
