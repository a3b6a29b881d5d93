-- Of some objects, by family and id ("xaclrules 7"), those that the node of this transaction carries out: a device
-- counts hits of its own rules only. A family of policy objects whose rules are counted has a part here.
create function weft.own_objects(asked text[]) returns setof text
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
      when 'saasGroup' then exists (
        select from weft.saas_group g where g.id = w.id and g.enterprise_id = own.enterprise_id)
      when 'xwanSpeed' then exists (
        select from weft.xwan_speed s where s.id = w.id and s.enterprise_id = own.enterprise_id)
      else false end;
  end;
revoke execute on function weft.own_objects(text[]) from public;
grant execute on function weft.own_objects(text[]) to weft_gateway;
