-- Addresses that hosts always get of a CPE's DHCP server.
create table weft.dhcp_reservation (
  id bigint generated always as identity primary key,
  enterprise_id bigint not null,
  node_id bigint not null,
  mac text not null check (mac ~ '^[0-9a-f]{2}(:[0-9a-f]{2}){5}$'),
  address text not null,
  host_name text,
  remark text not null default '',
  created_by bigint,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  -- It names hosts of the enterprise's networks: it keeps its CPE there, as LAN sections do.
  foreign key (enterprise_id, node_id) references weft.node (enterprise_id, id) on delete cascade,
  constraint dhcp_reservation_mac unique (node_id, mac),
  constraint dhcp_reservation_address unique (node_id, address)
);
create unique index dhcp_reservation_name on weft.dhcp_reservation (node_id, lower(host_name));
call weft.tenant_table('dhcp_reservation', 'enterprise_id', 'created_by');
call weft.version_rows('dhcp_reservation', 'node_id', 'mac', 'address', 'host_name', 'remark');
