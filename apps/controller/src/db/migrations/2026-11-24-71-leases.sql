-- Addresses that a device gave hosts of its LANs, as it last reported them, at most 1,000 of them.
alter table weft.node_status add column leases jsonb not null default '[]',
  add column lease_total integer not null default 0;
