-- Tables with rows of an enterprise, or of one below it, that name objects of the enterprises which it leaves by a move in the tree,
-- and the reverse. Who leaves an agent is none of its customers any more: what names a CPE would go on acting there and sending its
-- alarms to the former agent, a role would go on opening it, and neither side could see or remove what the other one has.
-- Left are the enterprises above it that are not above the target, with all that is below these. Where nothing is named, neither
-- side reads the POPs of the other any more that were shared with it. The caller moves it in this transaction, and has checked that both
-- enterprises are its own. What is named may be out of its sight: definer.
create function weft.leave_branch(moved bigint, target bigint) returns setof text
language plpgsql security definer set search_path = weft, pg_temp as $$
declare
  inside constant bigint[] := subtree(array[moved]);
  leaves constant bigint[] := array(
    select one from unnest(subtree(array(
      select over from unnest(above(array[moved])) over
      where over <> moved and over <> all (above(array[target]))))) one
    where one <> all (inside));
  reference record;
  is_there boolean;
  is_kept boolean := false;
begin
  if leaves = '{}' then return; end if;
  -- What is being written about its nodes is waited for.
  perform from node where enterprise_id = any (inside) order by id for update;
  -- Members of lists: CPEs and POPs with the enterprise that they are of.
  for reference in
    -- One that moves stays out of the template as well.
    select one as name from member_tables() one where one <> 'router_template_exclusion'
  loop
    execute format('select exists (select from weft.%I where enterprise_id = any ($1) and node_enterprise_id = any ($2)
      or enterprise_id = any ($2) and node_enterprise_id = any ($1))', reference.name) into is_there using inside, leaves;
    if is_there then return next reference.name; end if;
    is_kept := is_kept or is_there;
  end loop;
  return query
    select one.name from (
      select 'circuit' as name, c.enterprise_id as of, one.named from circuit c
        cross join lateral (values (c.source_enterprise_id), (c.target_enterprise_id)) one (named)
      union all select 'role_enterprise', r.enterprise_id, s.enterprise_id
        from role_enterprise s join role r on r.id = s.role_id
      union all select 'router_template_target', t.enterprise_id, t.target_enterprise_id from router_template_target t
      union all select 'enterprise_strategy', s.enterprise_id, p.enterprise_id
        from enterprise_strategy s join pop_strategy p on p.id = s.pop_strategy_id
      union all select 'enterprise_param', s.enterprise_id, p.enterprise_id
        from enterprise_param s join pop_strategy p on p.id = s.default_pop_strategy_id
      union all select 'client_service', s.enterprise_id, p.enterprise_id from client_service s join node p on p.id = s.pop_id
      union all select 'mobile_account', a.enterprise_id, p.enterprise_id from mobile_account a join node p on p.id = a.pop_id
      union all select 'saas_group', g.enterprise_id, p.enterprise_id from saas_group g join node p on p.id = g.pop_id
      union all select 'vbr_node', v.enterprise_id, p.enterprise_id from vbr_node v join node p on p.id = v.pop_id
    ) one
    where one.of = any (inside) and one.named = any (leaves) or one.of = any (leaves) and one.named = any (inside)
    group by one.name order by one.name;
  if is_kept or found then return; end if;
  delete from share s using node p
    where s.kind = 'pop' and p.id = s.row_id
      and (s.enterprise_id = any (inside) and p.enterprise_id = any (leaves)
        or s.enterprise_id = any (leaves) and p.enterprise_id = any (inside));
end $$;
revoke execute on function weft.leave_branch(bigint, bigint) from public;
grant execute on function weft.leave_branch(bigint, bigint) to weft_api, weft_api_all;
