-- Writes once a minute for all open sockets that they were seen, and at their end that they are gone.
-- A socket that was replaced since counts no more. Returns nodes whose rows others hold at the moment: thousands
-- are written by one statement, and do not wait for them.
create function weft.edges_seen(nodes bigint[], epochs bigint[], still_online boolean) returns setof bigint
  language sql security definer set search_path = weft, pg_temp
  begin atomic
    with sockets as materialized (
      select s.node_id from unnest(nodes, epochs) as w (node, epoch)
      join weft.node_status s on s.node_id = w.node and s.session_epoch = w.epoch
    ), free as materialized (
      select s.node_id, s.session_epoch from weft.node_status s
      where s.node_id in (select node_id from sockets)
      order by s.node_id
      for no key update skip locked
    ), written as (
      update weft.node_status s set last_seen = now(), online = still_online
      from free join unnest(nodes, epochs) as w (node, epoch)
        on w.node = free.node_id and w.epoch = free.session_epoch
      where s.node_id = free.node_id
    )
    select node_id from sockets except select node_id from free;
  end;
revoke execute on function weft.edges_seen(bigint[], bigint[], boolean) from public;
grant execute on function weft.edges_seen(bigint[], bigint[], boolean) to weft_gateway;

-- Runs as owner: gateway and worker change the status, and no role may write this log.
create function weft.note_presence() returns trigger
  language plpgsql security definer set search_path = weft, pg_temp as $$
begin
  insert into weft.cpe_link_log (enterprise_id, node_id, online, address)
  values (new.enterprise_id, new.node_id, new.online,
    case when new.online then new.socket_address end);
  return null;
end $$;
create trigger presence_first after insert on weft.node_status
  for each row when (new.online) execute function weft.note_presence();
create trigger presence_changed after update of online on weft.node_status
  for each row when (old.online is distinct from new.online) execute function weft.note_presence();

-- Takes what waits for these sockets; a socket that was replaced gets nothing.
create function weft.take_commands(nodes bigint[], epochs bigint[])
  returns table (id bigint, node_id bigint, timeout_ms integer, what jsonb)
  language sql security definer set search_path = weft, pg_temp
  begin atomic
    update weft.node_command c set status = 'sent'
    from unnest(nodes, epochs) as w (node, epoch)
    join weft.node_status s on s.node_id = w.node and s.session_epoch = w.epoch
    where c.node_id = w.node and c.status = 'waiting' and c.expires_at > now()
    returning c.id, c.node_id, c.timeout_ms, c.what;
  end;
revoke execute on function weft.take_commands(bigint[], bigint[]) from public;
grant execute on function weft.take_commands(bigint[], bigint[]) to weft_gateway;
