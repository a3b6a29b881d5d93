-- The address is that of a host in a LAN section of the CPE (contract rules/dhcp-range.ts). Two devices of a standby group are one
-- site: they keep the same addresses. Sections that are changed later may leave one outside, which is a finding then.
create function weft.guard_dhcp_reservation() returns trigger
language plpgsql security definer set search_path = weft, pg_temp as $$
declare
  pair bigint[] := standby_pair(new.node_id);
  lan inet;
  broken text;
  at_fault text := 'address';
begin
  -- Of writes of one moment, each valid alone, one is admitted.
  perform from node where id = any (pair) order by id for no key update;
  select s.network::inet into lan from lan_section s
    where s.node_id = new.node_id and new.address::inet << network(s.network::inet)
    order by s.id limit 1 for share;
  if lan is null then
    broken := 'outsideLans';
  elsif host(lan) = new.address
    or (masklen(lan) < 31 and new.address in (host(network(lan)), host(broadcast(lan))))
    or exists (select from lan_section s where s.node_id = any (pair) and s.own_address = new.address) then
    broken := 'addressOfLan';
  elsif exists (select from dhcp_reservation r where r.node_id = any (pair) and r.node_id <> new.node_id
    and r.mac = new.mac and r.address <> new.address) then
    broken := 'taken';
    at_fault := 'mac';
  elsif exists (select from dhcp_reservation r where r.node_id = any (pair) and r.node_id <> new.node_id
    and r.address = new.address and r.mac <> new.mac) then
    broken := 'taken';
  end if;
  if broken is not null then
    raise exception '% cannot be reserved', new.address using errcode = 'check_violation', constraint = 'broken_rule',
      detail = jsonb_build_object('path', at_fault, 'rule', broken, 'params', jsonb_build_object('value',
        case at_fault when 'mac' then new.mac else new.address end));
  end if;
  return new;
end $$;
revoke execute on function weft.guard_dhcp_reservation() from public;
create trigger dhcp_reservation_place_insert before insert on weft.dhcp_reservation
  for each row execute function weft.guard_dhcp_reservation();
create trigger dhcp_reservation_place_update before update on weft.dhcp_reservation
  for each row when (old.address <> new.address or old.mac <> new.mac or old.node_id <> new.node_id)
  execute function weft.guard_dhcp_reservation();
