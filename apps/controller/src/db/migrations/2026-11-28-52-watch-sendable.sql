-- As before, about the state that a gateway would send: the newest of this epoch that is not held. A newer one that
-- waits for an operator hid it, and it went only with the next heartbeat of its device.
create or replace function weft.watch_edges(
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
