-- An address that tunnels call belongs to one device: another one that has it itself, on a WAN link or a LAN, answers its own
-- packets, and its tunnels to there never come up.

-- Where others call the WAN links of some nodes, with the first port: at the public address, the configured one, or what the
-- device reported of DHCP (delivery/links: callable, lineAddress).
create function weft.called_addresses(those bigint[])
  returns table (line_id bigint, node_id bigint, address text, port integer)
  language sql stable set search_path = weft, pg_temp
  begin atomic
    select found.id, found.node_id, found.address, found.port from (
      select l.id, l.node_id, coalesce(l.public_port, 51820) as port,
        coalesce(l.public_ip, case l.addressing when 'static' then split_part(l.ip, '/', 1) else (
          select split_part(one ->> 'address', '/', 1) from weft.node_status s
            cross join lateral jsonb_array_elements(s.lines) one
            where s.node_id = l.node_id and one ->> 'interfaceName' = l.interface_name
              and one ->> 'address' is not null limit 1) end) as address
      from weft.line l join weft.node n on n.id = l.node_id
      where l.node_id = any (those) and (l.reachable or (n.kind = 'pop' and l.addressing = 'static'))
    ) found where found.address is not null;
  end;
revoke execute on function weft.called_addresses(bigint[]) from public;

-- Addresses that the kernel of some nodes takes for its own, with the field that says so: those of WAN links and LANs, and the
-- ends of a LAN, which are for all. IPv4: no tunnel is called at another.
create function weft.own_addresses(those bigint[])
  returns table (row_id bigint, node_id bigint, field text, address text)
  language sql stable set search_path = weft, pg_temp
  begin atomic
    select l.id, l.node_id, 'ip', split_part(l.ip, '/', 1) from weft.line l
      where l.node_id = any (those) and l.addressing = 'static' and l.ip is not null
    union
    select s.id, s.node_id, 'network', host(one)
      from weft.lan_section s
      cross join lateral unnest(case when masklen(s.network::inet) > 30 then array[s.network::inet]
        else array[s.network::inet, network(s.network::inet)::inet, broadcast(s.network::inet)] end) one
      where s.node_id = any (those) and s.network is not null
    union
    select s.id, s.node_id, 'ownAddress', s.own_address from weft.lan_section s
      where s.node_id = any (those) and s.own_address is not null;
  end;
revoke execute on function weft.own_addresses(bigint[]) from public;

-- Behind one public address a device takes as many ports as its tunnels may have, from the first one upwards: links get them
-- in order from 51820 on. Two devices whose first ports are nearer to each other than that are sent each other's tunnels.
create function weft.ports_of_tunnels() returns integer
  language sql immutable parallel safe
  return 65535 - 51820 + 1;
revoke execute on function weft.ports_of_tunnels() from public;

-- Refuses written rows by which one member of a space has an address that tunnels call another one at. POPs of the enterprise
-- and of those above it count before a site is in a space of theirs, by addresses that are the same everywhere.
create function weft.require_called_apart(nodes bigint[], lines bigint[], sections bigint[], joined boolean)
returns void
language plpgsql security definer set search_path = weft, pg_temp as $$
declare
  spaces bigint[];
  members bigint[];
  found_one jsonb;
begin
  if not joined then
    perform from node where id = any (nodes) order by id for no key update;
  end if;
  select coalesce(array_agg(distinct m.space_id), '{}') into spaces from space_member m where m.node_id = any (nodes);
  perform from net_space where id = any (spaces) order by id for no key update;
  select coalesce(array_agg(distinct m.node_id), '{}') || nodes into members
    from space_member m where m.space_id = any (spaces);

  with recursive above as (
    select distinct n.enterprise_id as id from node n where n.id = any (nodes) and n.kind = 'cpe'
    union
    select e.parent_id from enterprise e join above a on e.id = a.id where e.parent_id is not null
  ), known as (
    select array(select n.id from node n where n.kind = 'pop' and n.enterprise_id in (select id from above)) as pops
  ), called as materialized (
    select c.* from called_addresses(members || (select pops from known)) c
  ), own as materialized (
    -- Of the others only if one of these is called.
    select o.* from own_addresses(case
        when exists (select from called c where c.node_id = any (nodes)) then members else nodes end) o
  ), pair as (
    -- A device that has what another one is called at.
    select o.node_id as own_node, o.row_id as own_row, o.field, o.address, c.node_id as called_node, c.line_id
    from own o join called c on c.address = o.address and c.node_id <> o.node_id
    union all
    -- Two that are called at the same address and at ports that meet.
    select c.node_id, c.line_id, case when l.public_port is null then 'publicIp' else 'publicPort' end, c.address,
      d.node_id, d.line_id
    from called c
      join called d on d.address = c.address and d.node_id <> c.node_id
        and abs(d.port - c.port) < weft.ports_of_tunnels()
      join line l on l.id = c.line_id and l.public_ip is not null
  ), broken as (
    select p.*, p.own_row = any (case when p.field in ('ip', 'publicIp', 'publicPort') then lines else sections end) as is_mine,
      exists (select from space_member a join space_member b using (space_id)
        where a.node_id = p.own_node and b.node_id = p.called_node) as is_near
    from pair p
    where p.own_node = any (nodes) or p.called_node = any (nodes)
  )
  select jsonb_build_object(
      'path', case when joined then 'cpeIds' when b.is_mine then b.field
        when l.public_ip is not null then 'publicIp' else 'ip' end,
      'rule', case when joined then 'memberAddress' when not b.is_mine then 'addressOfSite'
        when b.field in ('publicIp', 'publicPort') then 'portsOfAddress' else 'endpointAddress' end,
      'params', jsonb_build_object('value', b.address, 'site', weft.seen_name(b.own_node, b.is_near),
        'other', weft.seen_name(case when joined or b.is_mine then b.called_node else b.own_node end, b.is_near),
        'ports', coalesce(l.public_port, 51820) || '-' || coalesce(l.public_port, 51820) + weft.ports_of_tunnels() - 1,
        'count', weft.ports_of_tunnels()))
    into found_one
  from broken b join line l on l.id = b.line_id
  where (joined or b.is_mine or b.line_id = any (lines))
    and (b.is_near or (not joined and b.is_mine and b.called_node = any ((select pops from known)::bigint[])
      and not b.address::inet <<= any (array[
        '10.0.0.0/8', '100.64.0.0/10', '169.254.0.0/16', '172.16.0.0/12', '192.168.0.0/16']::inet[])))
  order by b.is_mine desc, b.own_node, b.called_node, b.address limit 1;
  if found_one is not null then
    raise exception 'address of two devices: %', found_one
      using errcode = 'exclusion_violation', constraint = 'broken_rule', detail = found_one::text;
  end if;
end $$;
revoke execute on function weft.require_called_apart(bigint[], bigint[], bigint[], boolean) from public;

-- Writes of WAN links and of LANs alike. Arguments: the columns that say where a device is.
create function weft.guard_called_rows() returns trigger
language plpgsql security definer set search_path = weft, pg_temp as $$
declare
  nodes bigint[];
  ids bigint[];
begin
  if tg_op = 'INSERT' then
    select array_agg(distinct node_id), array_agg(id) into nodes, ids from written;
  else
    select array_agg(distinct w.node_id), array_agg(w.id) into nodes, ids
    from written w join replaced r on r.id = w.id
    where exists (select from unnest(tg_argv) field where to_jsonb(w) -> field is distinct from to_jsonb(r) -> field);
  end if;
  if nodes is null then
    return null;
  elsif tg_table_name = 'line' then
    perform require_called_apart(nodes, ids, '{}', false);
  else
    perform require_called_apart(nodes, '{}', ids, false);
  end if;
  return null;
end $$;
revoke execute on function weft.guard_called_rows() from public;
create trigger called_insert after insert on weft.line
  referencing new table as written for each statement execute function weft.guard_called_rows();
create trigger called_update after update on weft.line
  referencing old table as replaced new table as written for each statement
  execute function weft.guard_called_rows('addressing', 'ip', 'public_ip', 'public_port', 'reachable');
create trigger called_insert after insert on weft.lan_section
  referencing new table as written for each statement execute function weft.guard_called_rows();
create trigger called_update after update on weft.lan_section
  referencing old table as replaced new table as written for each statement
  execute function weft.guard_called_rows('network', 'own_address');

create function weft.guard_called_members() returns trigger
language plpgsql security definer set search_path = weft, pg_temp as $$
begin
  perform require_called_apart(array(select distinct node_id from written), '{}', '{}', true);
  return null;
end $$;
revoke execute on function weft.guard_called_members() from public;
create trigger called_insert after insert on weft.space_member
  referencing new table as written for each statement execute function weft.guard_called_members();

-- For warnings: where the others of a node's spaces are called, and which networks of theirs contain an address that this
-- one is called at. With the owner's rights, as a site that the caller does not see is worth the same warning.
create function weft.called_beside(those bigint[]) returns table (node_id bigint, address text)
  language sql stable security definer set search_path = weft, pg_temp
  begin atomic
    select c.node_id, c.address from weft.called_addresses(array(
      select b.node_id from weft.space_member a join weft.space_member b using (space_id)
      where a.node_id = any (those) and b.node_id <> all (those))) c;
  end;
revoke execute on function weft.called_beside(bigint[]) from public;
grant execute on function weft.called_beside(bigint[]) to weft_api, weft_api_all;

-- POPs that become members, of whomever they are: a change of their WAN links waits for it, and it for those. Before the
-- space is locked, as who changes a WAN link locks its node first.
create function weft.hold_pops(those bigint[]) returns void
language plpgsql security definer set search_path = weft, pg_temp as $$
begin
  perform from node where id = any (those) and kind = 'pop' order by id for share;
end $$;
revoke execute on function weft.hold_pops(bigint[]) from public;
grant execute on function weft.hold_pops(bigint[]) to weft_api, weft_api_all;
