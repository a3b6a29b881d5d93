-- Login by OpenID Connect (docs/adr/0034-single-sign-on.md).

create table weft.identity_provider (
  id bigint generated always as identity primary key,
  enterprise_id bigint not null references weft.enterprise (id) on delete cascade,
  name text not null,
  issuer text not null,
  client_id text not null,
  -- Sealed under the installation's key (kernel/vault.ts); null: a public client.
  client_secret bytea,
  scopes text not null,
  groups_claim text not null,
  -- Verified e-mail addresses of these domains only; empty: no restriction.
  email_domains text[] not null,
  -- Of users without a mapped group; null: they are refused.
  default_role_id bigint references weft.role (id) on delete set null,
  -- Accounts are made at the first login.
  makes_users boolean not null,
  -- It asks for MFA itself, so that accounts with MFA may log in by it.
  has_mfa boolean not null,
  enabled boolean not null,
  remark text not null default '',
  created_by bigint,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (enterprise_id, id),
  constraint identity_provider_name unique (enterprise_id, name)
);
call weft.tenant_table('identity_provider', 'enterprise_id', 'created_by');

-- Which role a group gives. The role may be of an enterprise below that of the provider.
create table weft.identity_provider_role (
  provider_id bigint not null,
  enterprise_id bigint not null,
  place integer not null,
  group_name text not null,
  -- Without its role a mapping gives nothing.
  role_id bigint not null references weft.role (id) on delete cascade,
  primary key (provider_id, place),
  foreign key (enterprise_id, provider_id) references weft.identity_provider (enterprise_id, id)
    on update cascade on delete cascade
);
create index identity_provider_role_by_role on weft.identity_provider_role (role_id);
create index identity_provider_default on weft.identity_provider (default_role_id);
call weft.tenant_table('identity_provider_role');

-- Which account a person at a provider is: by issuer and subject, never by an e-mail address.
create table weft.user_identity (
  id bigint generated always as identity primary key,
  enterprise_id bigint not null,
  user_id bigint not null,
  provider_id bigint not null references weft.identity_provider (id) on delete cascade,
  issuer text not null,
  subject text not null,
  last_login_at timestamptz,
  created_at timestamptz not null default now(),
  constraint user_identity_subject unique (provider_id, issuer, subject),
  constraint user_identity_user unique (user_id, provider_id),
  foreign key (enterprise_id, user_id) references weft.sys_user (enterprise_id, id)
    on update cascade on delete cascade
);
call weft.tenant_table('user_identity');

-- Logins that wait for the answer of a provider. The ticket is in the browser that began the login only.
create table weft.identity_login (
  ticket_hash bytea primary key,
  enterprise_id bigint not null,
  provider_id bigint not null,
  issuer text not null,
  state text not null,
  nonce text not null,
  verifier text not null,
  redirect_uri text not null,
  address text not null,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  foreign key (enterprise_id, provider_id) references weft.identity_provider (enterprise_id, id)
    on update cascade on delete cascade
);
create index identity_login_expiry on weft.identity_login (expires_at);
create index identity_login_address on weft.identity_login (address, created_at);
call weft.tenant_table('identity_login');

-- The provider asked for MFA when this login was made.
alter table weft.session add column has_mfa boolean not null default false;
