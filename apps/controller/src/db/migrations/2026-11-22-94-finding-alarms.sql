-- A rule may be about objects of the configuration that a device could not make: what it found out is
-- kept with the state that it runs. What a single device is in order about or not has one function from
-- now on: a further metric of this kind replaces that alone.
alter table weft.alarm_rule drop constraint alarm_rule_metric_check;
alter table weft.alarm_rule add constraint alarm_rule_metric_check check (metric in
  ('node', 'config', 'finding', 'repair', 'line', 'link', 'delay', 'jitter', 'loss', 'bandwidth', 'cpu',
    'mem'));
alter table weft.alarm_rule drop constraint alarm_rule_check;
alter table weft.alarm_rule add constraint alarm_rule_check check (
  metric in ('node', 'config', 'finding', 'repair', 'line', 'link')
  or (threshold is not null and compare_type is not null));

-- Metrics of devices that are in order (`up`), not in order, or unknown (null). `item_name` of a finding
-- is the finding itself, which has a text in each language. What no rule is about is not read.
create function weft.alarm_states(nodes bigint[], metrics text[]) returns table (
  node_id bigint, metric text, item text, item_name text, key text, relies text[], up boolean)
  language sql stable security definer set search_path = weft, pg_temp
  as $$
    select s.node_id, 'node', '', '', 'n:' || s.node_id, '{}'::text[], s.online
    from node_status s
    where 'node' = any (metrics) and s.node_id = any (nodes)
      and (s.online or s.last_seen is not null or s.session_epoch > 0)
    union all
    select n.id, 'config', '', coalesce(m.failure ->> 'detail', ''), null, '{}',
      -- Null while a newer change waits for its compile: it neither raises nor clears.
      case when m.node_id is null then true when m.failure is not null then false end
    from node n left join compile_mark m on m.node_id = n.id
    where 'config' = any (metrics) and n.id = any (nodes)
    union all
    select s.node_id, 'finding',
      concat_ws(' ', f.one ->> 'kind', f.one ->> 'object', f.one ->> 'reason'), f.one::text, null,
      array['n:' || s.node_id],
      -- A device that is offline may have repaired it meanwhile.
      case when s.online then false end
    from node_status s
      cross join lateral (
        select findings from node_state where node_id = s.node_id and outcome = 'confirmed'
        order by epoch desc, serial desc limit 1) running
      cross join lateral jsonb_array_elements(running.findings) as f (one)
    where 'finding' = any (metrics) and s.node_id = any (nodes)
    union all
    select n.id, 'repair', t.name, t.name, null, '{}', t.lately < 3
    from node n
      cross join lateral (
        select name, count(*) filter (where at > now() - interval '10 minutes') as lately
        from transition where node_id = n.id and kind = 'repair' and at > now() - interval '1 hour'
        group by name) t
    where 'repair' = any (metrics) and n.id = any (nodes)
    union all
    select s.node_id, 'line', l.line ->> 'interfaceName',
      coalesce(w.name, l.line ->> 'interfaceName'),
      'l:' || s.node_id || '/' || (l.line ->> 'interfaceName'), array['n:' || s.node_id],
      case when s.online then (l.line ->> 'up')::boolean end
    from node_status s
      cross join lateral jsonb_array_elements(s.lines) as l (line)
      join line w on w.node_id = s.node_id and w.interface_name = l.line ->> 'interfaceName'
    where 'line' = any (metrics) and s.node_id = any (nodes)
  $$;
revoke execute on function weft.alarm_states(bigint[], text[]) from public;

create or replace function weft.alarm_findings(nodes bigint[], subjects text[]) returns table (
  rule_id bigint, enterprise_id bigint, created_by bigint, node_id bigint, node_kind text,
  node_name text, item text, item_name text, subject text, relies text[],
  up boolean, delay real, jitter real, loss real, fresh boolean)
  language plpgsql stable security definer set search_path = weft, pg_temp
  -- Planning costs more than a slice.
  set plan_cache_mode = force_generic_plan set enable_hashjoin = on
  as $$
#variable_conflict use_column
begin
  return query
    with recursive callers as materialized (
      select k.id, k.enterprise_id, k.a_node_id, k.b_node_id, k.a_slot, k.b_slot,
        s.up, s.rtt_ms, s.jitter_ms, s.loss_percent, s.at
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
        null::real as delay, null::real as jitter, null::real as loss, true as fresh
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
        k.at > now() - interval '2 minutes'
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
      f.up, f.delay, f.jitter, f.loss, f.fresh
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
