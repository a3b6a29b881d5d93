-- A finding says whether its object was meant to keep something out: one that cannot is an alarm.
-- Blacklist entries are an enterprise's.
alter table weft.policy_finding add denies boolean not null default false;
alter table weft.policy_finding drop constraint policy_finding_level_check;
alter table weft.policy_finding add constraint policy_finding_level_check
  check (level in ('node', 'template', 'enterprise'));

alter table weft.alarm_rule drop constraint alarm_rule_metric_check;
alter table weft.alarm_rule add constraint alarm_rule_metric_check check (metric in
  ('node', 'config', 'finding', 'deny', 'repair', 'line', 'link', 'delay', 'jitter', 'loss',
    'bandwidth', 'cpu', 'mem'));
alter table weft.alarm_rule drop constraint alarm_rule_check;
alter table weft.alarm_rule add constraint alarm_rule_check check (
  metric in ('node', 'config', 'finding', 'deny', 'repair', 'line', 'link')
  or (threshold is not null and compare_type is not null));

-- Metrics of devices that are in order (`up`), not in order, or unknown (null). `item_name` of a finding
-- or of an object that denies nothing is the finding itself, which has a text in each language. What no
-- rule is about is not read.
create or replace function weft.alarm_states(nodes bigint[], metrics text[]) returns table (
  node_id bigint, metric text, item text, item_name text, key text, relies text[], up boolean)
  language sql stable security definer set search_path = weft, pg_temp
  as $$
    select s.node_id, 'node', '', '', 'n:' || s.node_id, '{}'::text[], s.online
    from node_status s
    where 'node' = any (metrics) and s.node_id = any (nodes)
      and (s.online or s.last_seen is not null or s.session_epoch > 0)
    union all
    select n.id, 'config', '', coalesce(m.failure::text, ''), null, '{}',
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
    select p.node_id, 'deny', concat_ws(' ', p.family, p.level, p.object_id),
      jsonb_build_object('family', p.family, 'name', p.name, 'reason', p.reason,
        'params', p.params)::text,
      null, '{}',
      -- Known also of a device that is offline: what a compile found.
      false
    from policy_finding p
    where 'deny' = any (metrics) and p.node_id = any (nodes) and p.denies and p.effect = 'cannot'
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
