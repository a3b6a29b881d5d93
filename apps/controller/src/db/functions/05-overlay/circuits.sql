-- Circuits that end at a node and are on, with the space that both ends are in: with the owner's rights, because a POP serves
-- circuits of other enterprises. Those that end last come first, so that what has ended long ago takes no room from others.
create function weft.circuits_of(nodes bigint[])
  returns table (node_id bigint, id bigint, name text, peer bigint, peer_kind text, bandwidth integer,
    guaranteed integer, until bigint, space_id bigint, quality smallint)
  language sql stable security definer set search_path = weft, pg_temp
  begin atomic
    with ended as (
      select c.source_id as node_id, c.target_id as peer, c.id from weft.circuit c
        where c.source_id = any (nodes) and c.enabled
      union
      select c.target_id, c.source_id, c.id from weft.circuit c where c.target_id = any (nodes) and c.enabled
    )
    select e.node_id, c.id, c.name, n.id, n.kind, c.bandwidth_kbps, c.guaranteed_kbps,
      (extract(epoch from c.expire_at) * 1000)::bigint,
      (select min(m.space_id) from weft.space_member m
        join weft.space_member o on o.space_id = m.space_id and o.node_id = n.id
        where m.node_id = e.node_id and m.enterprise_id = c.enterprise_id),
      case when c.expire_at <= now() then 0 else c.line_quality end
    from ended e
    join weft.circuit c on c.id = e.id
    join weft.node n on n.id = e.peer
    order by e.node_id, coalesce(c.expire_at, 'infinity') desc, c.id;
  end;
revoke execute on function weft.circuits_of(bigint[]) from public;
grant execute on function weft.circuits_of(bigint[]) to weft_worker;
