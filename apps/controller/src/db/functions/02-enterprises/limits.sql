-- How many CPEs and accounts an enterprise may have counts those of all enterprises below it, since what it sells on comes out of
-- what was sold to it. What is over a limit stays; nothing is added to it.

-- CPEs and accounts of an enterprise and of all below it.
create function weft.limit_use(of bigint, out cpes integer, out accounts integer)
  language sql stable security definer set search_path = weft, pg_temp
  begin atomic
    with recursive below as (
      select of as id
      union select e.id from weft.enterprise e join below b on e.parent_id = b.id
    )
    select (select count(*) from weft.node n
        where n.kind = 'cpe' and n.enterprise_id in (select b.id from below b))::integer,
      (select count(*) from weft.mobile_account a where a.enterprise_id in (select b.id from below b))::integer;
  end;
revoke execute on function weft.limit_use(bigint) from public;
grant execute on function weft.limit_use(bigint) to weft_api, weft_api_all;

-- An enterprise and those above it, nearest first, kept as they are until COMMIT: neither a limit nor the way up changes.
create function weft.hold_above(of bigint) returns bigint[]
language plpgsql security definer set search_path = weft, pg_temp as $$
declare
  way bigint[];
  held bigint[] := null;
begin
  loop
    with recursive up as (
      select e.id, e.parent_id, 1 as step from enterprise e where e.id = of
      union all
      select e.id, e.parent_id, up.step + 1 from enterprise e join up on e.id = up.parent_id where up.step < 100
    )
    select array_agg(id order by step) into way from up;
    exit when way is not distinct from held;
    perform from enterprise where id = any (way) order by id for share;
    held := way;
  end loop;
  return coalesce(way, '{}');
end $$;
revoke execute on function weft.hold_above(bigint) from public;

-- Raises the issue of a field, as the contract names rules. Who may not see an enterprise is not shown its name and numbers:
-- a limit below the one that is set is shown with the name of its enterprise only to who may see that, as a scope of selected
-- enterprises has some of a tree.
create function weft.refuse_limit(path text, rule text, which bigint, number integer, used integer) returns void
language plpgsql security definer set search_path = weft, pg_temp as $$
declare
  issue jsonb;
  -- Without a scope it is a caller who sees all. An enterprise's own use is that of the row that is written.
  is_seen constant boolean := coalesce(current_setting('weft.scope', true), '') in ('', '{}')
    or which = any (scope_enterprises()) or rule = 'limitBelowUse';
begin
  select jsonb_build_object('path', path,
      'rule', case when is_seen then rule when rule = 'limitUnderChild' then 'limitUnderUnseenChild' else rule || 'Above' end,
      'params', case when is_seen then jsonb_build_object('name', e.name, 'limit', number, 'count', used) else '{}' end)
    into issue from enterprise e where e.id = which;
  raise exception 'limit of enterprise %: %', which, issue
    using errcode = 'check_violation', constraint = 'broken_rule', detail = issue::text;
end $$;
revoke execute on function weft.refuse_limit(text, text, bigint, integer, integer) from public;

-- Refuses what was written when an enterprise, or one above it, has more by now than it may have. Writers below one that has a
-- limit wait for each other, and nobody else does.
create function weft.require_limit(enterprises bigint[], what text, path text, except_above bigint[]) returns void
language plpgsql security definer set search_path = weft, pg_temp as $$
declare
  one record;
  used integer;
  way bigint[] := '{}';
  next_one bigint;
begin
  foreach next_one in array enterprises loop
    way := way || hold_above(next_one);
  end loop;
  for one in
    select e.id, case what when 'cpe' then e.cpe_limit else e.account_limit end as most
    from enterprise e where e.id = any (way) and e.id <> all (except_above)
      and case what when 'cpe' then e.cpe_limit else e.account_limit end is not null
    order by e.id
  loop
    perform pg_advisory_xact_lock(hashtextextended(what || ' limit ' || one.id, 0)); -- db/locks.ts names it
    select case what when 'cpe' then u.cpes else u.accounts end into used from limit_use(one.id) u;
    if used > one.most then
      perform refuse_limit(path, what || 'Limit', one.id, one.most, used);
    end if;
  end loop;
end $$;
revoke execute on function weft.require_limit(bigint[], text, text, bigint[]) from public;

create function weft.guard_limit_of_added() returns trigger
language plpgsql security definer set search_path = weft, pg_temp as $$
begin
  if tg_table_name = 'node' then
    perform require_limit(array(select distinct enterprise_id from written where kind = 'cpe'), 'cpe', 'groupid', '{}');
  else
    perform require_limit(array(select distinct enterprise_id from written), 'account', 'groupid', '{}');
  end if;
  return null;
end $$;
revoke execute on function weft.guard_limit_of_added() from public;
create trigger limit_added after insert on weft.node
  referencing new table as written for each statement execute function weft.guard_limit_of_added();
create trigger limit_added after insert on weft.mobile_account
  referencing new table as written for each statement execute function weft.guard_limit_of_added();

-- Those above both enterprises have as many as before.
create function weft.guard_limit_of_moved() returns trigger
language plpgsql security definer set search_path = weft, pg_temp as $$
begin
  perform require_limit(array[new.enterprise_id], case tg_table_name when 'node' then 'cpe' else 'account' end,
    'groupid', above(array[old.enterprise_id]));
  return null;
end $$;
revoke execute on function weft.guard_limit_of_moved() from public;
create trigger limit_moved after update of enterprise_id on weft.node for each row
  when (old.enterprise_id <> new.enterprise_id and new.kind = 'cpe') execute function weft.guard_limit_of_moved();
create trigger limit_moved after update of enterprise_id on weft.mobile_account for each row
  when (old.enterprise_id <> new.enterprise_id) execute function weft.guard_limit_of_moved();

-- A limit of an enterprise is not above one of those over it, nor below what it has or what it sold on.
create function weft.guard_limits_of_enterprise() returns trigger
language plpgsql security definer set search_path = weft, pg_temp as $$
declare
  is_new constant boolean := tg_op = 'INSERT';
  is_moved constant boolean := not is_new and new.parent_id is distinct from old.parent_id;
  over constant bigint[] := case when new.parent_id is null then '{}' else hold_above(new.parent_id) end;
  -- Those over it before too: what broke their limits before is not about this write.
  before constant bigint[] := case when is_moved and old.parent_id is not null
    then above(array[old.parent_id]) else '{}' end;
  one record;
  found_one record;
  used integer;
begin
  for one in select * from (values
    ('cpe', 'cpeLimit', new.cpe_limit, case when is_new then null else old.cpe_limit end),
    ('account', 'accountLimit', new.account_limit, case when is_new then null else old.account_limit end)
  ) as f (what, path, now, was) loop
    if one.now is not null and (is_new or is_moved or one.now is distinct from one.was) then
      select e.id, case one.what when 'cpe' then e.cpe_limit else e.account_limit end as most into found_one
        from enterprise e where e.id = any (over)
          and case one.what when 'cpe' then e.cpe_limit else e.account_limit end < one.now
        order by array_position(over, e.id) limit 1;
      if found then
        perform refuse_limit(one.path, 'limitOverParent', found_one.id, found_one.most, null);
      end if;
    end if;
    if not is_new and one.now is not null and (one.was is null or one.now < one.was) then
      select case one.what when 'cpe' then u.cpes else u.accounts end into used from limit_use(new.id) u;
      if used > one.now then
        perform refuse_limit(one.path, 'limitBelowUse', new.id, one.now, used);
      end if;
      with recursive below as (
        select e.id, e.cpe_limit, e.account_limit from enterprise e where e.parent_id = new.id
        union all
        select e.id, e.cpe_limit, e.account_limit from enterprise e join below b on e.parent_id = b.id
      )
      select b.id, case one.what when 'cpe' then b.cpe_limit else b.account_limit end as most into found_one
        from below b where case one.what when 'cpe' then b.cpe_limit else b.account_limit end > one.now
        order by b.id limit 1;
      if found then
        perform refuse_limit(one.path, 'limitUnderChild', found_one.id, found_one.most, null);
      end if;
    end if;
    if is_moved and new.parent_id is not null then
      with recursive below as (
        select e.id, e.cpe_limit, e.account_limit from enterprise e where e.parent_id = new.id
        union all
        select e.id, e.cpe_limit, e.account_limit from enterprise e join below b on e.parent_id = b.id
      )
      select b.id, case one.what when 'cpe' then b.cpe_limit else b.account_limit end as most into found_one
        from below b where case one.what when 'cpe' then b.cpe_limit else b.account_limit end > (
          select min(case one.what when 'cpe' then e.cpe_limit else e.account_limit end)
          from enterprise e where e.id = any (over) and e.id <> all (before))
        order by b.id limit 1;
      if found then
        perform refuse_limit('parentId', 'limitUnderChild', found_one.id, found_one.most, null);
      end if;
      perform require_limit(array[new.parent_id], one.what, 'parentId', before);
    end if;
  end loop;
  return null;
end $$;
revoke execute on function weft.guard_limits_of_enterprise() from public;
create trigger limits_insert after insert on weft.enterprise
  for each row execute function weft.guard_limits_of_enterprise();
create trigger limits_update after update on weft.enterprise
  for each row when (old.parent_id is distinct from new.parent_id or old.cpe_limit is distinct from new.cpe_limit
    or old.account_limit is distinct from new.account_limit)
  execute function weft.guard_limits_of_enterprise();
