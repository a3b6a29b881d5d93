-- Tries to log in are counted by account and place: an IPv4 address, or the /64 of an IPv6 address.
alter table login_record
  add column place text not null default '',
  -- The /24 or /48 around it.
  add column network text not null default '',
  -- The device that proved to have logged in to the account before; null: none did.
  add column device text,
  -- Neither the place nor a device had logged in to the account before.
  add column stranger boolean not null default false;

update login_record set
  place = case when address like '%:%' and address !~ '[^0-9a-fA-F:]'
    then host(network(set_masklen(address::inet, 64))) else address end,
  network = case when address like '%:%' and address !~ '[^0-9a-fA-F:]'
    then host(network(set_masklen(address::inet, 48)))
    else regexp_replace(address, '[.][0-9]+$', '.0') end;

create index login_record_account on login_record (login_name, at desc);
create index login_record_place on login_record (place, at desc);
create index login_record_known on login_record (login_name, place, at desc) where success;
