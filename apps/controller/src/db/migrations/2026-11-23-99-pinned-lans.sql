-- A site that is held at a past state has LANs of its own there. Once their rows were gone they counted as
-- mere announcements, in which other sites may have longer prefixes: such a prefix took the LAN's traffic.
alter table weft.node_pin add lans text[] not null default '{}';

update weft.node_pin p set lans = coalesce((
  select array_agg(distinct host(network(a::inet)) || '/' || masklen(a::inet))
  from weft.node_state s
    join weft.state_section c on c.node_id = s.node_id and c.hash = s.sections ->> 'underlay'
    cross join jsonb_array_elements(c.content -> 'lans') lan
    cross join jsonb_array_elements_text(lan -> 'addresses') a
  where s.node_id = p.node_id and s.epoch = p.epoch and s.serial = p.serial), '{}');

-- What a past state announced, each network as what it was there.
create function weft.pinned_networks(announced text[], lans text[]) returns table (network text, kind text)
  language sql immutable
  begin atomic
    select one, case when network(one::inet) in (select network(l::inet) from unnest(lans) l)
      then 'lan' else 'announced' end
    from unnest(announced) one;
  end;

create or replace function weft.site_networks(those bigint[])
  returns table (node_id bigint, network text, kind text)
  language sql stable set search_path = weft, pg_temp
  begin atomic
    with present as (
      select n as node_id from unnest(those) n
      where not exists (select from weft.node_pin p where p.node_id = n)
    )
    select s.node_id, one.network, 'lan' from weft.lan_section s
      cross join lateral unnest(array[s.network, s.network6]) as one(network)
      where s.node_id in (select node_id from present) and s.enable_forward and one.network is not null
    union all
    select r.node_id, r.destination, case when r.announce then 'announced' else 'route' end
      from weft.static_route r where r.node_id in (select node_id from present) and r.enabled
        and (r.announce or r.destination not like '%/0')
    union all
    select r.node_id, r.network, 'announced' from weft.route_notice r
      where r.node_id in (select node_id from present) and r.enabled
    union all
    select p.node_id, w.network, w.kind from weft.node_pin p
      cross join lateral weft.pinned_networks(p.announced, p.lans) w
      where p.node_id = any (those);
  end;

-- Of the row of a pin likewise. The rest of the function stays as it is.
create or replace function weft.networks_in(name text, this jsonb)
  returns table (node_id bigint, space_id bigint, network inet, kind text)
  language sql immutable
  begin atomic
    select (this ->> 'node_id')::bigint, null::bigint, network(one::inet)::inet, 'lan'
      from unnest(array[this ->> 'network', this ->> 'network6']) one
      where name = 'lan_section' and (this ->> 'enable_forward')::boolean and one is not null
    union all
    select (this ->> 'node_id')::bigint, null, network((this ->> 'destination')::inet)::inet,
        case when (this ->> 'announce')::boolean then 'announced' else 'route' end
      where name = 'static_route' and (this ->> 'enabled')::boolean
    union all
    select (this ->> 'node_id')::bigint, null, network((this ->> 'network')::inet)::inet, 'announced'
      where name = 'route_notice' and (this ->> 'enabled')::boolean
    union all
    select (this ->> 'node_id')::bigint, null, network(w.network::inet)::inet, w.kind
      from weft.pinned_networks(
        array(select jsonb_array_elements_text(case when name = 'node_pin' then this -> 'announced' else '[]' end)),
        array(select jsonb_array_elements_text(case when name = 'node_pin' then this -> 'lans' else '[]' end))) w
    union all
    select null, (this ->> 'space_id')::bigint, network((this ->> 'pool')::inet)::inet, 'pool'
      where name = 'client_service' and (this ->> 'enabled')::boolean
        and this ->> 'pool' is not null and this ->> 'space_id' is not null;
  end;
revoke execute on function weft.pinned_networks(text[], text[]) from public;
grant execute on function weft.pinned_networks(text[], text[]) to weft_api, weft_api_all, weft_worker;

-- A refusal for lack of room in a space names the space to those whose it is. A site of another enterprise
-- in it, whose users do not see the space, learns that it is its own network that finds no room.
create function weft.full_space_name(space bigint, nodes bigint[]) returns text
  language sql stable security definer set search_path = weft, pg_temp
  begin atomic
    select coalesce(
      (select s.name from weft.net_space s where s.id = space
        and (s.enterprise_id = any (weft.scope_enterprises()) or weft.scope_enterprises() = '{}')),
      (select n.name from weft.node n
        where n.id = any (nodes) and n.enterprise_id = any (weft.scope_enterprises()) order by n.id limit 1),
      '');
  end;
revoke execute on function weft.full_space_name(bigint, bigint[]) from public;
do $$
declare
  one regprocedure;
  old_text text;
  new_text text;
begin
  foreach one in array array[
    'weft.require_state_room(bigint[])', 'weft.require_pin_room(bigint[])']::regprocedure[]
  loop
    old_text := pg_get_functiondef(one);
    new_text := regexp_replace(old_text, '''spaceNetworks'', ([sp])\.name', '''spaceNetworks'', full_space_name(\1.id, nodes)');
    if new_text = old_text then raise exception '% names no space', one; end if;
    execute new_text;
  end loop;
end $$;
