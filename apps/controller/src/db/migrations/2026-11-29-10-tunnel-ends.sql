-- Addresses by which tunnels and the management path travel: those of the lines of the nodes, of the members of their
-- spaces and of the spaces, static ones and those that devices reported of DHCP, and the addresses of the controllers as
-- devices know them (node_id null). With the owner's rights: a network that contains the address of a
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
    select l.node_id, split_part(l.ip, '/', 1) from weft.line l
      where l.node_id in (select m.node_id from member m) and l.addressing = 'static' and l.ip is not null
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
