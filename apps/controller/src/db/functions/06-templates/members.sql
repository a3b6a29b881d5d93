-- CPEs that the rules include now. Definer: the worker has no scope that spans nodes.
create function weft.sites_to_take_in() 
  returns table (template_id bigint, enterprise_id bigint, target_enterprise_id bigint, node_id bigint)
  language sql stable security definer set search_path = weft, pg_temp
  as $$
  select t.template_id, t.enterprise_id, t.target_enterprise_id, n.id
  from router_template_target t
  join node n on n.enterprise_id = t.target_enterprise_id and n.kind = 'cpe'
  where not exists (select from router_template_node m where m.node_id = n.id)
    and not exists (select from router_template_exclusion x
      where x.template_id = t.template_id and x.node_id = n.id)
  order by t.template_id, n.id
  $$;
revoke execute on function weft.sites_to_take_in() from public;
grant execute on function weft.sites_to_take_in() to weft_worker;

-- Whether a CPE of the caller's scope is in a template, also in one above that the caller does not see.
create function weft.is_in_template(of_node bigint) returns boolean
  language sql stable security definer set search_path = weft, pg_temp
  return exists (select from router_template_node m where m.node_id = of_node);
revoke execute on function weft.is_in_template(bigint) from public;
grant execute on function weft.is_in_template(bigint) to weft_api, weft_api_all;
