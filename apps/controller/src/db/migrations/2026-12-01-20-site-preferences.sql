-- Two sites that announce the same network, when both say so: the lower number is taken while it answers.
alter table weft.route_notice add column preference smallint check (preference between 1 and 8);

-- As before; a network that several sites may announce is of a kind of its own. What a notice says of it holds for a past
-- state that the site is held at, too.
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
    select r.node_id, r.network, case when r.preference is null then 'announced' else 'shared' end
      from weft.route_notice r where r.node_id in (select node_id from present) and r.enabled
    union all
    select p.node_id, w.network, case when w.kind = 'announced' and exists (
          select from weft.route_notice r where r.node_id = p.node_id and r.preference is not null
            and network(r.network::inet) = network(w.network::inet)) then 'shared' else w.kind end
      from weft.node_pin p cross join lateral weft.pinned_networks(p.announced, p.lans) w
      where p.node_id = any (those);
  end;

create or replace function weft.networks_behind_pins(those bigint[])
  returns table (node_id bigint, network text, kind text)
  language sql stable set search_path = weft, pg_temp
  begin atomic
    with held as (select p.node_id from weft.node_pin p where p.node_id = any (those))
    select s.node_id, one.network, 'lan' from weft.lan_section s
      cross join lateral unnest(array[s.network, s.network6]) as one(network)
      where s.node_id in (select node_id from held) and s.enable_forward and one.network is not null
    union all
    select r.node_id, r.destination, case when r.announce then 'announced' else 'route' end
      from weft.static_route r where r.node_id in (select node_id from held) and r.enabled
        and (r.announce or r.destination not like '%/0')
    union all
    select r.node_id, r.network, case when r.preference is null then 'announced' else 'shared' end
      from weft.route_notice r where r.node_id in (select node_id from held) and r.enabled;
  end;

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
    select (this ->> 'node_id')::bigint, null, network((this ->> 'network')::inet)::inet,
        case when this ->> 'preference' is null then 'announced' else 'shared' end
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

-- The rest of these functions stays as it is.
do $do$
declare
  one record;
  old_text text;
  new_text text;
begin
  for one in select * from (values
    ('weft.require_no_collision(bigint[], bigint[], inet[])'::regprocedure,
      $a$and one.kind <> 'route' and one.is_written$a$,
      $b$and one.kind <> 'route' and one.is_written
        and not (one.kind = 'shared' and other.kind = 'shared')$b$),
    -- Its own way to a network that it shares with others is no network beside that.
    ('weft.require_no_collision(bigint[], bigint[], inet[])'::regprocedure,
      $a$from brought b left join place on place.node_id = b.node_id$a$,
      $b$from brought b left join place on place.node_id = b.node_id
    where not (b.kind = 'route' and (b.node_id, network(b.network::inet)) in (
      select s.node_id, network(s.network::inet) from brought s where s.kind = 'shared'))$b$),
    ('weft.network_findings(bigint[])'::regprocedure,
      $a$where not (s.kind = 'route' and masklen(s.network::inet) = 0)$a$,
      $b$where not (s.kind = 'route' and (masklen(s.network::inet) = 0
        or (s.node_id, network(s.network::inet)) in (
          select o.node_id, network(o.network::inet) from space_networks(spaces) o where o.kind = 'shared')))$b$),
    ('weft.network_findings(bigint[])'::regprocedure,
      $a$and not (i.kind = 'route' and o.kind = 'route')$a$,
      $b$and not (i.kind in ('route', 'shared') and o.kind = i.kind)$b$),
    ('weft.network_findings(bigint[])'::regprocedure,
      $a$case f.kind when 'announced' then 'announce'$a$,
      $b$case f.kind when 'announced' then 'announce' when 'shared' then 'announce'$b$),
    ('weft.guard_networks()'::regprocedure,
      $a$select node_id, network, enabled from written$a$,
      $b$select node_id, network, enabled, preference is null from written$b$),
    ('weft.guard_networks()'::regprocedure,
      $a$select node_id, network, enabled from replaced$a$,
      $b$select node_id, network, enabled, preference is null from replaced$b$)
  ) as f (name, was, becomes)
  loop
    old_text := pg_get_functiondef(one.name);
    new_text := replace(old_text, one.was, one.becomes);
    if new_text = old_text then raise exception '% has other text: %', one.name, one.was; end if;
    execute new_text;
  end loop;
end $do$;
