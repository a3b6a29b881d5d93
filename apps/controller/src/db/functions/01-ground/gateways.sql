-- The installation's list becomes that of all gateways seen lately, those of the first started first.
-- Without any it stays: claims made while the only one starts again name the addresses it had.
create function weft.join_gateway_addresses() returns void
language sql security definer set search_path = weft, pg_temp as $$
  with alive as (
    select * from gateway_process where seen_at > now() - interval '90 seconds'
  ), listed as (
    select distinct on (a.address) a.address, g.started_at, g.id, a.place
    from alive g, unnest(g.addresses) with ordinality a (address, place)
    order by a.address, g.started_at, g.id, a.place
  ), joined as (
    select coalesce(array_agg(address order by started_at, id, place), '{}') as addresses from listed
  )
  update installation i set edge_addresses = j.addresses from joined j
  where exists (select from alive) and i.edge_addresses <> j.addresses
$$;
revoke execute on function weft.join_gateway_addresses() from public;

-- A gateway runs. Those that were killed are forgotten after a day. One that was frozen, or that the database was away
-- for, has not listened all the time: it counts as started again.
create function weft.note_gateway(process uuid, reachable text[]) returns void
language plpgsql security definer set search_path = weft, pg_temp as $$
begin
  perform from installation for update;
  delete from gateway_process where seen_at < now() - interval '1 day';
  insert into gateway_process (id, addresses) values (process, reachable)
    on conflict (id) do update set addresses = excluded.addresses, seen_at = now(),
      started_at = case when gateway_process.seen_at > now() - interval '90 seconds'
        then gateway_process.started_at else now() end;
  perform join_gateway_addresses();
end $$;
revoke execute on function weft.note_gateway(uuid, text[]) from public;
grant execute on function weft.note_gateway(uuid, text[]) to weft_gateway;

create function weft.forget_gateway(process uuid) returns void
language plpgsql security definer set search_path = weft, pg_temp as $$
begin
  perform from installation for update;
  delete from gateway_process where id = process;
  perform join_gateway_addresses();
end $$;
revoke execute on function weft.forget_gateway(uuid) from public;
grant execute on function weft.forget_gateway(uuid) to weft_gateway;

-- Since when gateways have listened without a break; null: none does. One that was killed has a row for a while yet: what
-- started again at its addresses has taken its place.
create function weft.listening_since() returns timestamptz
language sql stable security definer set search_path = weft, pg_temp as $$
  select min(g.started_at) from gateway_process g
  where g.seen_at > now() - interval '90 seconds'
    and not exists (select from gateway_process n
      where n.addresses = g.addresses and n.started_at > g.seen_at)
$$;
revoke execute on function weft.listening_since() from public;
grant execute on function weft.listening_since() to weft_worker;

-- How long devices get to come back to gateways that have just started: `returnMs` of devices/presence/store.ts, by which
-- the worker waits for those that are silent. A test compares them.
create function weft.return_time() returns interval
  language sql immutable parallel safe
  as $$ select interval '150 seconds' $$;

-- Devices may be on their way back to gateways that have just started, or have nobody to report to. What they said last
-- stands until then: time in which nobody listened is no silence of theirs.
create function weft.devices_return() returns boolean
language sql stable security definer set search_path = weft, pg_temp as $$
  select coalesce(listening_since() > now() - weft.return_time(), true)
$$;
revoke execute on function weft.devices_return() from public;
grant execute on function weft.devices_return() to weft_api, weft_api_all, weft_worker;
