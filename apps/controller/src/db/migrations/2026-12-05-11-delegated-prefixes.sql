-- Prefixes that WAN links get for LANs (DHCPv6-PD), and the sections that have networks of them.
alter table weft.line
  drop constraint line_ipv6_mode_check,
  add constraint line_ipv6_mode_check check (ipv6_mode in ('off', 'static', 'auto', 'delegated')),
  add column prefix_length smallint check (prefix_length between 32 and 64);

alter table weft.lan_section
  add column ipv6_slot smallint check (ipv6_slot between 1 and 4),
  add column ipv6_subnet integer check (ipv6_subnet between 0 and 65535),
  add constraint lan_section_subnet_of_slot check (ipv6_subnet is null or ipv6_slot is not null);

-- The version of a row is that of all that its form edits.
drop trigger row_version on weft.line;
create trigger row_version before update on weft.line for each row when (
  row(old.node_id, old.slot, old.name, old.interface_name, old.addressing, old.ip, old.gateway, old.public_ip,
    old.public_port, old.isp, old.line_quality, old.reachable, old.mtu, old.up_kbps, old.down_kbps, old.remark,
    old.ipv6_mode, old.ip6, old.gateway6, old.prefix_length)
  is distinct from
  row(new.node_id, new.slot, new.name, new.interface_name, new.addressing, new.ip, new.gateway, new.public_ip,
    new.public_port, new.isp, new.line_quality, new.reachable, new.mtu, new.up_kbps, new.down_kbps, new.remark,
    new.ipv6_mode, new.ip6, new.gateway6, new.prefix_length))
  execute function weft.next_row_version();
drop trigger row_version on weft.lan_section;
create trigger row_version before update on weft.lan_section for each row when (
  row(old.node_id, old.interface_name, old.network, old.network6, old.vlan, old.enable_forward, old.enable_direct,
    old.enable_central, old.own_address, old.remark, old.ipv6_slot, old.ipv6_subnet)
  is distinct from
  row(new.node_id, new.interface_name, new.network, new.network6, new.vlan, new.enable_forward, new.enable_direct,
    new.enable_central, new.own_address, new.remark, new.ipv6_slot, new.ipv6_subnet))
  execute function weft.next_row_version();
