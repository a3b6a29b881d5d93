-- What devices report of the directions that they send in: [{node, link, state, used, left, lossPercent, rttMs, jitterMs,
-- classes}], a link once of each node. Links that were removed a moment ago, and those of others, are passed over.
create function weft.keep_paths(sent jsonb) returns void
  language sql volatile security definer set search_path = weft, pg_temp
  begin atomic
    insert into weft.link_path as p (link_id, node_id, enterprise_id, state, used, behind, loss_percent,
      rtt_ms, jitter_ms, classes)
    select l.id, m.node, l.enterprise_id, m.state, m.used, m."left", m."lossPercent", m."rttMs",
      m."jitterMs", case when m.classes is not null then (
        select coalesce(jsonb_object_agg(one, now()), '{}') from jsonb_array_elements_text(m.classes) one) end
    from jsonb_to_recordset(sent) as m (node bigint, link bigint, state text, used boolean, "left" boolean,
      "lossPercent" real, "rttMs" real, "jitterMs" real, classes jsonb)
    join weft.link l on l.id = m.link and m.node in (l.a_node_id, l.b_node_id)
    -- Of the nodes of this transaction only: the function sees the rows of all.
    where m.node = any ((select weft.node_ids())::bigint[])
    -- In one order for all writers, so that no two wait for each other.
    order by l.id, m.node
    on conflict (link_id, node_id) do update set state = excluded.state, used = excluded.used,
      behind = excluded.behind, loss_percent = excluded.loss_percent, rtt_ms = excluded.rtt_ms,
      jitter_ms = excluded.jitter_ms, at = now(),
      classes = case when excluded.classes is not null then (
        select coalesce(jsonb_object_agg(one.key, coalesce(p.classes -> one.key, one.value)), '{}')
        from jsonb_each(excluded.classes) one) end,
      changed_at = case when p.state = excluded.state then p.changed_at else now() end;
  end;
revoke execute on function weft.keep_paths(jsonb) from public;
grant execute on function weft.keep_paths(jsonb) to weft_gateway;
