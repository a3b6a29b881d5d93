-- True for a state that was rolled back without confirmation and may have its one automatic retry now
-- (design section 3.6): sooner when its edge was stopped in the middle than when it was cut off.
create function weft.is_retry_due(state weft.node_state, after_silence interval, after_stop interval)
  returns boolean
  language sql stable
  return state.outcome = 'reverted' and (state.unreachable or state.stopped) and state.retries = 0
    and state.ended_at <= now() - case when state.stopped then after_stop else after_silence end;

-- What a gateway has to know of its open sockets: whom it must cut off, who was replaced by a newer
-- socket elsewhere, and for whom there is a state to send: the newest of this epoch that is not held, as a newer one that waits
-- for an operator would hide it until the next heartbeat of its device.
-- A key that was enrolled for another node meanwhile is that node's, and its device must not give its machine back because the
-- first node was removed.
create function weft.watch_edges(
  nodes bigint[], keys text[], epochs bigint[], after_silence interval, after_stop interval
) returns table (node_id bigint, verdict text)
  language sql stable security definer set search_path = weft, pg_temp
  begin atomic
    select w.node, case
        when i.id is null then coalesce(
          (select q.state from weft.node_identity q
            where q.node_id = w.node and q.public_key = w.key and q.state = 'quarantined'),
          (select 'removed' from weft.removed_device r
            where r.node_id = w.node and r.public_key = w.key
              and not exists (select from weft.node_identity q where q.public_key = w.key)),
          'rejected')
        when s.session_epoch > w.epoch then 'replaced'
        else 'due' end
    from unnest(nodes, keys, epochs) as w (node, key, epoch)
    left join weft.node_identity i
      on i.node_id = w.node and i.public_key = w.key and i.state = 'approved'
    left join weft.node_status s on s.node_id = w.node
    left join lateral (
      select n.outcome = 'waiting' or weft.is_retry_due(n, after_silence, after_stop) as due
      from weft.node_state n
      where n.node_id = w.node and not n.held and n.epoch = (select epoch from weft.installation)
      order by n.serial desc limit 1
    ) newest on true
    where i.id is null or s.session_epoch > w.epoch or newest.due;
  end;
revoke execute on function weft.watch_edges(bigint[], text[], bigint[], interval, interval) from public;
grant execute on function weft.watch_edges(bigint[], text[], bigint[], interval, interval) to weft_gateway;
