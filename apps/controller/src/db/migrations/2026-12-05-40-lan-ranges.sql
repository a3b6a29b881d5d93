-- Addresses that hosts of a LAN section get by DHCP. Null: those that policies set, else the upper half of the network.
alter table weft.lan_section
  add column dhcp_start text,
  add column dhcp_end text,
  add constraint lan_section_range check ((dhcp_start is null) = (dhcp_end is null));

-- They are part of what the form edits.
drop trigger row_version on weft.lan_section;
create trigger row_version before update on weft.lan_section
  for each row when (row(old.node_id, old.interface_name, old.network, old.network6, old.vlan, old.enable_forward,
    old.enable_direct, old.enable_central, old.own_address, old.dhcp_start, old.dhcp_end, old.remark)
    is distinct from row(new.node_id, new.interface_name, new.network, new.network6, new.vlan, new.enable_forward,
    new.enable_direct, new.enable_central, new.own_address, new.dhcp_start, new.dhcp_end, new.remark))
  execute function weft.next_row_version();
