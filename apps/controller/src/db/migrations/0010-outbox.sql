-- Mails and text messages on their way out, and one-time codes (docs/adr/0010-outbox.md).

create table weft.outbox (
  id bigint generated always as identity primary key,
  -- Whose letter it is; it goes with the enterprise.
  enterprise_id bigint not null references weft.enterprise (id) on delete cascade,
  channel text not null check (channel in ('mail', 'sms')),
  recipient text not null,
  subject text not null default '',
  -- Emptied as soon as the letter is sent or given up: it may hold a code.
  body text not null,
  state text not null default 'waiting' check (state in ('waiting', 'sent', 'failed')),
  attempts smallint not null default 0,
  -- Not before; while somebody sends it, the moment at which another may try.
  next_at timestamptz not null default now(),
  -- Worth nothing afterwards.
  expires_at timestamptz not null,
  error text not null default '',
  created_at timestamptz not null default now(),
  ended_at timestamptz
);
create index outbox_due on weft.outbox (next_at) where state = 'waiting';
create index outbox_ended on weft.outbox (ended_at) where state <> 'waiting';
create index outbox_enterprise on weft.outbox (enterprise_id);
call weft.tenant_table('outbox');
call weft.loop_table('outbox');
-- Sessions put letters in and never look at any.
drop policy in_scope on weft.outbox;
create policy put_in on weft.outbox for insert to weft_api
  with check (enterprise_id = any ((select weft.scope_enterprises())::bigint[]));
drop policy whole on weft.outbox;
create policy whole on weft.outbox for insert to weft_api_all with check (true);
revoke update, delete on weft.outbox from weft_api, weft_api_all;

-- A code is bound to what asked for it: a log-in name, or the ticket that a recovery got. There is a
-- row for a name or number that nobody has as well, so that nothing differs between the two.
create table weft.one_time_code (
  id bigint generated always as identity primary key,
  purpose text not null check (purpose in ('login', 'phone', 'email')),
  target text not null,
  address text not null,
  ticket_hash bytea unique,
  code_hash text not null,
  -- Null: nobody has this name or number.
  enterprise_id bigint references weft.enterprise (id) on delete cascade,
  tries smallint not null default 0,
  used_at timestamptz,
  expires_at timestamptz not null,
  created_at timestamptz not null default now()
);
create index one_time_code_target on weft.one_time_code (purpose, target, created_at desc);
create index one_time_code_address on weft.one_time_code (address, created_at desc);
create index one_time_code_created on weft.one_time_code (created_at);
create index one_time_code_enterprise on weft.one_time_code (enterprise_id);
call weft.tenant_table('one_time_code');
call weft.loop_table('one_time_code');
-- Asked before there is a session, hence never in a scope.
drop policy in_scope on weft.one_time_code;
revoke insert, update, delete on weft.one_time_code from weft_api;
revoke insert, update on weft.one_time_code from weft_worker;

-- Recovery looks people up by what they are reached at.
create index sys_user_phone on weft.sys_user (phone) where phone is not null;
create index sys_user_email on weft.sys_user (lower(email)) where email is not null;
