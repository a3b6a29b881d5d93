-- Networks that share a routing table never overlap, whatever is written at once. The controller
-- says so at the field; of two who write at the same moment, both allowed, this lets one through.

-- Whoever writes networks of a node or a space waits for the one before, and then sees what that
-- one wrote: each statement of a volatile function has a snapshot of its own. Sorted, a network is
-- followed by what lies in it, so that neighbours tell of every overlap.
create function weft.require_networks_apart(nodes bigint[], spaces bigint[]) returns void
language plpgsql security definer set search_path = weft, pg_temp as $$
declare
  all_spaces bigint[];
  clash inet;
begin
  perform from node where id = any (nodes) order by id for no key update;
  select spaces || coalesce(array_agg(m.space_id), '{}') into all_spaces
    from space_member m where m.node_id = any (nodes) and m.kind = 'cpe';
  perform from net_space where id = any (all_spaces) order by id for no key update;
  with section as (
    select s.node_id, s.enable_forward, network(one.network::inet) as network
    from lan_section s cross join lateral unnest(array[s.network, s.network6]) as one(network)
    where one.network is not null
  ), seen as (
    -- Of a node, whether the space sees it or not.
    select -node_id as place, network from section where node_id = any (nodes)
    union all
    select m.space_id, section.network from space_member m join section using (node_id)
      where m.space_id = any (all_spaces) and section.enable_forward
    union all
    select c.space_id, network(c.pool) from client_service c
      where c.space_id = any (all_spaces) and c.pool is not null
  )
  select next into clash from (
    select network, lead(network) over (partition by place order by network) as next from seen
  ) neighbours where network >>= next limit 1;
  if found then
    raise exception 'network % overlaps another', clash
      using errcode = 'exclusion_violation', constraint = 'networks_apart';
  end if;
end $$;

create function weft.guard_networks() returns trigger
language plpgsql security definer set search_path = weft, pg_temp as $$
begin
  case tg_table_name
    when 'lan_section' then
      perform require_networks_apart(array(select distinct node_id from written), '{}');
    when 'space_member' then
      perform require_networks_apart(array(select node_id from written where kind = 'cpe'), '{}');
    when 'client_service' then
      perform require_networks_apart('{}', array(select space_id from written where pool is not null));
  end case;
  return null;
end $$;

create trigger networks_apart_insert after insert on weft.lan_section
  referencing new table as written for each statement execute function weft.guard_networks();
create trigger networks_apart_update after update on weft.lan_section
  referencing new table as written for each statement execute function weft.guard_networks();
create trigger networks_apart_insert after insert on weft.space_member
  referencing new table as written for each statement execute function weft.guard_networks();
create trigger networks_apart_insert after insert on weft.client_service
  referencing new table as written for each statement execute function weft.guard_networks();
create trigger networks_apart_update after update on weft.client_service
  referencing new table as written for each statement execute function weft.guard_networks();

-- A tag stands for one network of a port.
create unique index lan_section_vlan on weft.lan_section (node_id, interface_name, vlan)
  where vlan > 0;
create unique index router_interface_line_vlan
  on weft.router_interface_line (enterprise_id, owner, interface_id, vlan) where vlan > 0;
