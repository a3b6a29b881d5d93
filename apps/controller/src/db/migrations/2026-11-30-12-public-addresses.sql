-- Where others call a WAN link that is behind a NAT which leads every port on unchanged; null: at its own address.
alter table weft.line add column public_ip text;

-- As before, with public addresses.
create or replace function weft.tunnel_ends(those bigint[], spaces bigint[])
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
