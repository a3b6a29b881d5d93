-- Behind one public address a device takes as many ports as its tunnels may have, from the first one upwards: links get them
-- in order from 51820 on. Two devices whose first ports are nearer to each other than that are sent each other's tunnels.
create function weft.ports_of_tunnels() returns integer
  language sql immutable parallel safe
  return 65535 - 51820 + 1;

-- What a refusal calls a device: by name if the caller sees it, as all members of a space see its POPs.
create function weft.seen_name(node bigint, is_near boolean) returns text
  language sql stable security definer set search_path = weft, pg_temp
  begin atomic
    select case
        when (weft.scope_enterprises() = '{}' or n.enterprise_id = any (weft.scope_enterprises()))
          and (not weft.own_only() or n.created_by = weft.user_id()) then n.name
        when n.kind = 'pop' and (is_near or exists (select from weft.share s
          where s.kind = 'pop' and s.row_id = n.id and s.enterprise_id = any (weft.scope_enterprises()))) then n.name
        else '#' || n.id end
    from weft.node n where n.id = node;
  end;
revoke execute on function weft.ports_of_tunnels(), weft.seen_name(bigint, boolean) from public;

-- Refuses written rows by which one member of a space has an address that tunnels call another one at. POPs of the enterprise
-- and of those above it count before a site is in a space of theirs, by addresses that are the same everywhere.
create or replace function weft.require_called_apart(nodes bigint[], lines bigint[], sections bigint[], joined boolean)
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

drop trigger called_insert on weft.line;
drop trigger called_update on weft.line;
drop trigger called_insert on weft.lan_section;
drop trigger called_update on weft.lan_section;
drop function weft.guard_called_lines();
drop function weft.guard_called_sections();
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
