-- What of a state does not act on its device although the rest does, as the device told it.
alter table weft.node_state add column findings jsonb not null default '[]';
