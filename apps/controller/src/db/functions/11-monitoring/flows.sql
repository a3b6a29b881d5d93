-- Whether records of flows of a node are kept: while the audit log of the site is on. And since when its hosts are those of its
-- enterprise: a device that moved may still have records of the former one's.
create function weft.flow_recording(node bigint) returns table (is_on boolean, since timestamptz)
  language sql stable security definer set search_path = weft, pg_temp
  begin atomic
    select coalesce(c.items ->> 'auditLog', '0') <> '0',
      (select max(m.at) from weft.node_move m where m.node_id = n.id)
    from weft.node n left join weft.node_config c on c.node_id = n.id
    where n.id = flow_recording.node;
  end;
revoke execute on function weft.flow_recording(bigint) from public;
grant execute on function weft.flow_recording(bigint) to weft_gateway;
