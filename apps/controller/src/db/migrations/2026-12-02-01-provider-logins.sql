-- A login by an identity provider: its people have no password here, so that a fresh one stands for it.
alter table weft.session add column by_provider boolean not null default false;
