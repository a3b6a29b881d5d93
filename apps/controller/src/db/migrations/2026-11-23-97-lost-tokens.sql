-- The token that this one was issued for; null once it was used. Until then the older one is not ended: the
-- answer with the new one may never have arrived (a page that is left at that moment).
alter table weft.session add column replaces bytea;
create index session_replaces on weft.session (replaces) where replaces is not null;
