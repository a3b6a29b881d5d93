-- As before; a LAN that both devices of a standby group have is one network of one site.
create or replace function weft.require_networks_apart(nodes bigint[], spaces bigint[]) returns void
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
  ), member as (
    select distinct m.space_id, p.site, section.network
    from space_member m join section using (node_id)
      join standby_sites(array(
        select one.node_id from space_member one where one.space_id = any (all_spaces))) p using (node_id)
      where m.space_id = any (all_spaces) and section.enable_forward
  ), seen as (
    -- Of a node, whether the space sees it or not.
    select -node_id as place, network from section where node_id = any (nodes)
    union all
    select space_id, network from member
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
