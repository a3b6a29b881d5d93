-- POPs that agents in scope may use before a space of theirs does: those of the enterprises above
-- them. Where a POP strategy was chosen for an enterprise, it narrows what those above offer to it
-- and to all below it. Who is above, and what was chosen there, is out of an agent's sight: definer.
create function weft.offered_pops() returns bigint[]
  language sql stable parallel safe security definer set search_path = weft, pg_temp
  begin atomic
    select coalesce(array_agg(distinct n.id), '{}')
    from weft.enterprise a
    join weft.node n on n.kind = 'pop' and n.enterprise_id = any (weft.above(array[a.id]))
    where a.is_agent and a.id = any (weft.scope_enterprises())
      and not exists (
        select from weft.enterprise_strategy s
        where s.enterprise_id = any (weft.above(array[a.id])) and s.strategy_type = 1
          and n.enterprise_id <> s.enterprise_id
          and n.enterprise_id = any (weft.above(array[s.enterprise_id]))
          and not (
            n.id in (select m.node_id from weft.pop_strategy_node m where m.owner_id = s.pop_strategy_id)
            and (s.check_server_ids = '{}' or n.id = any (s.check_server_ids))));
  end;
revoke execute on function weft.offered_pops() from public;
grant execute on function weft.offered_pops() to weft_api;

create policy offered on weft.node for select to weft_api using (
  kind = 'pop' and id = any ((select weft.offered_pops())::bigint[]));
create policy offered on weft.line for select to weft_api using (
  node_id = any ((select weft.offered_pops())::bigint[]));
create policy offered on weft.node_status for select to weft_api using (
  node_id = any ((select weft.offered_pops())::bigint[]));
