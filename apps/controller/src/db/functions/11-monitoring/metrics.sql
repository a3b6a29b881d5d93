-- What nodes may send metrics of: links that they probe and interfaces that they are configured with; and which of the asked
-- links end at other nodes. The links are asked for by pairs, an element of both arrays for each. A node of which there is
-- nothing has no row. Nodes and pairs are walked through once each, however many ask: no part of it is asked for each node.
create function weft.own_metrics(nodes bigint[], asked_by bigint[], asked bigint[])
  returns table (node_id bigint, links bigint[], interfaces text[], foreign_links bigint[])
  language sql stable security definer set search_path = weft, pg_temp
  begin atomic
    select o.node_id,
      coalesce(array_agg(o.link_id) filter (where o.link_id is not null), '{}'),
      coalesce(array_agg(o.interface_name) filter (where o.interface_name is not null), '{}'),
      coalesce(array_agg(o.foreign_id) filter (where o.foreign_id is not null), '{}')
    from (
      select l.a_node_id as node_id, l.id as link_id, null::text as interface_name, null::bigint as foreign_id
        from unnest(nodes) as n (id) join weft.link l on l.a_node_id = n.id
      union all
      select i.node_id, null, i.interface_name, null
        from unnest(nodes) as n (id) join weft.line i on i.node_id = n.id
      union all
      select s.node_id, null, s.interface_name, null
        from unnest(nodes) as n (id) join weft.lan_section s on s.node_id = n.id
      union all
      select a.node_id, null, null, l.id
        from unnest(asked_by, asked) as a (node_id, link_id) join weft.link l on l.id = a.link_id
        where a.node_id is distinct from l.a_node_id and a.node_id is distinct from l.b_node_id) o
    group by o.node_id;
  end;
revoke execute on function weft.own_metrics(bigint[], bigint[], bigint[]) from public;
grant execute on function weft.own_metrics(bigint[], bigint[], bigint[]) to weft_gateway;
