-- What the enterprises of a space's CPEs chose. Strategies may belong to enterprises above them, which
-- the scope of the space does not reach: definer.
create function weft.pop_choices(space bigint)
  returns table (enterprise_id bigint, strategy text, list bigint[], groups jsonb, only_pops bigint[])
  language sql stable security definer set search_path = weft, pg_temp
  begin atomic
    select e.enterprise_id, s.name,
      array(select m.node_id from weft.pop_strategy_node m where m.owner_id = s.id order by m.place),
      coalesce((
        select jsonb_agg(array(select m.node_id from weft.pop_group_node m
          where m.owner_id = g.id order by m.place) order by g.id)
        from weft.pop_group g where g.strategy_id = s.id), '[]'),
      e.check_server_ids
    from weft.enterprise_strategy e join weft.pop_strategy s on s.id = e.pop_strategy_id
    where e.strategy_type = 1 and e.enterprise_id in (
      select m.node_enterprise_id from weft.space_member m where m.space_id = space and m.kind = 'cpe');
  end;
revoke execute on function weft.pop_choices(bigint) from public;
grant execute on function weft.pop_choices(bigint) to weft_worker;

-- How many sites of other spaces prefer a POP: as their first, or as one of several alike.
create function weft.pop_loads(space bigint, pops bigint[]) returns table (pop_id bigint, sites bigint)
  language sql stable security definer set search_path = weft, pg_temp
  begin atomic
    select l.b_node_id, count(distinct l.a_node_id)
    from weft.link l join weft.node a on a.id = l.a_node_id and a.kind = 'cpe'
    where l.b_node_id = any (pops) and l.space_id <> space and not l.is_leaving
      and coalesce(l.place, 0) = 0
    group by l.b_node_id;
  end;
revoke execute on function weft.pop_loads(bigint, bigint[]) from public;
grant execute on function weft.pop_loads(bigint, bigint[]) to weft_worker;

-- Spaces with CPEs that strategies decide about: of enterprises that chose them, or of those enterprises.
create function weft.spaces_of_choices(strategies bigint[], enterprises bigint[]) returns setof bigint
  language sql stable security definer set search_path = weft, pg_temp
  begin atomic
    select m.space_id from weft.space_member m
      join weft.enterprise_strategy e on e.enterprise_id = m.node_enterprise_id
      where m.kind = 'cpe' and e.pop_strategy_id = any (strategies)
    union
    select m.space_id from weft.space_member m
      where m.kind = 'cpe' and m.node_enterprise_id = any (enterprises);
  end;
revoke execute on function weft.spaces_of_choices(bigint[], bigint[]) from public;
grant execute on function weft.spaces_of_choices(bigint[], bigint[]) to weft_api, weft_api_all;
