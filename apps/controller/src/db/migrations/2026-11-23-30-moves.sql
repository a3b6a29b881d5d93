-- A node moves to another enterprise with what it always has or once had: its cards, used codes and
-- devices that were refused. Whatever else of its enterprise hangs on it is in the way, and is named.
alter table weft.router_interface drop constraint router_interface_enterprise_id_node_id_fkey,
  add constraint router_interface_enterprise_id_node_id_fkey foreign key (enterprise_id, node_id)
    references weft.node (enterprise_id, id) on delete cascade on update cascade;
alter table weft.claim drop constraint claim_enterprise_id_node_id_fkey,
  add constraint claim_enterprise_id_node_id_fkey foreign key (enterprise_id, node_id)
    references weft.node (enterprise_id, id) on delete cascade on update cascade;
alter table weft.node_identity drop constraint node_identity_enterprise_id_node_id_fkey,
  add constraint node_identity_enterprise_id_node_id_fkey foreign key (enterprise_id, node_id)
    references weft.node (enterprise_id, id) on delete cascade on update cascade;

-- Tables whose rows keep the node in its enterprise: those with a key that names node and enterprise and
-- does not follow, whatever migration makes them; codes and devices that still act.
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
  return query select 'node_identity' where exists (select from node_identity i
    where i.node_id = tables_in_the_way.id and i.state <> 'rejected');
  return query select 'claim' where exists (select from claim c where c.node_id = tables_in_the_way.id
    and c.used_key is null and c.revoked_at is null and c.expires_at > now());
end $$;
revoke execute on function weft.tables_in_the_way(bigint) from public;
grant execute on function weft.tables_in_the_way(bigint) to weft_api, weft_api_all;
