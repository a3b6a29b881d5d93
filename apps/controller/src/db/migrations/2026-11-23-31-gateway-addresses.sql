-- Which gateways run, and under which addresses devices reach each: claims name the addresses of all.
-- Each one used to write its own list over the installation's at its start.
create table weft.gateway_process (
  -- Made by the process at its start.
  id uuid primary key,
  addresses text[] not null,
  started_at timestamptz not null default now(),
  seen_at timestamptz not null default now()
);
alter table weft.gateway_process enable row level security;
alter table weft.gateway_process force row level security;
create policy owned on weft.gateway_process to weft_owner using (true) with check (true);

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

-- A gateway runs. Those that were killed are forgotten after a day.
create function weft.note_gateway(process uuid, reachable text[]) returns void
language plpgsql security definer set search_path = weft, pg_temp as $$
begin
  perform from installation for update;
  delete from gateway_process where seen_at < now() - interval '1 day';
  insert into gateway_process (id, addresses) values (process, reachable)
    on conflict (id) do update set addresses = excluded.addresses, seen_at = now();
  perform join_gateway_addresses();
end $$;

create function weft.forget_gateway(process uuid) returns void
language plpgsql security definer set search_path = weft, pg_temp as $$
begin
  perform from installation for update;
  delete from gateway_process where id = process;
  perform join_gateway_addresses();
end $$;

revoke execute on function weft.join_gateway_addresses() from public;
revoke execute on function weft.note_gateway(uuid, text[]) from public;
revoke execute on function weft.forget_gateway(uuid) from public;
grant execute on function weft.note_gateway(uuid, text[]) to weft_gateway;
grant execute on function weft.forget_gateway(uuid) to weft_gateway;
