-- ACL rules and DNS entries of a CPE name hosts and networks of its enterprise, and act. They follow the node when its row does,
-- and so the next enterprise would read them and have them act: they go before the move, as its other policies and networks.
create or replace function weft.tables_in_the_way(id bigint) returns setof text
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
