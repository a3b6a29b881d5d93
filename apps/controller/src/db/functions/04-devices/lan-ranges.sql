-- Hosts of a LAN section get addresses of its network that are nobody's (contract rules/dhcp-range.ts): not the gateway's, a device's
-- or the ends of the network. Two devices of a standby group share a section by the same gateway, each with an address of its own.
create function weft.guard_lan_range() returns trigger
language plpgsql security definer set search_path = weft, pg_temp as $$
declare
  pair bigint[] := standby_pair(new.node_id);
  lan inet := new.network::inet;
  inside inet;
  broken text;
  at_fault text := 'dhcpStart';
  named text;
begin
  -- Of writes of one moment, each valid alone, one is admitted.
  perform from node where id = any (pair) order by id for no key update;
  if new.dhcp_start is not null then
    select one.address into inside
      from (
        select host(lan)::inet as address
        union all select host(network(lan))::inet
        union all select host(broadcast(lan))::inet
        union all select new.own_address::inet
        union all select s.own_address::inet from lan_section s
          where s.node_id = any (pair) and s.node_id <> new.node_id and s.network = new.network) one
      where one.address between new.dhcp_start::inet and new.dhcp_end::inet
      limit 1;
    if not new.dhcp_start::inet <<= network(lan) then
      broken := 'outsideSection';
      named := new.dhcp_start;
    elsif not new.dhcp_end::inet <<= network(lan) then
      broken := 'outsideSection';
      at_fault := 'dhcpEnd';
      named := new.dhcp_end;
    elsif new.dhcp_end::inet < new.dhcp_start::inet then
      broken := 'order';
      at_fault := 'dhcpEnd';
      named := new.dhcp_end;
    elsif inside is not null then
      broken := 'rangeHas';
      named := host(inside);
    end if;
  end if;
  -- The other device of the group may not give hosts what is this one's.
  if broken is null and exists (select from lan_section s
    where s.node_id = any (pair) and s.node_id <> new.node_id and s.network = new.network
      and new.own_address::inet between s.dhcp_start::inet and s.dhcp_end::inet) then
    broken := 'taken';
    at_fault := 'ownAddress';
    named := new.own_address;
  end if;
  if broken is not null then
    raise exception '% cannot be given to hosts', named using errcode = 'check_violation', constraint = 'broken_rule',
      detail = jsonb_build_object('path', at_fault, 'rule', broken, 'params', jsonb_build_object('value', named));
  end if;
  return new;
end $$;
revoke execute on function weft.guard_lan_range() from public;
create trigger lan_range_insert before insert on weft.lan_section
  for each row when (new.dhcp_start is not null or new.own_address is not null)
  execute function weft.guard_lan_range();
create trigger lan_range_update before update on weft.lan_section
  for each row when ((new.dhcp_start is not null or new.own_address is not null)
    and row(old.node_id, old.network, old.own_address, old.dhcp_start, old.dhcp_end)
      is distinct from row(new.node_id, new.network, new.own_address, new.dhcp_start, new.dhcp_end))
  execute function weft.guard_lan_range();
