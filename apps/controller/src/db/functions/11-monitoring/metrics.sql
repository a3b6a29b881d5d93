-- What the node of this transaction may send metrics of: links that it probes and interfaces that
-- it is configured with; and which of the asked links end at other nodes.
create function weft.own_metrics(asked bigint[])
  returns table (links bigint[], interfaces text[], foreign_links bigint[])
  language sql stable security definer set search_path = weft, pg_temp
  begin atomic
    select
      array (select l.id from weft.link l where l.a_node_id = weft.node_id()),
      array (
        select i.interface_name from weft.line i where i.node_id = weft.node_id()
        union
        select s.interface_name from weft.lan_section s where s.node_id = weft.node_id()),
      array (
        select l.id from weft.link l where l.id = any (asked)
          and weft.node_id() is distinct from l.a_node_id
          and weft.node_id() is distinct from l.b_node_id);
  end;
revoke execute on function weft.own_metrics(bigint[]) from public;
grant execute on function weft.own_metrics(bigint[]) to weft_gateway;
