-- Hosts of a LAN section may reach the internet by the space, where another site announces a default route.
alter table weft.lan_section add column enable_central boolean not null default false;
