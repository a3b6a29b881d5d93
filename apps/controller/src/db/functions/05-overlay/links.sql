-- Which links devices say went up or down just now: an element for each link of each device, no link twice of one device.
-- The metrics of one that fell are over. Of an end that does not probe only a fall counts: the other end may have lost its way
-- here by that same fall; a link of which both ends report is written once then, as down if one of them says so.
-- Returns the nodes that named a link of other nodes: nothing of what they sent is written.
create function weft.keep_transitions(nodes bigint[], links bigint[], ups boolean[]) returns setof bigint
  language plpgsql volatile security definer set search_path = weft, pg_temp
  as $$
declare
  refused bigint[] := array(
    select distinct m.node from unnest(nodes, links) as m (node, id) join link l on l.id = m.id
    where m.node is distinct from l.a_node_id and m.node is distinct from l.b_node_id);
begin
  insert into link_status as s (link_id, enterprise_id, up)
  select l.id, l.enterprise_id, bool_and(m.up)
  from unnest(nodes, links, ups) as m (node, id, up)
    join link l on l.id = m.id and (l.a_node_id = m.node or (l.b_node_id = m.node and not m.up))
  -- Of the nodes of this transaction only: the function sees the rows of all.
  where m.node <> all (refused) and m.node = any ((select weft.node_ids())::bigint[])
  group by l.id
  -- In one order for all writers, so that no two wait for each other.
  order by l.id
  on conflict (link_id) do update set up = excluded.up, at = now(),
    rtt_ms = case when excluded.up then s.rtt_ms end,
    jitter_ms = case when excluded.up then s.jitter_ms end,
    loss_percent = case when excluded.up then s.loss_percent else 100 end,
    in_rate = case when excluded.up then s.in_rate else 0 end,
    out_rate = case when excluded.up then s.out_rate else 0 end,
    changed_at = case when s.up = excluded.up then s.changed_at else now() end;
  return query select unnest(refused);
end
  $$;
revoke execute on function weft.keep_transitions(bigint[], bigint[], boolean[]) from public;
grant execute on function weft.keep_transitions(bigint[], bigint[], boolean[]) to weft_gateway;

-- Has the links of spaces settled once more: numbers that they wait for became free.
create function weft.settle_again(spaces bigint[]) returns void
  language sql volatile security definer set search_path = weft, pg_temp
  begin atomic
    insert into weft.change (enterprise_id, space_ids, cause, created_by)
    select s.enterprise_id, array[s.id], 'system: links', 0 from weft.net_space s where s.id = any (spaces);
  end;
revoke execute on function weft.settle_again(bigint[]) from public;
grant execute on function weft.settle_again(bigint[]) to weft_worker;

-- Links that go, also with their space, give ports back: other spaces that wait for one are settled again.
create function weft.release_ports() returns trigger
language plpgsql security definer set search_path = weft, pg_temp as $$
begin
  perform settle_again(array(
    select distinct f.space_id from node_finding f
    where f.reason = 'noPort' and f.space_id not in (select space_id from gone)
      and f.node_id in (select a_node_id from gone union select b_node_id from gone)));
  return null;
end $$;
revoke execute on function weft.release_ports() from public;
create trigger release_ports after delete on weft.link
  referencing old table as gone for each statement execute function weft.release_ports();

-- Addresses by which tunnels and the management path travel: those of the lines of the nodes, of the members of their
-- spaces and of the spaces (static ones, those that devices reported of DHCP, and public ones), and the addresses of the
-- controllers as devices know them (node_id null). With the owner's rights: a network that contains the address of a
-- site that the caller does not see is worth the same warning.
create function weft.tunnel_ends(those bigint[], spaces bigint[])
  returns table (node_id bigint, address text)
  language sql stable security definer set search_path = weft, pg_temp
  begin atomic
    with member as (
      select unnest(those) as node_id
      union
      select m.node_id from weft.space_member m where m.space_id = any (spaces) or m.space_id in (
        select own.space_id from weft.space_member own where own.node_id = any (those))
    )
    select l.node_id, one.address from weft.line l
      cross join lateral (values
        (case when l.addressing = 'static' then split_part(l.ip, '/', 1) end), (l.public_ip)) one (address)
      where l.node_id in (select m.node_id from member m) and one.address is not null
    union
    select l.node_id, split_part(one ->> 'address', '/', 1) from weft.line l
      join weft.node_status s on s.node_id = l.node_id
      cross join lateral jsonb_array_elements(s.lines) one
      where l.node_id in (select m.node_id from member m) and l.addressing = 'dhcp'
        and one ->> 'interfaceName' = l.interface_name and one ->> 'address' is not null
    union
    select null::bigint, a from weft.installation i cross join lateral unnest(i.edge_addresses) a;
  end;
revoke execute on function weft.tunnel_ends(bigint[], bigint[]) from public;
grant execute on function weft.tunnel_ends(bigint[], bigint[]) to weft_api, weft_api_all;
