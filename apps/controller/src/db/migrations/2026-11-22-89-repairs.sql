-- Programs of a device that died and were started again are told: a row of the node's log each, and a rule
-- may be about programs that keep dying.
alter table weft.transition drop constraint transition_kind_check;
alter table weft.transition add constraint transition_kind_check check (kind in
  ('node', 'link', 'line', 'state', 'alarm', 'repair'));

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

alter table weft.alarm_rule drop constraint alarm_rule_metric_check;
alter table weft.alarm_rule add constraint alarm_rule_metric_check check (metric in
  ('node', 'config', 'repair', 'line', 'link', 'delay', 'jitter', 'loss', 'bandwidth', 'cpu', 'mem'));
alter table weft.alarm_rule drop constraint alarm_rule_check;
alter table weft.alarm_rule add constraint alarm_rule_check check (
  metric in ('node', 'config', 'repair', 'line', 'link')
  or (threshold is not null and compare_type is not null));

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
      where r.metric in ('node', 'config', 'repair', 'line', 'link', 'delay', 'jitter', 'loss')
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
    found as (
      select c.rule_id, c.owner, c.shared, s.enterprise_id as of_enterprise,
        c.node_id, '' as item, '' as item_name, 'n:' || c.node_id as key, '{}'::text[] as relies,
        s.online as up, null::real as delay, null::real as jitter, null::real as loss, true as fresh
      from cover c join node_status s on s.node_id = c.node_id
      where c.is_here and c.metric = 'node'
        and (s.online or s.last_seen is not null or s.session_epoch > 0)
      union all
      select c.rule_id, c.owner, c.shared, n.enterprise_id, c.node_id, '',
        coalesce(m.failure ->> 'detail', ''), null, '{}'::text[],
        -- Null while a newer change waits for its compile: it neither raises nor clears.
        case when m.node_id is null then true when m.failure is not null then false end,
        null, null, null, true
      from cover c join node n on n.id = c.node_id
        left join compile_mark m on m.node_id = c.node_id
      where c.is_here and c.metric = 'config'
      union all
      select c.rule_id, c.owner, c.shared, n.enterprise_id, c.node_id, t.name, t.name,
        null, '{}'::text[], t.lately < 3, null, null, null, true
      from cover c join node n on n.id = c.node_id
        cross join lateral (
          select name, count(*) filter (where at > now() - interval '10 minutes') as lately
          from transition where node_id = c.node_id and kind = 'repair'
            and at > now() - interval '1 hour'
          group by name) t
      where c.is_here and c.metric = 'repair'
      union all
      select c.rule_id, c.owner, c.shared, s.enterprise_id, c.node_id,
        l.line ->> 'interfaceName', coalesce(w.name, l.line ->> 'interfaceName'),
        'l:' || c.node_id || '/' || (l.line ->> 'interfaceName'), array['n:' || c.node_id],
        case when s.online then (l.line ->> 'up')::boolean end, null, null, null, true
      from cover c join node_status s on s.node_id = c.node_id
        cross join lateral jsonb_array_elements(s.lines) as l (line)
        join line w on w.node_id = c.node_id and w.interface_name = l.line ->> 'interfaceName'
      where c.is_here and c.metric = 'line'
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
