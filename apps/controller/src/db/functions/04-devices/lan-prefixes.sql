-- Networks of a delegated prefix that LANs of a CPE name: of two that name one, only one would have it. The sections of one LAN
-- share its network. Hosts of a LAN with a VLAN tag are another LAN.
create function weft.guard_lan_prefix() returns trigger
language plpgsql security definer set search_path = weft, pg_temp as $$
declare
  other text;
begin
  -- Of writes of one moment, each valid alone, one is admitted.
  perform from node where id = new.node_id for no key update;
  select s.interface_name into other from lan_section s
    where s.node_id = new.node_id and s.id is distinct from new.id
      and s.ipv6_slot = new.ipv6_slot and s.ipv6_subnet = new.ipv6_subnet
      and (s.interface_name <> new.interface_name or coalesce(s.vlan, 0) <> coalesce(new.vlan, 0))
    order by s.id limit 1;
  if found then
    raise exception 'subnet % of wan% is another LAN''s', new.ipv6_subnet, new.ipv6_slot
      using errcode = 'check_violation', constraint = 'broken_rule',
        detail = jsonb_build_object('path', 'ipv6Subnet', 'rule', 'inUse',
          'params', jsonb_build_object('value', new.ipv6_subnet::text, 'other', other));
  end if;
  return new;
end $$;
revoke execute on function weft.guard_lan_prefix() from public;
create trigger lan_prefix_insert before insert on weft.lan_section
  for each row when (new.ipv6_subnet is not null)
  execute function weft.guard_lan_prefix();
create trigger lan_prefix_update before update on weft.lan_section
  for each row when (new.ipv6_subnet is not null
    and row(old.node_id, old.interface_name, old.vlan, old.ipv6_slot, old.ipv6_subnet)
      is distinct from row(new.node_id, new.interface_name, new.vlan, new.ipv6_slot, new.ipv6_subnet))
  execute function weft.guard_lan_prefix();
