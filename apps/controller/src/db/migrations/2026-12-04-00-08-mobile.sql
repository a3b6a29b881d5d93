-- Accounts of mobile and soft terminals, and where those of an enterprise enter which of its spaces.

-- Accounts of mobile and soft terminals.
create table weft.mobile_account (
  id bigint generated always as identity primary key,
  enterprise_id bigint not null references weft.enterprise (id),
  login_name text not null,
  alias text not null,
  -- Null: none is set, the client cannot log in by it.
  password_hash text,
  terminal_type smallint not null,
  enabled boolean not null default true,
  -- bit/s; null: as the enterprise has it.
  tx_bps bigint,
  rx_bps bigint,
  -- A POP may be another enterprise's, shared with this one.
  pop_id bigint references weft.node (id) on delete set null,
  phone text,
  email text,
  -- Of the client, which keeps the private half to itself.
  public_key text,
  -- Out of the pool of the enterprise's service.
  address inet,
  -- Null: no end.
  expire_at timestamptz,
  -- The end that has taken effect on the POP: set once by the worker when it is reached.
  ended_at timestamptz,
  remark text not null default '',
  created_by bigint,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint mobile_account_login unique (enterprise_id, login_name),
  constraint mobile_account_key unique (enterprise_id, public_key),
  constraint mobile_account_address unique (enterprise_id, address)
);
create index mobile_account_alias on weft.mobile_account using gin (alias gin_trgm_ops);
create index mobile_account_expire on weft.mobile_account (enterprise_id, expire_at) where expire_at is not null;
create index mobile_account_pop on weft.mobile_account (pop_id) where pop_id is not null;
create index mobile_account_end on weft.mobile_account (expire_at)
  where public_key is not null and expire_at is not null;
call weft.tenant_table('mobile_account', 'enterprise_id', 'created_by');

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
