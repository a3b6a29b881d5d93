-- Two CPEs of one site that stand for each other: an own address of each in the LANs that they share, and what they
-- report of it.
alter table weft.lan_section add column own_address text;
alter table weft.node_status add column standby_place text, add column standby_since timestamptz;
create trigger standby_health_turned after update on weft.node_status
  for each row when (old.standby_place is distinct from new.standby_place)
  execute function weft.health_due();

-- Nodes of the node's standby group, itself included, by id. With the owner's rights: who may see one of them
-- only must not break the other's gateway either.
create function weft.standby_pair(this bigint) returns bigint[]
  language sql stable security definer set search_path = weft, pg_temp
  begin atomic
    select coalesce(array_agg(other.id order by other.id), array[this])
      from weft.node own join weft.node other on other.enterprise_id = own.enterprise_id
        and other.hot_standby_group = own.hot_standby_group
      where own.id = this;
  end;

-- The site that a node is at: of two that stand for each other it is the first one's.
create function weft.standby_sites(those bigint[]) returns table (node_id bigint, site bigint)
  language sql stable security definer set search_path = weft, pg_temp
  begin atomic
    select own.id, coalesce(min(other.id), own.id)
      from weft.node own left join weft.node other on other.enterprise_id = own.enterprise_id
        and other.hot_standby_group = own.hot_standby_group
      where own.id = any (those) group by own.id;
  end;

-- What compile takes from the group: the node's place in it, and whether the other device can stand for it, null while
-- that one never reported. No row: the node is in no group.
create function weft.standby_of(this bigint)
  returns table (standby_group smallint, role text, priority smallint, partner bigint, partner_can boolean)
  language sql stable security definer set search_path = weft, pg_temp
  begin atomic
    select own.hot_standby_group, own.hot_standby_role, own.hot_standby_priority, other.id,
        case when jsonb_array_length(coalesce(s.capabilities, '[]')) > 0 then exists (
          select from jsonb_array_elements(s.capabilities) one
          where one ->> 'name' = 'standby' and (one ->> 'can')::boolean) end
      from weft.node own
      left join weft.node other on other.enterprise_id = own.enterprise_id
        and other.hot_standby_group = own.hot_standby_group and other.id <> own.id
      left join weft.node_status s on s.node_id = other.id
      where own.id = this and own.hot_standby_group is not null;
  end;

-- As before; two nodes that stand for each other are one site, and have the same networks.
create or replace function weft.require_no_collision(nodes bigint[], spaces bigint[], written inet[])
returns void
language plpgsql security definer set search_path = weft, pg_temp set enable_nestloop = off as $$
declare
  all_spaces bigint[];
  clash inet;
begin
  perform from node where id = any (nodes) order by id for no key update;
  select spaces || coalesce(array_agg(m.space_id), '{}') into all_spaces
    from space_member m where m.node_id = any (nodes) and m.kind = 'cpe';
  perform from net_space where id = any (all_spaces) order by id for no key update;
  with brought as materialized (
    select s.node_id, s.service_id, s.network, s.kind from space_networks(all_spaces) s
    union all
    select h.node_id, null, h.network, h.kind from networks_behind_pins(array(
      select m.node_id from space_member m where m.space_id = any (all_spaces) and m.kind = 'cpe')) h
  ), place as materialized (
    select p.node_id, p.site from standby_sites(array(select distinct b.node_id from brought b)) p
  ), claim as materialized (
    select coalesce(-b.service_id, place.site, b.node_id) as site, b.kind, b.kind in ('lan', 'pool') as own,
      network(b.network::inet)::inet as network,
      -- A hashed lookup, however many are written at once.
      network(b.network::inet)::inet in (select unnest(written)) as is_written
    from brought b left join place on place.node_id = b.node_id
  ), around as materialized (
    select claim.*, max(network) filter (where own) over (
      order by network, own desc rows between unbounded preceding and current row) as outer_network
    from claim
  )
  select network into clash from (
    select one.network from around one join claim other on other.network = one.outer_network and other.own
      where one.outer_network >>= one.network and one.site <> other.site
        and (one.is_written or other.is_written)
    union all
    select one.network from claim one join claim other on one.network = other.network
      where one.site <> other.site and one.kind <> 'route' and one.is_written
  ) pair limit 1;
  if found then
    raise exception 'network % is another site''s', clash
      using errcode = 'exclusion_violation', constraint = 'networks_apart';
  end if;
end $$;

-- Who leaves a group is a site of its own from then on.
create function weft.guard_standby() returns trigger
language plpgsql security definer set search_path = weft, pg_temp as $$
begin
  perform require_no_collision(array[new.id], '{}', array(
    select network(s.network::inet)::inet from site_networks(array[new.id]) s));
  return null;
end $$;
create trigger no_collision_standby after update on weft.node
  for each row when (old.hot_standby_group is not null
    and old.hot_standby_group is distinct from new.hot_standby_group)
  execute function weft.guard_standby();

-- The other device of a node's group cannot take over: it is out of contact, or does not stand by. Null: it can, or the
-- node is in no group, or is not the active one.
create function weft.standby_missing(those bigint[])
  returns table (node_id bigint, name text, since timestamptz)
  language sql stable security definer set search_path = weft, pg_temp
  begin atomic
    select own.id, other.name, case when s.online then s.standby_since else s.last_seen end
      from weft.node own
      join weft.node_status mine on mine.node_id = own.id and mine.standby_place = 'active'
      join weft.node other on other.enterprise_id = own.enterprise_id
        and other.hot_standby_group = own.hot_standby_group and other.id <> own.id
      left join weft.node_status s on s.node_id = other.id
      where own.id = any (those)
        and not (coalesce(s.online, false) and s.standby_place is not distinct from 'standby');
  end;

revoke execute on function weft.standby_pair(bigint), weft.standby_sites(bigint[]), weft.standby_of(bigint),
  weft.guard_standby(), weft.standby_missing(bigint[]) from public;
grant execute on function weft.standby_pair(bigint), weft.standby_sites(bigint[])
  to weft_api, weft_api_all, weft_worker, weft_gateway;
grant execute on function weft.standby_of(bigint), weft.standby_missing(bigint[])
  to weft_api, weft_api_all, weft_worker;
