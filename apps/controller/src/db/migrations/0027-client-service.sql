-- Mobile accounts as WireGuard clients: where those of an enterprise enter which of its spaces.
create table weft.client_service (
  enterprise_id bigint primary key references weft.enterprise (id) on delete cascade,
  enabled boolean not null,
  space_id bigint,
  -- May be another enterprise's, shared with this one.
  pop_id bigint references weft.node (id) on delete set null,
  pool cidr,
  -- UDP port on the POP; beside it the ports of links, which begin at 51820.
  port integer check (port between 50000 and 51819),
  -- Name or address that clients call; null: the address of the POP's first line.
  host text,
  dns text,
  -- Networks that clients send into the tunnel; empty: those of the space.
  routes text[] not null,
  -- bit/s; null: no limit.
  tx_bps bigint,
  rx_bps bigint,
  -- Empty: all.
  terminal_types smallint[] not null,
  updated_at timestamptz not null default now(),
  foreign key (enterprise_id, space_id) references weft.net_space (enterprise_id, id)
    on delete set null (space_id),
  constraint client_service_port unique (pop_id, port)
);
create index client_service_space on weft.client_service (space_id) where space_id is not null;
call weft.tenant_table('client_service');

alter table weft.mobile_account
  -- Made where the client is; its private half is never here.
  add column public_key text,
  -- Out of the pool of the enterprise's service.
  add column address inet,
  -- The end that has taken effect on the POP: set once by the worker when it is reached.
  add column ended_at timestamptz,
  add constraint mobile_account_key unique (enterprise_id, public_key),
  add constraint mobile_account_address unique (enterprise_id, address);
create index mobile_account_end on weft.mobile_account (expire_at)
  where public_key is not null and expire_at is not null;

-- The lowest free port of a POP: services of other enterprises are out of the caller's sight.
create function weft.free_client_port(pop bigint) returns integer
  language sql stable security definer set search_path = weft, pg_temp
  begin atomic
    select min(one)::integer from generate_series(50000, 51819) as one
    where not exists (select from weft.client_service s where s.pop_id = pop and s.port = one);
  end;

-- Ends that were reached: the POP of each is compiled anew. Returns how many POPs are told.
create function weft.end_accounts() returns bigint
  language sql security definer set search_path = weft, pg_temp
  begin atomic
    with ended as (
      update weft.mobile_account a set ended_at = a.expire_at
      where a.public_key is not null and a.expire_at <= now()
        and a.ended_at is distinct from a.expire_at
      returning a.enterprise_id
    ), told as (
      insert into weft.change (enterprise_id, node_ids, cause, created_by)
      select s.enterprise_id, array[s.pop_id], 'system: expired', 0
      from weft.client_service s
      where s.pop_id is not null and s.enabled
        and s.enterprise_id in (select enterprise_id from ended)
      returning 1
    )
    select count(*) from told;
  end;
revoke execute on function weft.free_client_port(bigint) from public;
revoke execute on function weft.end_accounts() from public;
grant execute on function weft.free_client_port(bigint) to weft_api, weft_api_all;
grant execute on function weft.end_accounts() to weft_worker;
