-- ---------------------------------------------------------------- room for ACL rules, client keys and pins

-- Refuses what leads to more rules or keys than a device takes, with what is written counted. A writer
-- of a node waits for the one before; a writer about all CPEs of an enterprise waits for every writer
-- of one of its nodes, and they for it.
create function weft.require_acl_room(nodes bigint[], enterprises bigint[]) returns void
language plpgsql security definer set search_path = weft, pg_temp as $$
declare
  full_one jsonb;
  most constant integer := 10000;
begin
  perform from enterprise where id = any (enterprises) order by id for no key update;
  perform from enterprise where id <> all (enterprises)
    and id in (select enterprise_id from node where id = any (nodes)) order by id for share;
  perform from node where id = any (nodes) order by id for no key update;
  select jsonb_build_object('limit', 'aclRules', 'name', n.name, 'max', most) into full_one
    from acl_load(nodes || array(select id from node where enterprise_id = any (enterprises) and kind = 'cpe')) l
    join node n on n.id = l.node_id where l.n > most order by n.id limit 1;
  if found then
    raise exception 'no room: %', full_one
      using errcode = 'check_violation', constraint = 'room', detail = full_one::text;
  end if;
end $$;

create function weft.guard_acl_room() returns trigger
language plpgsql security definer set search_path = weft, pg_temp as $$
begin
  perform require_acl_room(array(select distinct node_id from written where enabled), '{}');
  return null;
end $$;

create trigger acl_room_insert after insert on weft.acl_rule
  referencing new table as written for each statement execute function weft.guard_acl_room();
create trigger acl_room_update after update on weft.acl_rule
  referencing new table as written for each statement execute function weft.guard_acl_room();

-- An entry is written before the nodes that it names: what it is about is known at the end.
create function weft.guard_blacklist_room() returns trigger
language plpgsql security definer set search_path = weft, pg_temp as $$
declare
  named bigint[] := array(select node_id from blacklist_node where owner_id = new.id);
begin
  if not exists (select from blacklist where id = new.id and enabled and type in ('ip', 'mac')) then
    return null;
  end if;
  perform require_acl_room(named, case when named = '{}' then array[new.enterprise_id] else '{}' end);
  return null;
end $$;

create constraint trigger acl_room after insert or update on weft.blacklist
  deferrable initially deferred for each row execute function weft.guard_blacklist_room();

-- Another enterprise blocks other addresses.
create function weft.guard_moved_room() returns trigger
language plpgsql security definer set search_path = weft, pg_temp as $$
begin
  perform require_acl_room(array[new.id], '{}');
  return null;
end $$;

create trigger acl_room after update of enterprise_id on weft.node for each row
  when (old.enterprise_id <> new.enterprise_id and new.kind = 'cpe') execute function weft.guard_moved_room();

-- Keys of an enterprise: peers of its POP.
create function weft.guard_client_room() returns trigger
language plpgsql security definer set search_path = weft, pg_temp as $$
declare
  most constant integer := 10000;
  keyed constant bigint[] := array(select distinct enterprise_id from written where public_key is not null);
  full_one jsonb;
begin
  perform from enterprise where id = any (keyed) order by id for no key update;
  select jsonb_build_object('limit', 'clientPeers', 'name', e.name, 'max', most) into full_one
    from enterprise e where e.id = any (keyed) and client_load(e.id) > most limit 1;
  if found then
    raise exception 'no room: %', full_one
      using errcode = 'check_violation', constraint = 'room', detail = full_one::text;
  end if;
  return null;
end $$;

create trigger client_room_insert after insert on weft.mobile_account
  referencing new table as written for each statement execute function weft.guard_client_room();
create trigger client_room_update after update on weft.mobile_account
  referencing new table as written for each statement execute function weft.guard_client_room();

-- What a past state announced counts as what the rows announce: the site has one of both.
create function weft.require_pin_room(nodes bigint[]) returns void
language plpgsql security definer set search_path = weft, pg_temp as $$
declare
  full_one jsonb;
begin
  perform from node where id = any (nodes) order by id for no key update;
  with space as (
    select distinct m.space_id from space_member m where m.node_id = any (nodes) and m.kind = 'cpe'
  ), room (what, name, n, max) as (
    select 'announced', n.name, count(*), 4096
      from site_networks(nodes) s join node n on n.id = s.node_id where s.kind <> 'route' group by n.id
    union all
    select 'spaceNetworks', p.name, count(*), 30000
      from space_networks(array(select space_id from space)) s join net_space p on p.id = s.space_id
      where s.kind <> 'route' group by p.id
  )
  select jsonb_build_object('limit', what, 'name', name, 'max', max) into full_one
    from room where n > max limit 1;
  if found then
    raise exception 'no room: %', full_one
      using errcode = 'check_violation', constraint = 'room', detail = full_one::text;
  end if;
end $$;

create function weft.guard_pin_room() returns trigger
language plpgsql security definer set search_path = weft, pg_temp as $$
begin
  perform require_pin_room(array(select distinct node_id from written));
  return null;
end $$;

-- Every writer of the list, as a pin of one site leaves less room for the rows of the others.
do $$
declare
  name text;
begin
  foreach name in array array['node_pin', 'lan_section', 'static_route', 'route_notice', 'space_member'] loop
    execute format('create trigger pin_room_insert after insert on weft.%I
      referencing new table as written for each statement execute function weft.guard_pin_room()', name);
    execute format('create trigger pin_room_update after update on weft.%I
      referencing new table as written for each statement execute function weft.guard_pin_room()', name);
  end loop;
end $$;

revoke execute on function weft.require_acl_room(bigint[], bigint[]), weft.guard_acl_room(),
  weft.guard_blacklist_room(), weft.guard_moved_room(), weft.guard_client_room(),
  weft.require_pin_room(bigint[]), weft.guard_pin_room() from public;

-- ---------------------------------------------------------------- a site's own way out

-- A default route that is not announced is no network of another site.
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
    select p.node_id, unnest(p.announced), 'announced' from weft.node_pin p
      where p.node_id = any (those);
  end;
