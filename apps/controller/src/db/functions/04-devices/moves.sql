-- Tables whose rows keep the node in its enterprise: those with a key that names node and enterprise and
-- does not follow, whatever migration makes them; codes and devices that still act.
-- ACL rules and DNS entries of a CPE name hosts and networks of its enterprise, and act. They follow the node when its row does,
-- and so the next enterprise would read them and have them act: they go before the move, as its other policies and networks.
create function weft.tables_in_the_way(id bigint) returns setof text
language plpgsql stable security definer set search_path = weft, pg_temp as $$
declare
  reference record;
  is_there boolean;
begin
  for reference in
    select c.relname as name, a.attname as field
    from pg_constraint k
    join pg_class c on c.oid = k.conrelid
    join pg_attribute a on a.attrelid = k.conrelid and a.attnum = any (k.conkey)
    join pg_attribute to_id on to_id.attrelid = k.confrelid and to_id.attname = 'id'
      and to_id.attnum = k.confkey[array_position(k.conkey, a.attnum)]
    where k.contype = 'f' and k.confrelid = 'node'::regclass and k.confupdtype <> 'c'
      and cardinality(k.conkey) > 1
    order by 1
  loop
    execute format('select exists (select from weft.%I where %I = $1)', reference.name, reference.field)
      into is_there using id;
    if is_there then return next reference.name; end if;
  end loop;
  -- Follows the node, but says what the space of its enterprise is to reach.
  return query select 'route_notice' where exists (
    select from route_notice r where r.node_id = tables_in_the_way.id);
  return query select 'acl_rule' where exists (select from acl_rule r where r.node_id = tables_in_the_way.id);
  return query select 'dns_entry' where exists (select from dns_entry d where d.node_id = tables_in_the_way.id);
  return query select 'node_identity' where exists (select from node_identity i
    where i.node_id = tables_in_the_way.id and i.state <> 'rejected');
  return query select 'claim' where exists (select from claim c where c.node_id = tables_in_the_way.id
    and c.used_key is null and c.revoked_at is null and c.expires_at > now());
end $$;
revoke execute on function weft.tables_in_the_way(bigint) from public;
grant execute on function weft.tables_in_the_way(bigint) to weft_api, weft_api_all;

-- Objects of an enterprise that name a CPE (alarm policies, maintenance windows, the blacklist, dial and firmware tasks, closed
-- user groups, branches) keep naming it when it moves within that enterprise and those below. Elsewhere it is not theirs any
-- more: they would send its alarms to the former enterprise, and run commands of that one on it.
create function weft.choices_in_the_way(id bigint, target bigint) returns setof text
language plpgsql stable security definer set search_path = weft, pg_temp as $$
declare
  owners constant bigint[] := above(array[target]);
  reference record;
  is_there boolean;
begin
  -- What is of a POP may be of whomever it is shared with.
  if not exists (select from node n where n.id = choices_in_the_way.id and n.kind = 'cpe') then
    return;
  end if;
  for reference in
    select c.relname as name
    from pg_constraint k
    join pg_class c on c.oid = k.conrelid
    join pg_attribute a on a.attrelid = k.conrelid and a.attnum = any (k.conkey) and a.attname = 'node_enterprise_id'
    join pg_attribute o on o.attrelid = k.conrelid and o.attname = 'enterprise_id' and not o.attisdropped
    join pg_attribute n on n.attrelid = k.conrelid and n.attnum = any (k.conkey) and n.attname = 'node_id'
    where k.contype = 'f' and k.confrelid = 'node'::regclass and k.confupdtype = 'c'
      -- One that moves stays out of the template as well.
      and c.relname <> 'router_template_exclusion'
    order by 1
  loop
    execute format('select exists (select from weft.%I where node_id = $1 and enterprise_id <> all ($2))', reference.name)
      into is_there using id, owners;
    if is_there then return next reference.name; end if;
  end loop;
end $$;
revoke execute on function weft.choices_in_the_way(bigint, bigint) from public;
grant execute on function weft.choices_in_the_way(bigint, bigint) to weft_api, weft_api_all;

create function weft.record_move() returns trigger
language plpgsql security definer set search_path = weft, pg_temp as $$
begin
  -- Not now(), when the call began: what was measured since is the former enterprise's as well.
  insert into node_move (node_id, enterprise_id, at) values (new.id, old.enterprise_id, clock_timestamp())
  on conflict (node_id, enterprise_id) do update set at = excluded.at;
  return null;
end $$;
revoke execute on function weft.record_move() from public;
create trigger record_move after update of enterprise_id on weft.node for each row
  when (old.enterprise_id <> new.enterprise_id) execute function weft.record_move();

-- Since when metrics of these nodes are the caller's to read: since they left the last enterprise that the caller does not see. Nodes
-- that are not in it were of the caller's enterprises at all times. The caller sees the nodes.
create function weft.readable_since(nodes bigint[]) returns table (node_id bigint, since timestamptz)
  language sql stable security definer set search_path = weft, pg_temp
  begin atomic
    select m.node_id, max(m.at) from weft.node_move m
    where m.node_id = any (nodes) and m.enterprise_id <> all (weft.scope_enterprises())
    group by m.node_id;
  end;
revoke execute on function weft.readable_since(bigint[]) from public;
grant execute on function weft.readable_since(bigint[]) to weft_api, weft_api_all;
