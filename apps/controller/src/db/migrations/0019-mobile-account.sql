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
  -- Null: no end.
  expire_at timestamptz,
  remark text not null default '',
  created_by bigint,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint mobile_account_login unique (enterprise_id, login_name)
);
create index mobile_account_alias on weft.mobile_account using gin (alias gin_trgm_ops);
create index mobile_account_expire on weft.mobile_account (enterprise_id, expire_at) where expire_at is not null;
create index mobile_account_pop on weft.mobile_account (pop_id) where pop_id is not null;
call weft.tenant_table('mobile_account', 'enterprise_id', 'created_by');
