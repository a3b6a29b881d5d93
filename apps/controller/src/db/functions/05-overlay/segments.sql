-- Segment routes act: what a state and the list of them are made of.

-- Enabled segment routes of spaces, with what decides there whether and how each can act. One of a CPE is in the
-- space of that CPE, one of all CPEs in every space of its enterprise. With the owner's rights: which routes give
-- way to others must come out the same for every reader.
create function weft.segments_in(spaces bigint[]) returns table (
    space_id bigint, id bigint, name text, cpe_id bigint, destination text, metric smallint,
    pop_ids bigint[], members bigint[], sources text[], networks text[])
  language sql stable security definer set search_path = weft, pg_temp
  begin atomic
    with route as (
      select s.id as space_id, r.id, r.name, r.cpe_id, r.destination, r.metric,
        array(select x.node_id from weft.segment_route_node x where x.owner_id = r.id order by x.place) as pop_ids
      from weft.net_space s join weft.segment_route r on r.enabled and case when r.cpe_id is null
        then r.enterprise_id = s.enterprise_id
        else exists (select from weft.space_member m where m.space_id = s.id and m.node_id = r.cpe_id) end
      where s.id = any (spaces)
    ), there as materialized (
      select n.space_id, n.node_id, n.network, n.kind
      from weft.space_networks(array(select space_id from route)) n where n.kind <> 'route'
    )
    select r.space_id, r.id, r.name, r.cpe_id, r.destination, r.metric, r.pop_ids,
      array(select m.node_id from weft.space_member m
        where m.space_id = r.space_id and m.node_id = any (r.pop_ids)),
      array(select distinct t.network from there t
        where t.space_id = r.space_id and t.node_id = r.cpe_id and t.kind <> 'pool'),
      array(select distinct t.network from there t
        where t.space_id = r.space_id and t.network::inet && r.destination::inet)
    from route r;
  end;
revoke execute on function weft.segments_in(bigint[]) from public;
grant execute on function weft.segments_in(bigint[]) to weft_api, weft_worker;
grant execute on function weft.segments_in(bigint[]) to weft_api_all;

-- Spaces that segment routes are in, enabled or not.
create function weft.segment_spaces(ids bigint[]) returns table (id bigint, space_id bigint)
  language sql stable security definer set search_path = weft, pg_temp
  begin atomic
    select r.id, s.id from weft.segment_route r join weft.net_space s on case when r.cpe_id is null
        then r.enterprise_id = s.enterprise_id
        else exists (select from weft.space_member m where m.space_id = s.id and m.node_id = r.cpe_id) end
    where r.id = any (ids);
  end;
revoke execute on function weft.segment_spaces(bigint[]) from public;
grant execute on function weft.segment_spaces(bigint[]) to weft_api, weft_worker;
grant execute on function weft.segment_spaces(bigint[]) to weft_api_all;

-- Of each hop of segment routes in each of their spaces, what its devices reported: at place 0 the CPEs that flows
-- come from, all together, then one POP each. `linked`: it has a link to the next hop; `carrying`: its confirmed
-- state has the route; `cut`: it reports that the route does not act there; `unsettled`: a state is on its way.
create function weft.segment_hops(ids bigint[]) returns table (
    id bigint, space_id bigint, place integer, name text, nodes integer, able integer, linked integer,
    online integer, carrying integer, cut integer, unsettled integer, reason text)
  language sql stable security definer set search_path = weft, pg_temp
  begin atomic
    with own as materialized (
      select n.space_id, n.node_id, n.network::inet as network
      from weft.space_networks(array(select space_id from weft.segment_spaces(ids))) n where n.kind <> 'route'
    ), hop as materialized (
      select s.id, s.space_id, r.enterprise_id, 0 as place, m.node_id,
        (select x.node_id from weft.segment_route_node x where x.owner_id = r.id order by x.place limit 1) as next_id
      from weft.segment_spaces(ids) s join weft.segment_route r on r.id = s.id
      join weft.space_member m on m.space_id = s.space_id and m.kind = 'cpe'
      where m.node_id = r.cpe_id or r.cpe_id is null and not exists (select from own o
        where o.space_id = s.space_id and o.node_id = m.node_id and o.network >>= r.destination::inet)
      union all
      select s.id, s.space_id, r.enterprise_id, (row_number() over (partition by s.id, s.space_id order by x.place))::int,
        x.node_id, lead(x.node_id) over (partition by s.id, s.space_id order by x.place)
      from weft.segment_spaces(ids) s join weft.segment_route r on r.id = s.id
      join weft.segment_route_node x on x.owner_id = r.id
    ), seen as (
      select h.*, n.online, n.capabilities @> '[{"name": "segments", "can": true}]' as able,
        exists (select from weft.link l where l.space_id = h.space_id
          and ((l.a_node_id = h.node_id and l.b_node_id = h.next_id)
            or (l.b_node_id = h.node_id and l.a_node_id = h.next_id))) as linked,
        exists (select from weft.state_section c where c.node_id = h.node_id
          and c.hash = state.sections ->> ('segment.' || h.space_id)
          and (c.content -> 'routes')::jsonb @> jsonb_build_array(jsonb_build_object('id', h.id))) as carrying,
        (select f ->> 'reason' from jsonb_array_elements(state.findings) f
          where f ->> 'kind' = 'segment' and f -> 'params' ->> 'id' = h.id::text
            and f ->> 'section' = 'segment.' || h.space_id limit 1) as reason,
        state.serial is distinct from newest.serial or state.epoch is distinct from newest.epoch
          or exists (select from weft.compile_mark k where k.node_id = h.node_id) as unsettled
      from hop h left join weft.node_status n on n.node_id = h.node_id
      left join lateral (select a.* from weft.node_state a where a.node_id = h.node_id and a.outcome = 'confirmed'
        order by a.epoch desc, a.serial desc limit 1) state on true
      left join lateral (select b.epoch, b.serial from weft.node_state b where b.node_id = h.node_id
        order by b.epoch desc, b.serial desc limit 1) newest on true
    )
    select seen.id, seen.space_id, seen.place, min(weft.name_for(seen.enterprise_id, seen.node_id)), count(*)::int,
      count(*) filter (where seen.able)::int, count(*) filter (where seen.linked)::int,
      count(*) filter (where seen.online)::int, count(*) filter (where seen.carrying)::int,
      count(*) filter (where seen.carrying and seen.reason is not null)::int,
      count(*) filter (where seen.unsettled)::int, min(seen.reason) filter (where seen.carrying)
    from seen group by seen.id, seen.space_id, seen.place;
  end;
revoke execute on function weft.segment_hops(bigint[]) from public;
grant execute on function weft.segment_hops(bigint[]) to weft_api, weft_worker;
grant execute on function weft.segment_hops(bigint[]) to weft_api_all;

-- Nodes whose states segment routes are part of: their POPs, and the CPEs that flows come from.
create function weft.segment_nodes(ids bigint[]) returns table (enterprise_id bigint, node_ids bigint[])
  language sql stable security definer set search_path = weft, pg_temp
  begin atomic
    select n.enterprise_id, array_agg(n.id order by n.id) from weft.node n where n.id in (
      select m.node_id from weft.segment_spaces(ids) s join weft.segment_route r on r.id = s.id
        join weft.space_member m on m.space_id = s.space_id
        where m.kind = 'cpe' and (r.cpe_id is null or m.node_id = r.cpe_id)
      union select x.node_id from weft.segment_route_node x where x.owner_id = any (ids)
    ) group by n.enterprise_id;
  end;
revoke execute on function weft.segment_nodes(bigint[]) from public;
grant execute on function weft.segment_nodes(bigint[]) to weft_api, weft_worker;
grant execute on function weft.segment_nodes(bigint[]) to weft_api_all;
