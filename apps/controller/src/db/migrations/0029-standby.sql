-- Hot standby of CPEs (specification section 5): which devices of an enterprise stand for each other.
alter table weft.node
  add column hot_standby_group smallint check (hot_standby_group between 1 and 255),
  add column hot_standby_role text check (hot_standby_role in ('active', 'standby')),
  add column hot_standby_priority smallint check (hot_standby_priority between 1 and 255),
  add constraint node_standby_whole check (
    (hot_standby_group is null) = (hot_standby_role is null)
    and (hot_standby_group is null) = (hot_standby_priority is null));
-- One active and one standby device a group (A-31).
create unique index node_standby
  on weft.node (enterprise_id, hot_standby_group, hot_standby_role)
  where hot_standby_group is not null;
