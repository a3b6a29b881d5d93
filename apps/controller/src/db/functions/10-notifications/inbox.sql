-- Definer: the worker has no scope that spans nodes, lines and enterprises.
create function weft.alarm_places(of_node bigint, of_enterprise bigint, item text, metric text, relies text[])
  returns text[]
  language sql stable security definer set search_path = weft, pg_temp
  as $$
  with nodes as (
    select of_node as id union
    select substr(r, 3)::bigint from unnest(relies) r where r like 'n:%'
  ),
  lines as (
    select w.isp, w.node_id, w.interface_name, o.kind
    from line w join node o on o.id = w.node_id
    where w.node_id in (select id from nodes) and w.isp <> ''
  ),
  carriers as (
    select isp from lines
    where (kind = 'cpe' and 'l:' || node_id || '/' || interface_name = any (relies))
      or (metric = 'line' and node_id = of_node and interface_name = item)
    union
    -- A site without contact is one of its carrier if it has no other.
    select min(isp) from lines where metric = 'node' and kind = 'cpe' and node_id = of_node
    having count(distinct isp) = 1
  )
  select array(select 'n:' || id from nodes)
    || array(select 'c:' || isp from carriers)
    || array['m:' || metric, 'i:' || of_node || '/' || item]
    || array(select 'e:' || a from node o, unnest(weft.above(array[o.enterprise_id])) a
      where o.id = of_node)
    || array(select 'o:' || a from unnest(weft.above(array[of_enterprise])) a)
  $$;
revoke execute on function weft.alarm_places(bigint, bigint, text, text, text[]) from public;
grant execute on function weft.alarm_places(bigint, bigint, text, text, text[]) to weft_worker;

-- Notes on events which window they lie in, with its end; null: on all that are active. Definer: windows of
-- all enterprises count. Returns how many events changed.
create function weft.keep_alarm_maintenance(events bigint[]) returns bigint
  language plpgsql security definer set search_path = weft, pg_temp
  as $$
declare
  changed bigint;
  ended bigint := 0;
begin
  if events is null then
    -- What cleared inside of a window is not reported later.
    update alarm_event set open_notified = true, clear_notified = true
    where maintenance_until is not null and cleared_at is not null and not clear_notified
      and not open_notified and closed_at < maintenance_until;
    get diagnostics ended = row_count;
  end if;
  if not exists (select from alarm_window where ends_at > now() and starts_at <= now())
    and (events is not null or not exists (
      select from alarm_event where maintenance_until is not null and cleared_at is null))
  then
    return ended;
  end if;
  with current as materialized (
    select 'o:' || w.enterprise_id as owner, w.ends_at,
      case w.kind
        when 1 then array(select 'n:' || m.node_id from alarm_window_node m where m.owner_id = w.id)
        when 2 then array(select 'n:' || m.node_id from alarm_window_pop m where m.owner_id = w.id)
        when 3 then array['e:' || w.scope_id]
        else array['c:' || w.carrier] end as targets
    from alarm_window w where w.ends_at > now() and w.starts_at <= now()
  )
  update alarm_event e set maintenance_until = n.until
  from (
    select a.id, (select max(c.ends_at) from current c
      where c.owner = any (a.places) and a.places && c.targets) as until
    from alarm_event a
    where a.cleared_at is null and (events is null or a.id = any (events))
  ) n
  where e.id = n.id and e.maintenance_until is distinct from n.until;
  get diagnostics changed = row_count;
  return changed + ended;
end
  $$;
revoke execute on function weft.keep_alarm_maintenance(bigint[]) from public;
grant execute on function weft.keep_alarm_maintenance(bigint[]) to weft_worker;

-- CPEs that a policy looks at and that were in contact once. Definer, as alarm_cover.
create function weft.alarm_seen(strategy bigint) returns setof bigint
  language sql stable security definer set search_path = weft, pg_temp
  as $$
  with recursive below (id) as (
    select enterprise_id from alarm_strategy where id = strategy
    union
    select e.id from enterprise e join below b on e.parent_id = b.id
  )
  select n.id from node n join node_status s on s.node_id = n.id
  where n.kind = 'cpe' and n.enabled and s.last_seen is not null and (
    n.id in (select c.node_id from alarm_strategy_node c where c.owner_id = strategy)
    or (n.enterprise_id in (select id from below)
      and not exists (select from alarm_strategy_node c where c.owner_id = strategy)
      and not exists (select from alarm_strategy_pop c where c.owner_id = strategy)))
  $$;
revoke execute on function weft.alarm_seen(bigint) from public;
grant execute on function weft.alarm_seen(bigint) to weft_worker;
