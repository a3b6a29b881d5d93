-- What readers of an enterprise's rows may know a node by: POPs serve several enterprises and are known to
-- them; a CPE only to its own enterprise and those above it.
create function weft.name_for(reader bigint, node bigint) returns text
  language sql stable security definer set search_path = weft, pg_temp
  begin atomic
    select case when n.kind = 'pop' or reader = any (weft.above(array[n.enterprise_id]))
      then n.name else '#' || n.id end
    from weft.node n where n.id = node;
  end;
revoke execute on function weft.name_for(bigint, bigint) from public;
grant execute on function weft.name_for(bigint, bigint) to weft_worker;

-- What a refusal calls a device: by name if the caller sees it, as all members of a space see its POPs.
create function weft.seen_name(node bigint, is_near boolean) returns text
  language sql stable security definer set search_path = weft, pg_temp
  begin atomic
    select case
        when (weft.scope_enterprises() = '{}' or n.enterprise_id = any (weft.scope_enterprises()))
          and (not weft.own_only() or n.created_by = weft.user_id()) then n.name
        when n.kind = 'pop' and (is_near or exists (select from weft.share s
          where s.kind = 'pop' and s.row_id = n.id and s.enterprise_id = any (weft.scope_enterprises()))) then n.name
        else '#' || n.id end
    from weft.node n where n.id = node;
  end;
revoke execute on function weft.seen_name(bigint, boolean) from public;
