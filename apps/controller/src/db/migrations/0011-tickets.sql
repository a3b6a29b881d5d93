-- Tickets for what a browser fetches by its address alone: one use within 30 s. Kept as the hash.
create table weft.ticket (
  hash bytea primary key,
  enterprise_id bigint not null references weft.enterprise (id) on delete cascade,
  -- Of an API key: minus its id.
  user_id bigint not null,
  -- Log-in that it goes back to; empty for a key.
  family text not null,
  key_id bigint,
  purpose text not null,
  content jsonb not null,
  language text not null,
  expires_at timestamptz not null
);
create index ticket_expiry on weft.ticket (expires_at);
call weft.tenant_table('ticket', 'enterprise_id', 'user_id');
