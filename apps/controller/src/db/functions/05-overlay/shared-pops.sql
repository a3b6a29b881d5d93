-- An enterprise reads a POP of another one while something of it names that POP (weft.share): its spaces and circuits begin that, and
-- the removal of the last row that names the POP ends it. Otherwise addresses, state and health of a POP stayed open to everybody
-- whom it ever served.

-- Tables of members that name a node with the enterprise that it is of, which may be another one than the row's.
create function weft.member_tables() returns setof name
  language sql stable set search_path = weft, pg_temp as $$
  select c.relname from pg_constraint k
  join pg_class c on c.oid = k.conrelid
  join pg_attribute a on a.attrelid = k.conrelid and a.attnum = any (k.conkey) and a.attname = 'node_enterprise_id'
  join pg_attribute n on n.attrelid = k.conrelid and n.attnum = any (k.conkey) and n.attname = 'node_id'
  join pg_attribute o on o.attrelid = k.conrelid and o.attname = 'enterprise_id' and not o.attisdropped
  where k.contype = 'f' and k.confrelid = 'weft.node'::regclass
  order by 1
$$;
revoke execute on function weft.member_tables() from public;

-- weft.names_pop(enterprise, pop): whether anything of an enterprise names a POP. Its statement names all tables, for it is asked for
-- each row that goes, thousands in one transaction: its plan is made once.
do $$
declare
  members constant text := (
    select string_agg(format('exists (select from weft.%I where enterprise_id = enterprise and node_id = pop)', one), ' or ')
    from weft.member_tables() one);
begin
  execute format($names_pop$
    create function weft.names_pop(enterprise bigint, pop bigint) returns boolean
    language plpgsql stable security definer set search_path = weft, pg_temp as $body$
    begin
      return exists (select from circuit c where c.source_id = pop and c.enterprise_id = enterprise)
        or exists (select from circuit c where c.target_id = pop and c.enterprise_id = enterprise)
        or exists (select from client_service c where c.enterprise_id = enterprise and c.pop_id = pop)
        or exists (select from mobile_account a where a.enterprise_id = enterprise and a.pop_id = pop)
        or exists (select from saas_group g where g.enterprise_id = enterprise and g.pop_id = pop)
        or exists (select from vbr_node v where v.enterprise_id = enterprise and v.pop_id = pop)
        or %s;
    end $body$ $names_pop$, members);
end $$;
revoke execute on function weft.names_pop(bigint, bigint) from public;

-- The arguments are the columns that name POPs. Each POP is asked about once for all rows of a COMMIT: rows that go are found by
-- their index until its end, so that thousands of questions about thousands of them would take minutes.
create function weft.withdraw_share() returns trigger
language plpgsql security definer set search_path = weft, pg_temp as $$
declare
  moment constant text := statement_timestamp();
  asked text := coalesce(current_setting('weft.asked_shares', true), '');
  pop bigint;
  key text;
begin
  if not starts_with(asked, moment) then asked := moment; end if;
  for pop in
    select distinct (to_jsonb(old) ->> column_name)::bigint from unnest(tg_argv) column_name
    where to_jsonb(old) ->> column_name is not null
  loop
    key := format(' %s/%s;', old.enterprise_id, pop);
    continue when position(key in asked) > 0;
    -- Who begins to use the POP writes this row: it is waited for, and what it wrote is seen, or it waits and writes the row again.
    perform from share s where s.kind = 'pop' and s.enterprise_id = old.enterprise_id and s.row_id = pop for update;
    -- One of its own, or a CPE.
    continue when not found;
    if not names_pop(old.enterprise_id, pop) then
      delete from share s where s.kind = 'pop' and s.enterprise_id = old.enterprise_id and s.row_id = pop;
    end if;
    asked := asked || key;
    perform set_config('weft.asked_shares', asked, true);
  end loop;
  return null;
end $$;
revoke execute on function weft.withdraw_share() from public;

-- Whoever begins to name a POP that its enterprise reads keeps that: a withdrawal at this moment waits, and sees the row. If the
-- withdrawal comes first, the call is run again and finds the POP out of its sight.
create function weft.hold_share(enterprise bigint, pop bigint) returns void
language plpgsql security definer set search_path = weft, pg_temp as $$
begin
  if exists (select from share s where s.kind = 'pop' and s.enterprise_id = enterprise and s.row_id = pop) then
    perform from share s where s.kind = 'pop' and s.enterprise_id = enterprise and s.row_id = pop for no key update;
    if not found then
      raise exception 'POP % is not shared any more', pop using errcode = 'serialization_failure';
    end if;
  end if;
end $$;
revoke execute on function weft.hold_share(bigint, bigint) from public;

create function weft.hold_shares_of_members() returns trigger
language plpgsql security definer set search_path = weft, pg_temp as $$
begin
  perform hold_share(m.enterprise_id, m.node_id) from (
    select distinct enterprise_id, node_id from added where enterprise_id <> node_enterprise_id order by 1, 2) m;
  return null;
end $$;
revoke execute on function weft.hold_shares_of_members() from public;

create function weft.hold_share_of_row() returns trigger
language plpgsql security definer set search_path = weft, pg_temp as $$
begin
  perform hold_share(new.enterprise_id, new.pop_id);
  return null;
end $$;
revoke execute on function weft.hold_share_of_row() from public;

-- A POP that moves to another enterprise is read on by the one that it leaves, as long as that names it. The next one needs no
-- share, and would keep it when the POP moves on.
create function weft.share_moved_pop() returns trigger
language plpgsql security definer set search_path = weft, pg_temp as $$
begin
  delete from share s where s.kind = 'pop' and s.row_id = new.id
    and (s.enterprise_id = new.enterprise_id or not names_pop(s.enterprise_id, new.id));
  if names_pop(old.enterprise_id, new.id) then
    insert into share (enterprise_id, kind, row_id) values (old.enterprise_id, 'pop', new.id) on conflict do nothing;
  end if;
  return null;
end $$;
revoke execute on function weft.share_moved_pop() from public;
create trigger share_moved_pop after update of enterprise_id on weft.node for each row
  when (new.kind = 'pop' and old.enterprise_id <> new.enterprise_id) execute function weft.share_moved_pop();

-- Withdrawals are deferred: an edit may take rows away and write them again.
do $$
declare
  name text;
begin
  for name in select one from weft.member_tables() one loop
    execute format('create constraint trigger withdraw_share after delete or update of enterprise_id, node_id on weft.%I
      deferrable initially deferred for each row when (old.enterprise_id <> old.node_enterprise_id)
      execute function weft.withdraw_share(''node_id'')', name);
    execute format('create trigger hold_shares after insert on weft.%I referencing new table as added
      for each statement execute function weft.hold_shares_of_members()', name);
  end loop;
  foreach name in array array['client_service', 'mobile_account', 'saas_group', 'vbr_node'] loop
    execute format('create constraint trigger withdraw_share after delete or update of enterprise_id, pop_id on weft.%I
      deferrable initially deferred for each row when (old.pop_id is not null)
      execute function weft.withdraw_share(''pop_id'')', name);
    execute format('create trigger hold_share after insert or update of enterprise_id, pop_id on weft.%I
      for each row when (new.pop_id is not null) execute function weft.hold_share_of_row()', name);
  end loop;
end $$;
create constraint trigger withdraw_share after delete or update of enterprise_id, source_id, target_id on weft.circuit
  deferrable initially deferred for each row execute function weft.withdraw_share('source_id', 'target_id');
