-- An edit that leaves the networks of its row as they are is not held against other sites' again: a
-- database of before the rule may hold pairs that break it, and a remark of such a row, or a move of its
-- site with all that hangs on it, was refused. It costs less, too.

-- What a row brings into a space, or sends elsewhere, and as what. Empty: nothing.
create function weft.networks_in(name text, this jsonb)
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
    select (this ->> 'node_id')::bigint, null, network(one::inet)::inet, 'announced'
      from jsonb_array_elements_text(case when name = 'node_pin' then this -> 'announced' else '[]' end) one
    union all
    select null, (this ->> 'space_id')::bigint, network((this ->> 'pool')::inet)::inet, 'pool'
      where name = 'client_service' and (this ->> 'enabled')::boolean
        and this ->> 'pool' is not null and this ->> 'space_id' is not null;
  end;

create or replace function weft.guard_collision() returns trigger
language plpgsql security definer set search_path = weft, pg_temp as $$
declare
  nodes bigint[];
  spaces bigint[];
  networks inet[];
begin
  if tg_table_name = 'space_member' then
    if tg_op = 'INSERT' then
      nodes := array(select node_id from written where kind = 'cpe');
    else
      nodes := array(select node_id from (
        select space_id, node_id from written where kind = 'cpe'
        except select space_id, node_id from replaced) joined);
    end if;
    networks := array(select network(s.network::inet)::inet from site_networks(nodes) s);
  elsif tg_op = 'INSERT' then
    select array_agg(n.node_id) filter (where n.node_id is not null),
        array_agg(n.space_id) filter (where n.space_id is not null), array_agg(n.network)
      into nodes, spaces, networks
      from written w cross join lateral networks_in(tg_table_name::text, to_jsonb(w)) n;
  else
    select array_agg(n.node_id) filter (where n.node_id is not null),
        array_agg(n.space_id) filter (where n.space_id is not null), array_agg(n.network)
      into nodes, spaces, networks
      from (
        select n.* from written w cross join lateral networks_in(tg_table_name::text, to_jsonb(w)) n
        except
        select n.* from replaced r cross join lateral networks_in(tg_table_name::text, to_jsonb(r)) n
      ) n;
  end if;
  if cardinality(networks) > 0 then
    perform require_no_collision(coalesce(nodes, '{}'), coalesce(spaces, '{}'), networks);
  end if;
  return null;
end $$;

do $$
declare
  name text;
begin
  foreach name in array array[
    'lan_section', 'static_route', 'route_notice', 'node_pin', 'space_member', 'client_service'
  ] loop
    execute format('drop trigger no_collision_update on weft.%I', name);
    execute format('create trigger no_collision_update after update on weft.%I
      referencing old table as replaced new table as written
      for each statement execute function weft.guard_collision()', name);
  end loop;
end $$;

revoke execute on function weft.networks_in(text, jsonb) from public;
