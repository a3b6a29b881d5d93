-- Second factors, what they are demanded by, messages to people, and what a session was begun with.

create table weft.totp (
  user_id bigint primary key,
  enterprise_id bigint not null,
  -- AES-256-GCM under the key outside of the database (kernel/vault.ts).
  secret bytea not null,
  -- Null: shown, and not yet proven to be in somebody's app.
  confirmed_at timestamptz,
  -- Time step of the last code that was taken: each counts once (RFC 6238 section 5.2).
  last_step bigint not null default 0,
  created_at timestamptz not null default now(),
  constraint totp_user foreign key (enterprise_id, user_id)
    references weft.sys_user (enterprise_id, id) on delete cascade on update cascade
);
call weft.tenant_table('totp');

create table weft.passkey (
  id bigint generated always as identity primary key,
  enterprise_id bigint not null,
  user_id bigint not null,
  credential_id text not null unique,
  public_key bytea not null,
  counter bigint not null,
  transports text[] not null default '{}',
  -- Host name that it was made for; it works under no other (WebAuthn section 5.1.3).
  rp_id text not null,
  name text not null,
  last_used_at timestamptz,
  created_at timestamptz not null default now(),
  constraint passkey_user foreign key (enterprise_id, user_id)
    references weft.sys_user (enterprise_id, id) on delete cascade on update cascade
);
create index passkey_by_user on weft.passkey (user_id);
call weft.tenant_table('passkey');

create table weft.recovery_code (
  id bigint generated always as identity primary key,
  enterprise_id bigint not null,
  user_id bigint not null,
  code_hash bytea not null,
  used_at timestamptz,
  constraint recovery_code_user foreign key (enterprise_id, user_id)
    references weft.sys_user (enterprise_id, id) on delete cascade on update cascade
);
create index recovery_code_by_user on weft.recovery_code (user_id);
call weft.tenant_table('recovery_code');

-- A passkey's challenge: asked once, answered once.
create table weft.passkey_challenge (
  ticket_hash bytea primary key,
  enterprise_id bigint not null,
  user_id bigint not null,
  purpose text not null check (purpose in ('add', 'login')),
  challenge text not null,
  rp_id text not null,
  -- Of the log-in that it belongs to.
  login_record_id bigint,
  expires_at timestamptz not null,
  constraint passkey_challenge_user foreign key (enterprise_id, user_id)
    references weft.sys_user (enterprise_id, id) on delete cascade on update cascade
);
create index passkey_challenge_expiry on weft.passkey_challenge (expires_at);
call weft.tenant_table('passkey_challenge');

-- Users of a role with this need a second factor, as all users below a policy 8+MFA do.
alter table weft.role add column demands_factor boolean not null default false;
alter table weft.enterprise drop constraint enterprise_password_policy_check;
alter table weft.enterprise add constraint enterprise_password_policy_check
  check (password_policy in ('spec', '8+MFA', '15+'));

-- For people to tell their sessions apart.
alter table weft.session add column agent text not null default '';

create table weft.message (
  id bigint generated always as identity primary key,
  enterprise_id bigint not null,
  user_id bigint not null,
  -- 0 system, 1 security, 2 alarm.
  type smallint not null,
  -- Both languages: {zh, en}.
  title text[] not null check (cardinality(title) = 2),
  content text[] not null check (cardinality(content) = 2),
  -- Screen of the console that it is about; empty: none.
  link text not null default '',
  read_at timestamptz,
  created_at timestamptz not null default now(),
  constraint message_user foreign key (enterprise_id, user_id)
    references weft.sys_user (enterprise_id, id) on delete cascade on update cascade
);
create index message_newest on weft.message (user_id, id desc);
create index message_unread on weft.message (user_id) where read_at is null;
create index message_created on weft.message (created_at);
call weft.tenant_table('message');
-- The worker tells of alarms and removes what is old.
call weft.loop_table('message');
call weft.loop_table('passkey_challenge');
