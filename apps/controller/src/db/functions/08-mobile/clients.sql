-- Accounts of an enterprise that have a key: peers of its POP.
create function weft.client_load(enterprise bigint) returns bigint
  language sql stable security definer set search_path = weft, pg_temp
  begin atomic
    select count(*) from weft.mobile_account
    where enterprise_id = enterprise and public_key is not null;
  end;
revoke execute on function weft.client_load(bigint) from public;
grant execute on function weft.client_load(bigint) to weft_api, weft_api_all;

-- Addresses of the pool of an enterprise that its accounts have, whoever made these: who sees rows of the own making only must not be
-- offered an address that a colleague's account has.
create function weft.client_addresses(enterprise bigint) returns setof inet
  language sql stable security definer set search_path = weft, pg_temp
  begin atomic
    select a.address from weft.mobile_account a where a.enterprise_id = enterprise and a.address is not null;
  end;
revoke execute on function weft.client_addresses(bigint) from public;
grant execute on function weft.client_addresses(bigint) to weft_api, weft_api_all;

-- Gives every account with a key an address of the pool, in the order of their ids; null: takes all addresses away. The caller has
-- checked that the enterprise is its own.
create function weft.renumber_clients(enterprise bigint, pool inet) returns void
language plpgsql security definer set search_path = weft, pg_temp as $$
begin
  -- All are cleared first: the new ones may be old ones of other accounts.
  update mobile_account set address = null where enterprise_id = enterprise;
  update mobile_account a set address = set_masklen(network(pool)::inet, 32) + 1 + n.rank
  from (select id, row_number() over (order by id) as rank from mobile_account
    where enterprise_id = enterprise and public_key is not null) n
  where a.id = n.id and pool is not null;
end $$;
revoke execute on function weft.renumber_clients(bigint, inet) from public;
grant execute on function weft.renumber_clients(bigint, inet) to weft_api, weft_api_all;

-- The lowest free port of a POP: services of other enterprises are out of the caller's sight.
create function weft.free_client_port(pop bigint) returns integer
  language sql stable security definer set search_path = weft, pg_temp
  begin atomic
    select min(one)::integer from generate_series(50000, 51819) as one
    where not exists (select from weft.client_service s where s.pop_id = pop and s.port = one);
  end;
revoke execute on function weft.free_client_port(bigint) from public;
grant execute on function weft.free_client_port(bigint) to weft_api, weft_api_all;

-- Keys of an enterprise: peers of its POP.
create function weft.guard_client_room() returns trigger
language plpgsql security definer set search_path = weft, pg_temp as $$
declare
  most constant integer := 10000;
  keyed constant bigint[] := array(select distinct enterprise_id from written where public_key is not null);
  full_one jsonb;
begin
  perform from enterprise where id = any (keyed) order by id for no key update;
  select jsonb_build_object('limit', 'clientPeers', 'name', e.name, 'max', most) into full_one
    from enterprise e where e.id = any (keyed) and client_load(e.id) > most limit 1;
  if found then
    raise exception 'no room: %', full_one
      using errcode = 'check_violation', constraint = 'room', detail = full_one::text;
  end if;
  return null;
end $$;
revoke execute on function weft.guard_client_room() from public;
create trigger client_room_insert after insert on weft.mobile_account
  referencing new table as written for each statement execute function weft.guard_client_room();
create trigger client_room_update after update on weft.mobile_account
  referencing new table as written for each statement execute function weft.guard_client_room();
