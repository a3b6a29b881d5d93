-- Closed user groups that decide what the LANs of a site reach: with the owner's rights, because a group of an agent is
-- about CPEs of its customers, and one that could not be read would leave the site open. `members` are the other CPEs of
-- the group that are in the site's space and take part.
create function weft.groups_of(nodes bigint[])
  returns table (node_id bigint, id bigint, name text, rate bigint, takes_part boolean, own_rate bigint,
    members bigint[])
  language sql stable security definer set search_path = weft, pg_temp
  begin atomic
    select y.node_id, g.id, g.name, g.bandwidth_bps, coalesce(c.cug_enabled, true), c.cug_bps,
      array(
        select x.node_id from weft.cug_node x
        join weft.space_member m on m.node_id = x.node_id and m.kind = 'cpe'
        left join weft.node_config f on f.node_id = x.node_id
        where x.owner_id = g.id and x.node_id <> y.node_id and coalesce(f.cug_enabled, true)
          and m.space_id in (select own.space_id from weft.space_member own where own.node_id = y.node_id)
        order by x.node_id)
    from weft.cug_node y
    join weft.cug g on g.id = y.owner_id and g.enabled
    left join weft.node_config c on c.node_id = y.node_id
    where y.node_id = any (nodes)
    order by y.node_id, g.id;
  end;
revoke execute on function weft.groups_of(bigint[]) from public;
grant execute on function weft.groups_of(bigint[]) to weft_worker;
