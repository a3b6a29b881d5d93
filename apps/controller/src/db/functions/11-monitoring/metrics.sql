-- What nodes may send metrics of: links that they probe and interfaces that they are configured with; and which of the asked
-- links end at other nodes. The links are asked for by pairs, an element of both arrays for each.
create function weft.own_metrics(nodes bigint[], asked_by bigint[], asked bigint[])
  returns table (node_id bigint, links bigint[], interfaces text[], foreign_links bigint[])
  language sql stable security definer set search_path = weft, pg_temp
  begin atomic
    select n.id,
      array (select l.id from weft.link l where l.a_node_id = n.id),
      array (
        select i.interface_name from weft.line i where i.node_id = n.id
        union
        select s.interface_name from weft.lan_section s where s.node_id = n.id),
      array (
        select l.id from unnest(asked_by, asked) as a (node_id, link_id) join weft.link l on l.id = a.link_id
        where a.node_id = n.id and n.id is distinct from l.a_node_id and n.id is distinct from l.b_node_id)
    from unnest(nodes) as n (id);
  end;
revoke execute on function weft.own_metrics(bigint[], bigint[], bigint[]) from public;
grant execute on function weft.own_metrics(bigint[], bigint[], bigint[]) to weft_gateway;
