-- What the worker asks before it has a scope.
--
-- Nodes are compiled many at a time, on one snapshot: what a compile asks of one node is asked of a list of them.

-- The enterprises whose rows the states of these nodes are made of.
create function weft.compile_scope(nodes bigint[]) returns bigint[]
  language sql stable security definer set search_path = weft, pg_temp
  begin atomic
    select coalesce(array_agg(distinct one), '{}') from (
      select n.enterprise_id as one from weft.node n where n.id = any (nodes)
      union
      select m.enterprise_id from weft.space_member m where m.node_id = any (nodes)
      union
      -- POPs of other enterprises in those spaces: their lines and names are endpoints.
      select peer.node_enterprise_id from weft.space_member peer where peer.space_id in (
        select m.space_id from weft.space_member m where m.node_id = any (nodes))
    ) all_of_them;
  end;
revoke execute on function weft.compile_scope(bigint[]) from public;
grant execute on function weft.compile_scope(bigint[]) to weft_worker;

-- The enterprises whose rows decide which links a space has.
create function weft.space_scope(space bigint) returns bigint[]
  language sql stable security definer set search_path = weft, pg_temp
  begin atomic
    select coalesce(array_agg(distinct one), '{}') from (
      select s.enterprise_id as one from weft.net_space s where s.id = space
      union
      select m.node_enterprise_id from weft.space_member m where m.space_id = space
    ) all_of_them;
  end;
revoke execute on function weft.space_scope(bigint) from public;
grant execute on function weft.space_scope(bigint) to weft_worker;

-- Spaces that nodes are in, and spaces that links of theirs still belong to.
create function weft.spaces_of(nodes bigint[]) returns setof bigint
  language sql stable security definer set search_path = weft, pg_temp
  begin atomic
    select m.space_id from weft.space_member m where m.node_id = any (nodes)
    union
    select l.space_id from weft.link l where l.a_node_id = any (nodes) or l.b_node_id = any (nodes);
  end;
revoke execute on function weft.spaces_of(bigint[]) from public;
grant execute on function weft.spaces_of(bigint[]) to weft_worker;

create function weft.members_of(spaces bigint[]) returns setof bigint
  language sql stable security definer set search_path = weft, pg_temp
  begin atomic
    select distinct m.node_id from weft.space_member m where m.space_id = any (spaces);
  end;
revoke execute on function weft.members_of(bigint[]) from public;
grant execute on function weft.members_of(bigint[]) to weft_worker;

-- Enterprises of nodes; those that are gone are left out.
create function weft.nodes_of(nodes bigint[]) returns table (node_id bigint, enterprise_id bigint)
  language sql stable security definer set search_path = weft, pg_temp
  begin atomic
    select n.id, n.enterprise_id from weft.node n where n.id = any (nodes);
  end;
revoke execute on function weft.nodes_of(bigint[]) from public;
grant execute on function weft.nodes_of(bigint[]) to weft_worker;

-- How many rows a compile of these nodes reads that are numerous: of a node itself (no space), and members of the spaces
-- that it is in, which nodes of one batch read once.
create function weft.compile_weights(nodes bigint[])
  returns table (node_id bigint, space_id bigint, weight bigint)
  language sql stable security definer set search_path = weft, pg_temp
  begin atomic
    select w.id, null::bigint,
      (select count(*) from weft.link l where l.a_node_id = w.id)
      + (select count(*) from weft.link l where l.b_node_id = w.id)
      + (select count(*) from weft.acl_rule r where r.node_id = w.id)
      + (select count(*) from weft.static_route r where r.node_id = w.id)
      + (select count(*) from weft.router_ip_entry r where r.node_id = w.id)
      + (select count(*) from weft.router_domain r where r.node_id = w.id)
      + (select count(*) from weft.router_url r where r.node_id = w.id)
      + (select count(*) from weft.node n join weft.blacklist b on b.enterprise_id = n.enterprise_id
        where n.id = w.id and n.kind = 'cpe')
      + (select count(*) from weft.client_service s join weft.mobile_account a on a.enterprise_id = s.enterprise_id
        where s.pop_id = w.id)
      from unnest(nodes) as w (id)
    union all
    select m.node_id, m.space_id, s.weight
      from weft.space_member m
      join (
        select o.space_id, count(*) as weight from weft.space_member o where o.space_id in (
          select i.space_id from weft.space_member i where i.node_id = any (nodes))
        group by o.space_id
      ) s on s.space_id = m.space_id
      where m.node_id = any (nodes);
  end;
revoke execute on function weft.compile_weights(bigint[]) from public;
grant execute on function weft.compile_weights(bigint[]) to weft_worker;
