-- What a session or an API key may do is remembered by each process of the controller. A change of anything that it
-- follows from increases one number in the transaction of the change, and the transaction of a call that was let in from
-- memory begins with a look at it: a process whose number is another one reads again. What a process remembers needs no
-- notification that could be late or lost, and no clock: what ends by time is looked at here as well.
create table weft.access_version (
  id smallint primary key default 1 check (id = 1),
  version bigint not null default 1
);
insert into weft.access_version default values;
alter table weft.access_version enable row level security;
alter table weft.access_version force row level security;
create policy owned on weft.access_version to weft_owner using (true) with check (true);
