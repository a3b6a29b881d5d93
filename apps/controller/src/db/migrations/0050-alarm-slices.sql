-- Alarms are looked at node by node: those that turned first, then those whose time has come, and
-- all others in turn. One look costs as much as the nodes it takes, not as much as all there are.

-- Nodes of which something turned, once for each time. Whoever turns them only adds, so that nobody
-- waits for the worker that takes them.
create table weft.alarm_due (
  id bigint generated always as identity primary key,
  enterprise_id bigint not null,
  node_id bigint not null
);
call weft.tenant_table('alarm_due');
call weft.loop_table('alarm_due');
revoke insert, update, delete on weft.alarm_due from weft_api, weft_api_all;

create or replace function weft.note_transition(
  of_enterprise bigint, of_kind text, of_node bigint, of_link bigint, called text, is_up boolean
) returns void language sql security definer set search_path = weft, pg_temp
  begin atomic
    insert into weft.transition (enterprise_id, created_by, kind, node_id, link_id, name, up)
    select of_enterprise, n.created_by, of_kind, n.id, of_link, called, is_up
    from weft.node n where n.id = of_node;
    insert into weft.alarm_due (enterprise_id, node_id)
    select of_enterprise, of_node where of_kind in ('node', 'line', 'link');
  end;

-- When passing time alone turns what is watched; null: never.
alter table weft.alarm_watch add column due_at timestamptz;
create index alarm_watch_due on weft.alarm_watch (due_at) where due_at is not null;
create index alarm_watch_quiet on weft.alarm_watch (at) where phase = 'quiet';

-- False: more follows from it than one look could put below it.
alter table weft.alarm_event add column joined boolean not null default true;
create index alarm_event_unjoined on weft.alarm_event (id) where not joined and cleared_at is null;
drop index weft.alarm_event_strategy;
create index alarm_event_subject on weft.alarm_event (strategy_id, subject) where cleared_at is null;
-- Without a list of what is still to be indexed: it would be searched whole each time.
create index alarm_event_relies on weft.alarm_event using gin (relies) with (fastupdate = off)
  -- Open and without a cause; said so that no other index can be taken for the question.
  where num_nulls(cleared_at, parent_id) = 2;

drop function weft.alarm_findings(bigint[], bigint[]);
drop function weft.alarm_figures();
drop function weft.alarm_cover();

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

-- What rules about up and down and about links find of the given nodes, of their lines and of the
-- links that they call: what is bad, what is watched already, and the given subjects. `up` null:
-- nobody can say. A link is of its own tenant only: a policy over a shared POP does not see the
-- links of others.
create function weft.alarm_findings(nodes bigint[], subjects text[]) returns table (
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
      where r.metric in ('node', 'line', 'link', 'delay', 'jitter', 'loss')
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
revoke execute on function weft.alarm_findings(bigint[], text[]) from public;
grant execute on function weft.alarm_findings(bigint[], text[]) to weft_worker;

-- What rules about figures of boxes and lines look at, of the given nodes; the figures are in
-- another store. Rates of a line in kbit/s.
create function weft.alarm_figures(nodes bigint[]) returns table (
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
revoke execute on function weft.alarm_figures(bigint[]) from public;
grant execute on function weft.alarm_figures(bigint[]) to weft_worker;

-- The next nodes in turn. Definer: the worker has no scope that spans them.
create function weft.alarm_nodes(after bigint, at_most integer) returns setof bigint
  language sql stable security definer set search_path = weft, pg_temp
  begin atomic
    select n.id from weft.node n where n.id > after order by n.id limit at_most;
  end;
revoke execute on function weft.alarm_nodes(bigint, integer) from public;
grant execute on function weft.alarm_nodes(bigint, integer) to weft_worker;
