-- What alarms look at.

-- Which enabled policies look at the given nodes: those that name them, and those that name none
-- and are of their enterprise or of one above.
create function weft.alarm_cover(nodes bigint[]) returns table (
  strategy_id bigint, owner bigint, shared boolean, node_id bigint)
  language plpgsql stable security definer rows 300 set search_path = weft, pg_temp
  -- Planning costs more than a slice.
  set plan_cache_mode = force_generic_plan set enable_hashjoin = on
  as $$
#variable_conflict use_column
begin
  return query
    with recursive these as materialized (
      select n.id, n.enterprise_id from node n where n.id = any (nodes) and n.enabled
    ),
    up as (
      select distinct t.enterprise_id as below, t.enterprise_id as id from these t
      union
      select u.below, e.parent_id from up u join enterprise e on e.id = u.id
      where e.parent_id is not null
    ),
    wide as materialized (
      select u.below, s.id, s.enterprise_id, s.share from up u
      join alarm_strategy s on s.enterprise_id = u.id and s.enabled
      where not exists (select from alarm_strategy_node c where c.owner_id = s.id)
        and not exists (select from alarm_strategy_pop c where c.owner_id = s.id)
    )
    select w.id, w.enterprise_id, w.share, t.id from these t join wide w on w.below = t.enterprise_id
    union
    select s.id, s.enterprise_id, s.share, t.id
    from these t join alarm_strategy_node c on c.node_id = t.id
      join alarm_strategy s on s.id = c.owner_id and s.enabled
    union
    select s.id, s.enterprise_id, s.share, t.id
    from these t join alarm_strategy_pop c on c.node_id = t.id
      join alarm_strategy s on s.id = c.owner_id and s.enabled;
end
  $$;
revoke execute on function weft.alarm_cover(bigint[]) from public;

-- Metrics of devices that are in order (`up`), not in order, or unknown (null). `item_name` of a finding,
-- of an object that denies nothing, of a configuration that cannot be generated, or of a rollout that failed is the reason
-- itself, which has a text in each language. What no rule is about is not read. A further metric of this kind is a part here.
-- A CPE of an earlier wave may come while a later one is underway, and make the rollout halt: it is an alarm of that
-- CPE, with its own wave.
create function weft.alarm_states(nodes bigint[], metrics text[]) returns table (
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
    where 'deny' = any (metrics) and p.node_id = any (nodes) and p.denies and p.effect = 'cannot' and not p.unsupported
    union all

    select f.node_id, 'finding', concat_ws(' ', f.kind, f.object, f.reason),
      jsonb_build_object('section', '', 'kind', f.kind, 'object', f.object, 'reason', f.reason,
        'params', f.params)::text,
      null, '{}'::text[], false
    from node_finding f
    where 'finding' = any (metrics) and f.node_id = any (nodes)
    union all

    select m.node_id, 'rollout', r.id::text,
      (m.failure || jsonb_build_object('template', t.name, 'version', r.version,
        'wave', m.wave))::text,
      null, '{}'::text[], false
    from template_rollout r
      join template_rollout_node m on m.rollout_id = r.id and m.wave <= r.wave
      join router_template t on t.id = r.template_id
    where 'rollout' = any (metrics) and m.node_id = any (nodes)
      and r.state = 'halted' and r.reason = 'gate' and m.failure is not null
    union all
    -- By the index of repairs alone: among other transitions of the last hour each node would be looked for by itself.
    select t.node_id, 'repair', t.name, t.name, null, '{}',
      count(*) filter (where t.at > now() - interval '10 minutes') < 3
    from transition t
    where 'repair' = any (metrics) and t.node_id = any (nodes) and t.kind = 'repair'
      and t.at > now() - interval '1 hour'
    group by t.node_id, t.name
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

-- What rules about up and down and about links find of the given nodes, of their lines and of the
-- links that they call: what is bad, what is watched already, and the given subjects. `up` null:
-- unknown. A link is of its own tenant only: a policy over a shared POP does not see the
-- links of others. Rules about links see the means over minutes: what is open stays open while they are beyond its limit.
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

-- What rules about metrics of devices and lines look at, of the given nodes; the metrics are in
-- another store. Rates of a line in kbit/s.
create function weft.alarm_metrics(nodes bigint[]) returns table (
  rule_id bigint, enterprise_id bigint, created_by bigint, node_id bigint, node_kind text,
  node_name text, item text, item_name text, relies text[], up_kbps bigint, down_kbps bigint)
  language plpgsql stable security definer set search_path = weft, pg_temp
  -- Planning costs more than a slice.
  set plan_cache_mode = force_generic_plan set enable_hashjoin = on
  as $$
#variable_conflict use_column
begin
  return query
    with recursive up (below, id) as (
      select enterprise_id, enterprise_id from node where id = any (nodes)
      union
      select u.below, e.parent_id from up u join enterprise e on e.id = u.id
      where e.parent_id is not null
    )
    select r.id,
      case when c.shared and (n.enterprise_id, c.owner) in (select below, id from up)
        then n.enterprise_id else c.owner end,
      n.created_by, n.id, n.kind, n.name, coalesce(w.interface_name, ''), coalesce(w.name, ''),
      array['n:' || n.id] || case when w.id is null then '{}'::text[]
        else array['l:' || n.id || '/' || w.interface_name] end,
      w.up_kbps, w.down_kbps
    from weft.alarm_cover(nodes) c
      join alarm_rule r on r.strategy_id = c.strategy_id and r.enabled
      join node n on n.id = c.node_id
      left join line w on r.metric = 'bandwidth' and w.node_id = n.id
    where r.metric in ('cpu', 'mem') or (r.metric = 'bandwidth' and w.id is not null);
end
  $$;
revoke execute on function weft.alarm_metrics(bigint[]) from public;
grant execute on function weft.alarm_metrics(bigint[]) to weft_worker;

-- The next nodes in turn. Definer: the worker has no scope that spans them.
create function weft.alarm_nodes(after bigint, at_most integer) returns setof bigint
  language sql stable security definer set search_path = weft, pg_temp
  begin atomic
    select n.id from weft.node n where n.id > after order by n.id limit at_most;
  end;
revoke execute on function weft.alarm_nodes(bigint, integer) from public;
grant execute on function weft.alarm_nodes(bigint, integer) to weft_worker;

-- Users of an enterprise who may see its alarm policies: they get the station messages.
create function weft.alarm_readers(of_enterprise bigint) returns setof bigint
  language sql stable security definer set search_path = weft, pg_temp
  as $$
    select u.id from sys_user u
    where u.enterprise_id = of_enterprise and u.enabled and (u.id = 1 or exists (
      select from user_role m join role_permission p on p.role_id = m.role_id
      where m.user_id = u.id and p.permission = 'alarmStrategyView'))
    order by u.id limit 500
  $$;
revoke execute on function weft.alarm_readers(bigint) from public;
grant execute on function weft.alarm_readers(bigint) to weft_worker;
