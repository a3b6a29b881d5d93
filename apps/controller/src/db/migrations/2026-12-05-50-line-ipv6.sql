-- A table whose form gets fields is called with all its columns again: the trigger is replaced, the column stays.
create or replace procedure weft.version_rows(of_table text, variadic columns text[])
language plpgsql as $$
declare
  was text := (select string_agg(format('old.%I', name), ', ') from unnest(columns) as name);
  now_is text := (select string_agg(format('new.%I', name), ', ') from unnest(columns) as name);
begin
  execute format('alter table weft.%I add column if not exists row_version bigint not null default weft.version_now()', of_table);
  execute format('create or replace trigger row_version before update on weft.%I
    for each row when (row(%s) is distinct from row(%s)) execute function weft.next_row_version()',
    of_table, was, now_is);
end $$;

-- IPv6 of WAN links, beside IPv4, and the prefixes that they get for LANs (DHCPv6-PD). The rules of their values are the
-- contract's (line.ts).
alter table weft.line
  add column ipv6_mode text not null default 'off' check (ipv6_mode in ('off', 'static', 'auto', 'delegated')),
  add column ip6 text check (family(ip6::inet) = 6 and position('/' in ip6) > 0),
  add column gateway6 text check (family(gateway6::inet) = 6 and position('/' in gateway6) = 0),
  add column prefix_length smallint check (prefix_length between 32 and 64),
  add constraint line_static_ipv6 check (ipv6_mode <> 'static' or (ip6 is not null and gateway6 is not null));
call weft.version_rows('line', 'node_id', 'slot', 'name', 'interface_name', 'addressing', 'ip', 'gateway',
  'public_ip', 'public_port', 'isp', 'line_quality', 'reachable', 'mtu', 'up_kbps', 'down_kbps', 'remark',
  'ipv6_mode', 'ip6', 'gateway6', 'prefix_length');

-- LAN sections that have networks of such a prefix.
alter table weft.lan_section
  add column ipv6_slot smallint check (ipv6_slot between 1 and 4),
  add column ipv6_subnet integer check (ipv6_subnet between 0 and 65535),
  add constraint lan_section_subnet_of_slot check (ipv6_subnet is null or ipv6_slot is not null);
call weft.version_rows('lan_section', 'node_id', 'interface_name', 'network', 'network6', 'vlan', 'enable_forward',
  'enable_direct', 'enable_central', 'own_address', 'dhcp_start', 'dhcp_end', 'ipv6_slot', 'ipv6_subnet', 'remark');

-- What the device reports of it: [{interfaceName, address, gateway, since, until}], ms; null: it never reported any.
alter table weft.node_status add column ipv6_lines jsonb;
