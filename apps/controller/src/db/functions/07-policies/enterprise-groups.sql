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

-- Members that a node of the enterprise takes for a group of its own or of its template of this name: of the enterprise's own
-- group, for addresses else of the nearest that an enterprise above shares; null: there is none.
create function weft.enterprise_group_members(of_enterprise bigint, group_table text, group_name text) returns text[]
  language sql stable security definer set search_path = weft, pg_temp
  begin atomic
    with recursive above as (
      select of_enterprise as at, 0 as distance
      union all
      select e.parent_id, a.distance + 1 from above a join weft.enterprise e on e.id = a.at
        where e.parent_id is not null
    )
    select g.members from (
      select g.members, a.distance from above a
        join weft.enterprise_ipgroup g on g.enterprise_id = a.at and (a.distance = 0 or g.share)
        where group_table = 'router_ip_group' and g.name = group_name
      union all
      select g.members, 0 from weft.enterprise_urlgroup g
        where group_table = 'router_url_group' and g.enterprise_id = of_enterprise and g.name = group_name
    ) g order by g.distance limit 1;
  end;
revoke execute on function weft.enterprise_group_members(bigint, text, text) from public;

-- How many members the enterprise's group of this name gives to a group of a node or of a template. Of a template: the most at
-- any of its sites, for each has those of its own enterprise; without sites those of the template's enterprise.
create function weft.enterprise_group_size(group_table text, group_name text, of_node bigint, of_template bigint)
  returns integer
  language sql stable security definer set search_path = weft, pg_temp
  begin atomic
    with enterprise as (
      select n.enterprise_id as id from weft.node n where n.id = of_node
      union
      select m.node_enterprise_id from weft.router_template_node m where m.template_id = of_template
      union
      select t.enterprise_id from weft.router_template t where t.id = of_template
        and not exists (select from weft.router_template_node m where m.template_id = t.id)
    )
    select coalesce(max(cardinality(weft.enterprise_group_members(e.id, group_table, group_name))), 0)
      from enterprise e;
  end;
revoke execute on function weft.enterprise_group_size(text, text, bigint, bigint) from public;
grant execute on function weft.enterprise_group_size(text, text, bigint, bigint) to weft_api, weft_api_all;

-- Who takes the members of a group of an enterprise: nodes, whose own group replaces that of the version that they follow,
-- and templates as they are now, if a site of theirs, or without sites their enterprise, would. One of both ids is null.
-- `of_group`: the row that the group is in now, which hides nothing from itself as it is edited; null: it is in none yet.
create function weft.enterprise_group_users(of_enterprise bigint, group_table text, group_name text, is_shared boolean,
    of_group bigint)
  returns table (node_id bigint, template_id bigint)
  language sql stable security definer set search_path = weft, pg_temp
  begin atomic
    with recursive below as (
      -- What a nearer enterprise shares hides the group from all below that one.
      select of_enterprise as id
      union all
      select e.id from below b join weft.enterprise e on e.parent_id = b.id
        where is_shared and not exists (select from weft.enterprise_ipgroup g
          where g.enterprise_id = e.id and g.name = group_name and g.share and g.id is distinct from of_group)
    ), enterprise as materialized (
      select b.id from below b where b.id = of_enterprise or not exists (select from weft.enterprise_ipgroup g
        where g.enterprise_id = b.id and g.name = group_name and g.id is distinct from of_group)
    ), named as materialized (
      select g.node_id, g.template_id,
          not exists (select from weft.router_ip_entry e where e.ipgroup_id = g.id) as takes
        from weft.router_ip_group g where group_table = 'router_ip_group' and g.name = group_name
      union all
      select g.node_id, g.template_id,
          not exists (select from weft.router_url e where e.urlgroup_id = g.id)
        from weft.router_url_group g where group_table = 'router_url_group' and g.name = group_name
    ), entries as (
      select * from (values ('router_ip_group', 'router_ip_entry', 'ipgroup_id'),
        ('router_url_group', 'router_url', 'urlgroup_id')) e (of_table, entry_table, field)
        where e.of_table = group_table
    ), published as (
      select m.node_id, not coalesce(
          v.content -> e.entry_table @> jsonb_build_array(jsonb_build_object(e.field, g.row -> 'id')), false) as takes
        from weft.router_template_node m
        join weft.router_template_version v on v.template_id = m.template_id and v.version = m.version
        cross join entries e
        cross join lateral jsonb_array_elements(v.content -> group_table) g (row)
        where v.content -> group_table @> jsonb_build_array(jsonb_build_object('name', group_name))
          and g.row ->> 'name' = group_name
    )
    select n.id, null::bigint from weft.node n join enterprise e on e.id = n.enterprise_id
      left join named own on own.node_id = n.id
      left join published p on p.node_id = n.id
      where coalesce(own.takes, p.takes)
    union all
    select null, t.id from weft.router_template t join named g on g.template_id = t.id and g.takes
      where exists (select from weft.router_template_node m join enterprise e on e.id = m.node_enterprise_id
          where m.template_id = t.id)
        or (t.enterprise_id in (select e.id from enterprise e)
          and not exists (select from weft.router_template_node m where m.template_id = t.id));
  end;
revoke execute on function weft.enterprise_group_users(bigint, text, text, boolean, bigint) from public;
grant execute on function weft.enterprise_group_users(bigint, text, text, boolean, bigint) to weft_api, weft_api_all;

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
