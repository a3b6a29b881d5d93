-- The next messages are those of each enterprise in turn: sorted anew for each ten that are sent, a hundred thousand that wait
-- took 0.2 s. Each of a channel, an enterprise and a number of attempts is in the order in which it is sent.
create index outbox_turn on weft.outbox (channel, enterprise_id, attempts, next_at, id) where state = 'waiting';
-- A worker asks for either twice a second, of some channels.
drop index weft.outbox_due;
create index outbox_due on weft.outbox (channel, next_at) where state = 'waiting';
create index outbox_expiry on weft.outbox (expires_at) where state = 'waiting';
