-- IPv6 of WAN links, beside IPv4. The rules of its values are the contract's (line.ts).
alter table weft.line
  add column ipv6_mode text not null default 'off' check (ipv6_mode in ('off', 'static', 'auto')),
  add column ip6 text check (family(ip6::inet) = 6 and position('/' in ip6) > 0),
  add column gateway6 text check (family(gateway6::inet) = 6 and position('/' in gateway6) = 0),
  add constraint line_static_ipv6 check (ipv6_mode <> 'static' or (ip6 is not null and gateway6 is not null));

-- The version of a row is that of all that its form edits.
drop trigger row_version on weft.line;
create trigger row_version before update on weft.line for each row when (
  row(old.node_id, old.slot, old.name, old.interface_name, old.addressing, old.ip, old.gateway, old.public_ip,
    old.public_port, old.isp, old.line_quality, old.reachable, old.mtu, old.up_kbps, old.down_kbps, old.remark,
    old.ipv6_mode, old.ip6, old.gateway6)
  is distinct from
  row(new.node_id, new.slot, new.name, new.interface_name, new.addressing, new.ip, new.gateway, new.public_ip,
    new.public_port, new.isp, new.line_quality, new.reachable, new.mtu, new.up_kbps, new.down_kbps, new.remark,
    new.ipv6_mode, new.ip6, new.gateway6))
  execute function weft.next_row_version();

-- What the device reports of it: [{interfaceName, address, gateway, since, until}], ms; null: it never reported any.
alter table weft.node_status add column ipv6_lines jsonb;
