-- What a device reports of itself, such as another key of its tunnels, makes states of all its peers. The first
-- change acts at once; one that changes again and again acts after 5, 30 and then 300 seconds, and starts
-- afresh after ten quiet minutes. What it reported last is what acts. Addresses of lines wait for 5 seconds at
-- most: lines are given others, and tunnels are down until their peers know.

alter table weft.node_status
  -- How many pauses it has had in a row.
  add column news_pauses smallint not null default 0,
  -- When its last change acted.
  add column news_at timestamptz,
  -- When the one that waits acts; null: none waits.
  add column news_due_at timestamptz;

create index node_status_news on weft.node_status (news_due_at) where news_due_at is not null;

-- True: a change of this node acts now. Otherwise it waits, for so many seconds at most, and release_reports
-- lets it act.
create function weft.admit_report(node bigint, longest int) returns boolean
language plpgsql set search_path = weft, pg_temp as $$
declare
  pauses constant int[] := '{5,30,300}';
  s record;
  is_quiet boolean;
begin
  select news_pauses, news_at, news_due_at into s from node_status where node_id = node for update;
  is_quiet := s.news_at is null
    or (s.news_due_at is null and s.news_at < now() - interval '10 minutes');
  if is_quiet then
    update node_status set news_pauses = 0, news_at = now() where node_id = node;
    return true;
  end if;
  if s.news_due_at is null then
    update node_status set news_due_at = greatest(now(),
        s.news_at + make_interval(secs => least(pauses[least(s.news_pauses + 1, 3)], longest)))
      where node_id = node;
  end if;
  return false;
end $$;

-- Changes whose pause is over: each leaves its change row. Gives the nodes.
create function weft.release_reports() returns table (node bigint, pauses int)
language sql security definer set search_path = weft, pg_temp as $$
  with due as (
    update node_status set news_due_at = null, news_at = now(),
      news_pauses = least(news_pauses + 1, 1000)
    where news_due_at <= now() returning node_id, enterprise_id, news_pauses
  ), written as (
    insert into change (enterprise_id, node_ids, space_ids, cause, created_by)
    select enterprise_id, standby_pair(node_id), '{}', 'edge: report', 0 from due
  )
  select node_id, news_pauses::int from due
$$;
revoke execute on function weft.release_reports() from public;
grant execute on function weft.release_reports() to weft_worker;
grant execute on function weft.admit_report(bigint, int) to weft_gateway;
