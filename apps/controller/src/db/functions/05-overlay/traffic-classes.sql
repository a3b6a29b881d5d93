-- Spaces whose enterprise has its traffic in classes. With the owner's rights: a POP serves spaces of many.
create function weft.classes_in(spaces bigint[]) returns table (space_id bigint, draft jsonb)
  language sql stable security definer set search_path = weft, pg_temp
  begin atomic
    select s.id, to_jsonb(c) from weft.net_space s join weft.traffic_class c on c.enterprise_id = s.enterprise_id
    where s.id = any (spaces) and c.enabled order by s.id;
  end;
revoke execute on function weft.classes_in(bigint[]) from public;
grant execute on function weft.classes_in(bigint[]) to weft_worker;

-- Devices of an enterprise's spaces, as the enterprise calls them, with what they reported of the capability.
create function weft.class_nodes(enterprise bigint) returns table (
    id bigint, kind text, name text, reported boolean, capability jsonb)
  language sql stable security definer set search_path = weft, pg_temp
  begin atomic
    select n.id, n.kind, weft.name_for(enterprise, n.id), coalesce(jsonb_array_length(t.capabilities), 0) > 0,
      (select one from jsonb_array_elements(t.capabilities) one where one ->> 'name' = 'path.classes' limit 1)
    from weft.node n left join weft.node_status t on t.node_id = n.id
    where n.id in (select m.node_id from weft.space_member m
      join weft.net_space s on s.id = m.space_id where s.enterprise_id = enterprise);
  end;
revoke execute on function weft.class_nodes(bigint) from public;
grant execute on function weft.class_nodes(bigint) to weft_api, weft_api_all;
