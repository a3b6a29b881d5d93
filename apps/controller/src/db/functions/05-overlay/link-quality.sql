-- Null: nothing is known. At most five.
create function weft.mean_of(past real[]) returns real
  language sql immutable parallel safe
  as $$
    select case when cardinality(past) > 0 then (coalesce(past[1], 0) + coalesce(past[2], 0)
      + coalesce(past[3], 0) + coalesce(past[4], 0) + coalesce(past[5], 0)) / cardinality(past) end
  $$;

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

-- Means of the whole minutes of a link, the newest first, with that of the minute that the next sample ends.
create function weft.past_means(past real[], sum real, samples integer, minute bigint, new_samples integer, new_minute bigint,
  minutes integer, longest_gap integer) returns real[]
  language sql immutable parallel safe
  as $$
    select case when new_samples = 0 or new_minute <= minute then past
      when new_minute - minute > longest_gap then '{}'
      when samples > 0 then (array[(sum / samples)::real] || past)[1:minutes]
      else past end
  $$;

-- Measures of links from all devices of a gateway in one statement: a transaction for each message was most of what an
-- idle fleet cost the database. Of a link's two ends the one that probes counts, links that were removed a
-- moment ago are passed over, and each sample counts once in the means of its link (columns `past_*` of link_status).
-- The arrays have an element for each sample: `ages` in ms before `measured_at`, and `turns` with 1 for the first sample of
-- a link, 2 for its next one, as a statement writes each row once. A row is as old as its message: a transition that came
-- after it stays, and so does one that came after a sample that is `outdated`; such a sample counts in the means only. One that is
-- `repeated` was not sent again but stands: it is as old as this call, and nothing if the link went up or down after its message.
-- Returns the nodes that named a link of other nodes; nothing of what they sent is written.
create function weft.keep_measures(measured_at timestamptz, nodes bigint[], links bigint[], turns integer[],
  ages double precision[], outdated boolean[], repeated boolean[], ups boolean[], rtts real[], jitters real[], losses real[],
  in_rates double precision[], out_rates double precision[], minutes integer, longest_gap integer)
  returns setof bigint
  language plpgsql volatile security definer set search_path = weft, pg_temp
  as $$
declare
  refused bigint[] := array(
    select distinct m.node from unnest(nodes, links) as m (node, id) join link l on l.id = m.id
    where m.node is distinct from l.a_node_id and m.node is distinct from l.b_node_id);
  last_turn integer := (select max(t) from unnest(turns) t);
begin
  for current_turn in 1..coalesce(last_turn, 0) loop
    insert into link_status as s (link_id, enterprise_id, up, rtt_ms, jitter_ms, loss_percent,
      in_rate, out_rate, at, changed_at, minute, samples, loss_sum, rtt_sum, jitter_sum)
    select l.id, l.enterprise_id, case when c.is_news then m.up else before.up end,
      case when c.is_news then m.rtt_ms else before.rtt_ms end,
      case when c.is_news then m.jitter_ms else before.jitter_ms end,
      case when c.is_news then m.loss_percent else before.loss_percent end,
      case when c.is_news then m.in_rate else before.in_rate end,
      case when c.is_news then m.out_rate else before.out_rate end,
      case when c.is_news then c.at else before.at end,
      case when c.is_news then c.received_at else before.at end,
      floor(extract(epoch from c.at) / 60), c.samples,
      c.samples * coalesce(m.loss_percent, 0),
      -- Nothing of it came back: the round trip is as it was.
      c.samples * coalesce(m.rtt_ms, before.rtt_ms, 0),
      c.samples * coalesce(m.jitter_ms, before.jitter_ms, 0)
    from unnest(nodes, links, turns, ages, outdated, repeated, ups, rtts, jitters, losses, in_rates, out_rates)
        as m (node, id, turn, age, outdated, repeated, up, rtt_ms, jitter_ms, loss_percent, in_rate, out_rate)
      join link l on l.id = m.id and l.a_node_id = m.node
      left join link_status before on before.link_id = l.id
      cross join lateral (
        select case when m.repeated then measured_at else measured_at - m.age * interval '1 ms' end as at,
          measured_at - m.age * interval '1 ms' as received_at,
          case when m.up and m.loss_percent is not null then 1 else 0 end as samples,
          before.link_id is null or not m.outdated as is_news) c
    where m.turn = current_turn and m.node <> all (refused)
    -- In one order for all writers, so that no two wait for each other.
    order by l.id
    on conflict (link_id) do update set
      up = case when s.at <= excluded.at then excluded.up else s.up end,
      rtt_ms = case when s.at <= excluded.at then excluded.rtt_ms else s.rtt_ms end,
      jitter_ms = case when s.at <= excluded.at then excluded.jitter_ms else s.jitter_ms end,
      loss_percent = case when s.at <= excluded.at then excluded.loss_percent else s.loss_percent end,
      in_rate = case when s.at <= excluded.at then excluded.in_rate else s.in_rate end,
      out_rate = case when s.at <= excluded.at then excluded.out_rate else s.out_rate end,
      at = greatest(s.at, excluded.at),
      changed_at = case when s.at <= excluded.at and s.up <> excluded.up then excluded.at else s.changed_at end,
      past_loss = weft.past_means(s.past_loss, s.loss_sum, s.samples, s.minute, excluded.samples,
        excluded.minute, minutes, longest_gap),
      past_rtt = weft.past_means(s.past_rtt, s.rtt_sum, s.samples, s.minute, excluded.samples,
        excluded.minute, minutes, longest_gap),
      past_jitter = weft.past_means(s.past_jitter, s.jitter_sum, s.samples, s.minute, excluded.samples,
        excluded.minute, minutes, longest_gap),
      -- The sums of a minute begin again with each minute.
      loss_sum = case when excluded.samples = 0 then s.loss_sum
        when excluded.minute > s.minute then excluded.loss_sum else s.loss_sum + excluded.loss_sum end,
      rtt_sum = case when excluded.samples = 0 then s.rtt_sum
        when excluded.minute > s.minute then excluded.rtt_sum else s.rtt_sum + excluded.rtt_sum end,
      jitter_sum = case when excluded.samples = 0 then s.jitter_sum
        when excluded.minute > s.minute then excluded.jitter_sum else s.jitter_sum + excluded.jitter_sum end,
      samples = case when excluded.samples = 0 then s.samples
        when excluded.minute > s.minute then excluded.samples else s.samples + excluded.samples end,
      minute = case when excluded.samples = 0 then s.minute else greatest(s.minute, excluded.minute) end
    -- The two times differ only for what is repeated: its link went up or down since, as the row says now.
    where excluded.at = excluded.changed_at or s.up = excluded.up;
  end loop;
  return query select unnest(refused);
end
  $$;
revoke execute on function weft.keep_measures(timestamptz, bigint[], bigint[], integer[], double precision[], boolean[], boolean[], boolean[], real[], real[], real[], double precision[], double precision[], integer, integer) from public;
grant execute on function weft.keep_measures(timestamptz, bigint[], bigint[], integer[], double precision[], boolean[], boolean[], boolean[], real[], real[], real[], double precision[], double precision[], integer, integer) to weft_gateway;
