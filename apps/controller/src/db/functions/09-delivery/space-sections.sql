-- Contents of sections of spaces, with the owner's rights. Callers pass spaces that a head names which they may read.
create function weft.space_contents(spaces bigint[], hashes text[]) returns table (space_id bigint, hash text, content json)
  language sql stable security definer set search_path = weft, pg_temp
  begin atomic
    select s.space_id, s.hash, s.content from weft.space_section s where s.space_id = any (spaces) and s.hash = any (hashes);
  end;
revoke execute on function weft.space_contents(bigint[], text[]) from public;
grant execute on function weft.space_contents(bigint[], text[]) to weft_api, weft_api_all, weft_worker, weft_gateway;

-- What members of spaces keep inside, as it is: no row is hidden from it.
create function weft.kept_networks(spaces bigint[]) returns table (space_id bigint, networks text[])
  language sql stable security definer set search_path = weft, pg_temp
  begin atomic
    select w.id, coalesce(array_agg(distinct s.network) filter (where s.network is not null), '{}')
    from unnest(spaces) as w (id) left join weft.space_networks(spaces) s on s.space_id = w.id and s.kind <> 'route'
    group by w.id;
  end;
revoke execute on function weft.kept_networks(bigint[]) from public;
grant execute on function weft.kept_networks(bigint[]) to weft_worker;

-- Those of the nodes whose states have more of other sites' networks than the list of their space: ends of circuits,
-- members of user groups, and members of spaces that segment routes are in.
create function weft.networks_in_state(nodes bigint[]) returns setof bigint
  language sql stable security definer set search_path = weft, pg_temp
  begin atomic
    select c.source_id from weft.circuit c where c.source_id = any (nodes)
    union select c.target_id from weft.circuit c where c.target_id = any (nodes)
    union select g.node_id from weft.cug_node g where g.node_id = any (nodes)
    union select m.node_id from weft.space_member m where m.node_id = any (nodes) and m.space_id in (
      select s.space_id from weft.segments_in(array(
        select distinct o.space_id from weft.space_member o where o.node_id = any (nodes))) s);
  end;
revoke execute on function weft.networks_in_state(bigint[]) from public;
grant execute on function weft.networks_in_state(bigint[]) to weft_worker;
