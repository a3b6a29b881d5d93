-- When the person of a login by an identity provider last authenticated there, as the provider says in the ID token
-- (auth_time). null: it did not say so. Sessions from before prove nothing.
alter table weft.session add column authenticated_at timestamptz;

-- The provider of the login, where the person authenticates again.
alter table weft.session add column provider_id bigint references weft.identity_provider (id) on delete set null;
create index session_provider on weft.session (provider_id) where provider_id is not null;

-- The provider is asked to authenticate the person again (max_age=0), whatever session it has.
alter table weft.identity_login add column again boolean not null default false;
