-- Which CPEs an entry of the blacklist is in force at, in one place: those that it names, or all of its enterprise when it
-- names none. With the rights of its reader: row security of the three tables decides what is seen of it. A union
-- without duplicates to remove, so that conditions on either column are looked up by the indexes of both parts; who
-- joins it with a list of entries gives the list as such a condition too, or every entry of the scope is multiplied out.
-- Two statements do not use it. acl_load sums entries without a choice once for an enterprise instead of once for each
-- of its CPEs. The counts of readable rows are about rows, so that a hidden one is missed whatever it reaches.
create view weft.blacklist_target with (security_invoker) as
  select x.owner_id as entry_id, x.node_id
    from weft.blacklist_node x join weft.node n on n.id = x.node_id
    where n.kind = 'cpe'
  union all
  select b.id, n.id
    from weft.blacklist b join weft.node n on n.enterprise_id = b.enterprise_id
    where n.kind = 'cpe' and not exists (select from weft.blacklist_node x where x.owner_id = b.id);

-- Of some objects, by family and id ("xaclrules 7"), those that the node of this transaction carries out: a device
-- counts hits of its own rules only. A family of policy objects whose rules are counted has a part here.
create or replace function weft.own_objects(asked text[]) returns setof text
  language sql stable security definer set search_path = weft, pg_temp
  begin atomic
    with wanted as materialized (
      select split_part(name, ' ', 1) as family, split_part(name, ' ', 2)::bigint as id
      from unnest(asked) as name where name ~ '^[A-Za-z]+ [0-9]{1,18}$'
    ), own as (
      select n.id, n.enterprise_id, t.template_id
      from weft.node n left join weft.router_template_node t on t.node_id = n.id
      where n.id = weft.node_id()
    )
    select w.family || ' ' || w.id from wanted w join own on true
    where case w.family
      when 'xaclrules' then exists (
        select from weft.acl_rule a where a.id = w.id and a.node_id = own.id)
      when 'blacklist' then exists (
        select from weft.blacklist_target t where t.entry_id = w.id and t.node_id = own.id)
      when 'routerConnlimit' then exists (
        select from weft.router_connlimit c where c.id = w.id
          and (c.node_id = own.id or c.template_id = own.template_id))
      when 'routerPortmapping' then exists (
        select from weft.router_port_mapping p where p.id = w.id
          and (p.node_id = own.id or p.template_id = own.template_id))
      when 'routerPolicyroute' then exists (
        select from weft.router_policy_route r where r.id = w.id
          and (r.node_id = own.id or r.template_id = own.template_id))
      when 'routerBwpolicy' then exists (
        select from weft.router_bw_policy b where b.id = w.id
          and (b.node_id = own.id or b.template_id = own.template_id))
      when 'routerDnscontrol' then exists (
        select from weft.router_dns_control d where d.id = w.id
          and (d.node_id = own.id or d.template_id = own.template_id))
      else false end;
  end;
