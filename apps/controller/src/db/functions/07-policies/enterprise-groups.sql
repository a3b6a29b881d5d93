-- IP and URL groups of enterprises act: what the states of their nodes are made of.

-- Groups of the enterprises that these nodes are of, as groups of the nodes' own families: their own ones, and of those that
-- enterprises above share the nearest of a name. With the owner's rights: enterprises above are outside of the scope.
create function weft.enterprise_groups_of(nodes bigint[])
  returns table (enterprise_id bigint, family text, name text, members text[])
  language sql stable security definer set search_path = weft, pg_temp
  begin atomic
    with recursive above as (
      select distinct n.enterprise_id, n.enterprise_id as at, 0 as distance from weft.node n where n.id = any (nodes)
      union all
      select a.enterprise_id, e.parent_id, a.distance + 1
        from above a join weft.enterprise e on e.id = a.at where e.parent_id is not null
    )
    (select distinct on (a.enterprise_id, g.name) a.enterprise_id, 'routerIpgroup', g.name, g.members
      from above a join weft.enterprise_ipgroup g on g.enterprise_id = a.at and (a.distance = 0 or g.share)
      order by a.enterprise_id, g.name, a.distance)
    union all
    select a.enterprise_id, 'routerUrlgroup', g.name, g.members
      from above a join weft.enterprise_urlgroup g on g.enterprise_id = a.at where a.distance = 0;
  end;
revoke execute on function weft.enterprise_groups_of(bigint[]) from public;
grant execute on function weft.enterprise_groups_of(bigint[]) to weft_worker;

-- Nodes whose states an enterprise's group of this name is part of: those that have a group of that name, or follow a version
-- of a template that has one. Templates are kept whole, under the names of their tables.
create function weft.enterprise_group_nodes(of_enterprise bigint, group_table text, group_name text, is_shared boolean)
  returns table (enterprise_id bigint, node_ids bigint[])
  language sql stable security definer set search_path = weft, pg_temp
  begin atomic
    with enterprise as materialized (
      select unnest(case when is_shared then weft.subtree(array[of_enterprise]) else array[of_enterprise] end) as id
    ), named as (
      select g.node_id from weft.router_ip_group g
        where group_table = 'router_ip_group' and g.name = group_name and g.node_id is not null
      union
      select g.node_id from weft.router_url_group g
        where group_table = 'router_url_group' and g.name = group_name and g.node_id is not null
      union
      select m.node_id from weft.router_template_node m
        join weft.router_template_version v on v.template_id = m.template_id and v.version = m.version
        where v.content -> group_table @> jsonb_build_array(jsonb_build_object('name', group_name))
    )
    select n.enterprise_id, array_agg(n.id order by n.id) from weft.node n
      join enterprise e on e.id = n.enterprise_id join named g on g.node_id = n.id
      group by n.enterprise_id;
  end;
revoke execute on function weft.enterprise_group_nodes(bigint, text, text, boolean) from public;
grant execute on function weft.enterprise_group_nodes(bigint, text, text, boolean) to weft_api, weft_api_all;

-- An enterprise that moves in the tree has others above it that share groups.
create function weft.compile_nodes_of_moved_enterprise() returns trigger
language plpgsql security definer set search_path = weft, pg_temp as $$
begin
  insert into change (enterprise_id, node_ids, cause, created_by)
    select n.enterprise_id, array_agg(n.id order by n.id), 'enterprise.edit',
      coalesce(nullif(current_setting('weft.user_id', true), '')::bigint, 0)
    from node n where n.enterprise_id = any (subtree(array[new.id])) and (
      exists (select from router_ip_group g where g.node_id = n.id)
      or exists (select from router_template_node m where m.node_id = n.id and m.version is not null))
    group by n.enterprise_id;
  return null;
end $$;
revoke execute on function weft.compile_nodes_of_moved_enterprise() from public;
create trigger compile_nodes_of_moved_enterprise after update of parent_id on weft.enterprise
  for each row when (old.parent_id is distinct from new.parent_id)
  execute function weft.compile_nodes_of_moved_enterprise();
