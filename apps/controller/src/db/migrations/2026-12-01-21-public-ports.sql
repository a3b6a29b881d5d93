-- Where a NAT leads only some ports on, and from others: the first of those that belong to tunnels (51,820 upwards).
alter table weft.line add column public_port integer check (public_port between 1 and 51820),
  add constraint line_public_port_of_address check (public_port is null or public_ip is not null);
