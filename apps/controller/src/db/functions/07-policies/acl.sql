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

-- Rules in the states of these nodes: a blocked address is one to it and one from it.
-- Counted with the owner's rights, because entries of a higher enterprise count as well.
create function weft.acl_load(those bigint[]) returns table (node_id bigint, n bigint)
  language sql stable security definer set search_path = weft, pg_temp
  begin atomic
    select one.id,
      (select count(*) from weft.acl_rule a where a.node_id = one.id and a.enabled)
      + coalesce(whole.n, 0)
      + (select coalesce(sum(case b.type when 'ip' then 2 else 1 end), 0)
        from weft.blacklist_node x join weft.blacklist b on b.id = x.owner_id
        where x.node_id = one.id and b.enabled and b.type in ('ip', 'mac'))
    from weft.node one
    left join (
      select b.enterprise_id, sum(case b.type when 'ip' then 2 else 1 end) as n
      from weft.blacklist b where b.enabled and b.type in ('ip', 'mac')
        and not exists (select from weft.blacklist_node x where x.owner_id = b.id)
      group by b.enterprise_id
    ) whole on whole.enterprise_id = one.enterprise_id
    where one.id = any (those) and one.kind = 'cpe';
  end;
revoke execute on function weft.acl_load(bigint[]) from public;
grant execute on function weft.acl_load(bigint[]) to weft_api, weft_api_all;

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
revoke execute on function weft.require_acl_room(bigint[], bigint[]) from public;

create function weft.guard_acl_room() returns trigger
language plpgsql security definer set search_path = weft, pg_temp as $$
begin
  perform require_acl_room(array(select distinct node_id from written where enabled), '{}');
  return null;
end $$;
revoke execute on function weft.guard_acl_room() from public;
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
revoke execute on function weft.guard_blacklist_room() from public;
-- Not after any update: a version that follows from members (docs/adr/0040) would lock the nodes of an entry while one of them
-- is removed, whose removal may wait for the entry at that moment.
create constraint trigger acl_room after insert or update of enterprise_id, type, value, enabled on weft.blacklist
  deferrable initially deferred for each row execute function weft.guard_blacklist_room();

-- Another enterprise blocks other addresses.
create function weft.guard_moved_room() returns trigger
language plpgsql security definer set search_path = weft, pg_temp as $$
begin
  perform require_acl_room(array[new.id], '{}');
  return null;
end $$;
revoke execute on function weft.guard_moved_room() from public;
create trigger acl_room after update of enterprise_id on weft.node for each row
  when (old.enterprise_id <> new.enterprise_id and new.kind = 'cpe') execute function weft.guard_moved_room();
