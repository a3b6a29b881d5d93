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

-- Whether anything of an enterprise names a POP.
create function weft.names_pop(enterprise bigint, pop bigint) returns boolean
language plpgsql stable security definer set search_path = weft, pg_temp as $$
declare
  named record;
  is_there boolean;
begin
  if exists (select from circuit c where c.enterprise_id = enterprise and pop in (c.source_id, c.target_id))
      or exists (select from client_service c where c.enterprise_id = enterprise and c.pop_id = pop)
      or exists (select from mobile_account a where a.enterprise_id = enterprise and a.pop_id = pop)
      or exists (select from saas_group g where g.enterprise_id = enterprise and g.pop_id = pop)
      or exists (select from vbr_node v where v.enterprise_id = enterprise and v.pop_id = pop) then
    return true;
  end if;
  for named in select one as table_name from member_tables() one loop
    execute format('select exists (select from weft.%I where enterprise_id = $1 and node_id = $2)', named.table_name)
      into is_there using enterprise, pop;
    if is_there then return true; end if;
  end loop;
  return false;
end $$;
revoke execute on function weft.names_pop(bigint, bigint) from public;

-- The arguments are the columns that name POPs.
create function weft.withdraw_share() returns trigger
language plpgsql security definer set search_path = weft, pg_temp as $$
declare
  pop bigint;
begin
  for pop in
    select distinct (to_jsonb(old) ->> column_name)::bigint from unnest(tg_argv) column_name
    where to_jsonb(old) ->> column_name is not null
  loop
    -- Who begins to use the POP writes this row: it is waited for, and what it wrote is seen, or it waits and writes the row again.
    perform from share s where s.kind = 'pop' and s.enterprise_id = old.enterprise_id and s.row_id = pop for update;
    if found and not names_pop(old.enterprise_id, pop) then
      delete from share s where s.kind = 'pop' and s.enterprise_id = old.enterprise_id and s.row_id = pop;
    end if;
  end loop;
  return null;
end $$;
revoke execute on function weft.withdraw_share() from public;

-- Deferred: an edit may take rows away and write them again.
do $$
declare
  name text;
begin
  for name in select one from weft.member_tables() one loop
    execute format('create constraint trigger withdraw_share after delete on weft.%I
      deferrable initially deferred for each row when (old.enterprise_id <> old.node_enterprise_id)
      execute function weft.withdraw_share(''node_id'')', name);
  end loop;
  foreach name in array array['client_service', 'mobile_account', 'saas_group', 'vbr_node'] loop
    execute format('create constraint trigger withdraw_share after delete or update of pop_id on weft.%I
      deferrable initially deferred for each row when (old.pop_id is not null)
      execute function weft.withdraw_share(''pop_id'')', name);
  end loop;
end $$;
create constraint trigger withdraw_share after delete or update of source_id, target_id on weft.circuit
  deferrable initially deferred for each row execute function weft.withdraw_share('source_id', 'target_id');
