-- Later lists of networks for states that devices run (docs/adr/0047-state-revisions.md), with the owner's rights.

-- The one rule of which lists a device gets without a state. Of each node whose device takes revisions, for its newest state that is
-- not held, where that one acts or may come to act:
-- `lists`, section name -> hash: those that the device has, or is to have next, beside the state's other sections. What comes
-- next is compared with them.
-- `revision`: their number, where they are the newest ones and may go to the device for this state; null: it gets a state instead.
--
-- They may go where the newest list of each space follows from whatever the device may have: from the state's own list, and from
-- all that it was sent. Numbers count over all spaces in the order of commits, so that what was sent before a list that does not
-- follow has a lower one.
--
-- Gateways ask for it with each report: plans of a procedural function are kept.
create function weft.device_lists(nodes bigint[])
  returns table (node_id bigint, epoch bigint, serial bigint, revision bigint, lists jsonb)
  language plpgsql stable security definer set search_path = weft, pg_temp
  as $$
#variable_conflict use_column
begin
  return query
  with state as materialized (
    select s.node_id, s.epoch, s.serial, s.sections, s.created_at, sent.first, sent.lists,
      s.epoch = (select i.epoch from installation i) and s.enterprise_id = n.enterprise_id and not ended.is_left as is_taken
    from unnest(nodes) as w (id)
    join node n on n.id = w.id
    join node_status d on d.node_id = n.id and d.revises
    cross join lateral (
      select * from node_state o where o.node_id = n.id and not o.held order by o.epoch desc, o.serial desc limit 1) s
    -- What a device did not take, it has no more, and it takes no others of this state.
    cross join lateral (
      select exists (
        select from node_revision v where (v.node_id, v.epoch, v.serial) = (s.node_id, s.epoch, s.serial)
          and v.outcome in ('refused', 'failed', 'reverted')) as is_left) ended
    cross join lateral (
      select (
          select v.revision from node_revision v where (v.node_id, v.epoch, v.serial) = (s.node_id, s.epoch, s.serial)
          order by v.revision limit 1) as first, (
          select v.lists from node_revision v where (v.node_id, v.epoch, v.serial) = (s.node_id, s.epoch, s.serial)
            and (v.outcome = 'confirmed' or not ended.is_left)
          order by v.revision desc limit 1) as lists) sent
    where s.outcome in ('waiting', 'delivered', 'applied', 'confirmed')
  ), named as materialized (
    select s.node_id, one.key as name, one.value as hash, substr(one.key, 7)::bigint as space_id
    from state s cross join jsonb_each_text(s.sections) one where starts_with(one.key, 'space.')
  ), newest as materialized (
    select w.space_id, last.revision, last.hash, last.created_at, (
      select coalesce(max(b.revision), 0) from space_revision b where b.space_id = w.space_id and not b.follows) as bound
    from (select distinct space_id from named) w
    cross join lateral (
      select * from space_revision r where r.space_id = w.space_id order by r.revision desc limit 1) last
  ), taken as (
    select s.node_id, max(l.revision) as revision, jsonb_object_agg(n.name, l.hash) as lists
    from state s join named n on n.node_id = s.node_id left join newest l on l.space_id = n.space_id
    where s.is_taken
    group by s.node_id
    having bool_and(
      -- No member any more: a state without the space is on its way, or waits for an operator.
      exists (select from space_member m where (m.space_id, m.node_id) = (n.space_id, s.node_id) and m.kind = 'cpe')
      and (
        exists (select from space_revision k where k.space_id = n.space_id and k.hash = n.hash and k.revision >= l.bound)
          and coalesce(s.first >= l.bound, true)
          -- A state that was made after it with another list knows a change that no list has yet.
          and (l.hash = n.hash or l.created_at >= s.created_at)
        -- The one that it was sent last: it may have it already, so no state is made of it.
        or coalesce(l.hash = s.lists ->> n.name, false)))
  )
  select s.node_id, s.epoch, s.serial, t.revision, coalesce(t.lists, s.lists, '{}')
  from state s left join taken t on t.node_id = s.node_id;
end $$;
revoke execute on function weft.device_lists(bigint[]) from public;
grant execute on function weft.device_lists(bigint[]) to weft_worker, weft_gateway;

-- Those of the spaces whose lists are written: a member's device takes them, or has taken them. The newest one has to stay the
-- present one, or a device that takes them again would get what is over.
create function weft.revised_spaces(spaces bigint[]) returns setof bigint
  language sql stable security definer set search_path = weft, pg_temp
  begin atomic
    select w.id from weft.net_space w
    where w.id = any (spaces) and (
      exists (select from weft.space_revision r where r.space_id = w.id)
      or exists (
        select from weft.space_member m join weft.node_status d on d.node_id = m.node_id
        where m.space_id = w.id and m.kind = 'cpe' and d.revises));
  end;
revoke execute on function weft.revised_spaces(bigint[]) from public;
grant execute on function weft.revised_spaces(bigint[]) to weft_worker;

-- Members of these spaces that need no state for their newest lists: they come as revisions of the newest state, once it is confirmed,
-- and nothing else in it depends on networks of other sites.
create function weft.revision_takers(spaces bigint[]) returns setof bigint
  language sql stable security definer set search_path = weft, pg_temp
  begin atomic
    with member as materialized (
      select m.node_id, m.space_id from weft.space_member m where m.space_id = any (spaces) and m.kind = 'cpe')
    select l.node_id from weft.device_lists(array(select distinct node_id from member)) l
    join weft.node_state s on (s.node_id, s.epoch, s.serial) = (l.node_id, l.epoch, l.serial)
    where l.revision is not null and not s.sections ? 'site'
      and not exists (select from member m where m.node_id = l.node_id and not l.lists ? ('space.' || m.space_id))
      -- One that is held is compiled again with each change.
      and not exists (
        select from weft.node_state h where h.node_id = l.node_id and (h.epoch, h.serial) > (l.epoch, l.serial))
      -- A compile that is under way may name a list that was never the newest one of its space.
      and not exists (select from weft.compile_mark c where c.node_id = l.node_id)
      and l.node_id not in (
        select weft.networks_in_state(array(select distinct node_id from member)));
  end;
revoke execute on function weft.revision_takers(bigint[]) from public;
grant execute on function weft.revision_takers(bigint[]) to weft_worker;

-- What a gateway asks for its sockets: the newest list of all spaces, and who of the nodes has one after `since`. Null: those
-- of the last minute, which a gateway that has just started may have missed.
create function weft.revised_sockets(nodes bigint[], since bigint) returns table (last bigint, node_ids bigint[])
  language sql stable security definer set search_path = weft, pg_temp
  begin atomic
    select coalesce(max(r.revision), 0), array(
      select distinct m.node_id from weft.space_revision late join weft.space_member m on m.space_id = late.space_id
      where late.revision > coalesce(since, (
          select max(o.revision) from weft.space_revision o where o.created_at < now() - interval '1 minute'), 0)
        and m.kind = 'cpe' and m.node_id = any (nodes))
    from weft.space_revision r;
  end;
revoke execute on function weft.revised_sockets(bigint[], bigint) from public;
grant execute on function weft.revised_sockets(bigint[], bigint) to weft_gateway;

-- What devices reported may leave them with lists that are not the newest ones, while no revision brings these: one was not taken, the
-- state that was to have them did not act, or what is confirmed was sent while a list was written that does not follow from it.
-- Then they become part of their next states, with all that becomes of a state. Of nodes of this transaction only.
create function weft.leave_revisions(nodes bigint[]) returns void
  language sql security definer set search_path = weft, pg_temp
  begin atomic
    insert into weft.compile_mark as m (node_id, enterprise_id, cause, created_by, networks_only)
    select n.id, n.enterprise_id, 'edge: revision', 0, true
    from weft.node n
    join weft.node_status d on d.node_id = n.id and d.revises
    cross join lateral (
      select * from weft.node_state o where o.node_id = n.id and not o.held order by o.epoch desc, o.serial desc limit 1) s
    left join weft.device_lists(nodes) l on (l.node_id, l.epoch, l.serial) = (s.node_id, s.epoch, s.serial)
    where n.id = any (nodes) and n.id = any ((select weft.node_ids())::bigint[]) and n.kind = 'cpe' and l.revision is null
      and exists (
        select from jsonb_each_text(s.sections || coalesce(l.lists, '{}')) one
        cross join lateral (
          select r.hash from weft.space_revision r
          where r.space_id = case when starts_with(one.key, 'space.') then substr(one.key, 7)::bigint end
          order by r.revision desc limit 1) newest
        where newest.hash <> one.value)
    on conflict (node_id) do update set generation = m.generation + 1, at = least(m.at, now()), failure = null;
  end;
revoke execute on function weft.leave_revisions(bigint[]) from public;
grant execute on function weft.leave_revisions(bigint[]) to weft_gateway;

-- False: there is no such space any more.
create function weft.is_space(space bigint) returns boolean
  language sql stable security definer set search_path = weft, pg_temp
  return exists (select from weft.net_space s where s.id = space);
revoke execute on function weft.is_space(bigint) from public;
grant execute on function weft.is_space(bigint) to weft_worker;

-- Nodes whose devices lack the newest lists for the state that they confirmed: 'waiting', or 'delivered' once they were sent
-- them. Others have them, or get a state. Every list of nodes asks, of its page: the plan of a procedural function is kept.
create function weft.awaited_lists(nodes bigint[]) returns table (node_id bigint, awaited text)
  language plpgsql stable security definer set search_path = weft, pg_temp
  as $$
#variable_conflict use_column
begin
  if nodes = '{}' then
    return;
  end if;
  return query
  select l.node_id, case when exists (
      select from node_revision v
      where (v.node_id, v.epoch, v.serial, v.revision) = (l.node_id, l.epoch, l.serial, l.revision) and v.outcome = 'delivered')
    then 'delivered' else 'waiting' end
  from device_lists(nodes) l
  join node_state s on (s.node_id, s.epoch, s.serial) = (l.node_id, l.epoch, l.serial)
  where l.revision is not null and s.outcome = 'confirmed'
    and not (s.sections || coalesce((
      select c.lists from node_revision c
      where (c.node_id, c.epoch, c.serial) = (l.node_id, l.epoch, l.serial) and c.outcome = 'confirmed'
      order by c.revision desc limit 1), '{}')) @> l.lists;
end $$;
revoke execute on function weft.awaited_lists(bigint[]) from public;
grant execute on function weft.awaited_lists(bigint[]) to weft_api, weft_api_all;
