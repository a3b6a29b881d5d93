-- POPs that a change of a node makes states of.
create function weft.pops_beside(node bigint) returns table (pop_id bigint)
  language sql stable security definer set search_path = weft, pg_temp
  begin atomic
    select distinct p.id from (
      select l.b_node_id as id from weft.link l where l.a_node_id = any (weft.standby_pair(node))
      union all
      select l.a_node_id from weft.link l where l.b_node_id = any (weft.standby_pair(node))) other
    join weft.node p on p.id = other.id and p.kind = 'pop';
  end;
revoke execute on function weft.pops_beside(bigint) from public;

-- Until when changes of a node wait for its POPs; null: they do not.
create function weft.reports_held_until(node bigint, longest int) returns timestamptz
  language sql stable security definer set search_path = weft, pg_temp
  begin atomic
    select max(h.acted_at + make_interval(secs => case when h.enterprise_id is null then 2
        else least((array[1, 1, 2, 5, 10, 20, 30])[least(h.turns, 7)], longest) end))
    from weft.node n cross join weft.pops_beside(n.id) p
      join weft.report_hold_down h on h.pop_id = p.pop_id
        and (h.enterprise_id is null or h.enterprise_id = n.enterprise_id)
    where n.id = node;
  end;
revoke execute on function weft.reports_held_until(bigint, int) from public;

-- Changes of these nodes act now.
create function weft.reports_act(nodes bigint[]) returns void
language sql security definer set search_path = weft, pg_temp as $$
  insert into report_hold_down as h (pop_id, enterprise_id, turns, acted_at)
  select distinct p.pop_id, t.id, 1, now()
  from node n cross join pops_beside(n.id) p cross join lateral (values (n.enterprise_id), (null)) t (id)
  where n.id = any (nodes) order by 1, 2
  on conflict (pop_id, enterprise_id) do update set acted_at = excluded.acted_at,
    turns = case when h.acted_at < now() - interval '2 minutes' then 1 else least(h.turns + 1, 1000) end
$$;
revoke execute on function weft.reports_act(bigint[]) from public;

-- True: a change of this node acts now. Otherwise it waits, for so many seconds at most by its own changes and by
-- those of its tenant, and release_reports lets it act.
create function weft.admit_report(node bigint, longest int) returns boolean
language plpgsql security definer set search_path = weft, pg_temp as $$
declare
  pauses constant int[] := '{5,30,300}';
  s record;
  is_quiet boolean;
  own timestamptz;
  held timestamptz;
begin
  -- A gateway decides for the node of its session only.
  if node is distinct from node_id() then return false; end if;
  select news_pauses, news_at, news_due_at, news_longest into s from node_status
    where node_id = node for update;
  is_quiet := s.news_at is null
    or (s.news_due_at is null and s.news_at < now() - interval '10 minutes');
  held := reports_held_until(node, longest);
  if is_quiet and s.news_due_at is null and (held is null or held <= now()) then
    update node_status set news_pauses = 0, news_at = now() where node_id = node;
    perform reports_act(array[node]);
    return true;
  end if;
  own := case when is_quiet then now()
    else s.news_at + make_interval(secs => least(pauses[greatest(least(s.news_pauses + 1, 3), 1)], longest)) end;
  -- What waits for others only counts for none of its own pauses.
  update node_status set
      news_pauses = case when is_quiet and s.news_due_at is null then -1 else s.news_pauses end,
      news_longest = case when s.news_due_at is null then longest else least(s.news_longest, longest) end,
      news_due_at = least(s.news_due_at, greatest(now(), own, held))
    where node_id = node;
  return false;
end $$;
grant execute on function weft.admit_report(bigint, int) to weft_gateway;
revoke execute on function weft.admit_report(bigint, int) from public;

-- Changes whose pause is over: each leaves its change row. Gives the nodes, and those that are findings now: devices whose
-- changes are put off again and again, until they are quiet.
create function weft.release_reports() returns table (node bigint, pauses int)
language plpgsql security definer set search_path = weft, pg_temp as $$
#variable_conflict use_column
declare
  acting bigint[];
begin
  with due as (
    select node_id, reports_held_until(node_id, news_longest) as held from node_status
    where news_due_at <= now() order by node_id for update skip locked
  ), later as (
    update node_status s set news_due_at = d.held from due d
    where s.node_id = d.node_id and d.held > now()
  ), acts as (
    update node_status s set news_due_at = null, news_at = now(),
      news_pauses = least(s.news_pauses + 1, 1000)
    from due d where s.node_id = d.node_id and (d.held is null or d.held <= now())
    returning s.node_id, s.enterprise_id
  ), written as (
    insert into change (enterprise_id, node_ids, space_ids, cause, created_by)
    select enterprise_id, standby_pair(node_id), '{}', 'edge: report', 0 from acts
  )
  select array_agg(node_id order by node_id) into acting from acts;
  if acting is not null then
    perform reports_act(acting);
    insert into node_finding (node_id, enterprise_id, space_id, source, kind, object, reason)
    select n.id, n.enterprise_id, null, 'reports', 'device', n.sn, 'reportsFlap'
    from node_status s join node n on n.id = s.node_id
    where s.node_id = any (acting) and s.news_pauses >= 3
    on conflict do nothing;
  end if;
  delete from node_finding f using node_status s
  where f.source = 'reports' and s.node_id = f.node_id
    and s.news_due_at is null and s.news_at < now() - interval '10 minutes';
  return query select s.node_id, s.news_pauses::int from node_status s
    where s.node_id = any (acting) order by 1;
end $$;
revoke execute on function weft.release_reports() from public;
grant execute on function weft.release_reports() to weft_worker;
