-- Later lists of networks for states that devices run (docs/adr/0047-state-revisions.md), with the owner's rights.

-- Lists of these spaces that the newest one follows from, it included: a state that names another one is replaced by a state.
create function weft.current_lists(spaces bigint[]) returns table (space_id bigint, hash text)
  language sql stable security definer set search_path = weft, pg_temp
  begin atomic
    select r.space_id, r.hash from weft.space_revision r
    where r.space_id = any (spaces) and r.revision >= (
      select coalesce(max(b.revision), 0) from weft.space_revision b where b.space_id = r.space_id and not b.follows);
  end;
revoke execute on function weft.current_lists(bigint[]) from public;

-- The newest lists for a state, {revision, lists: section name -> hash}, all that it names among them. Null: it names none that
-- the newest one follows from, of a space that the node is in; its device takes no revisions, or did not take one of this state.
-- Gateways ask for it with each report: plans of a procedural function are kept.
create function weft.revision_of(state weft.node_state) returns jsonb
  language plpgsql stable security definer set search_path = weft, pg_temp
  as $$
declare
  newest jsonb;
begin
  if state.epoch <> (select epoch from installation)
    or not exists (select from node_status d where d.node_id = state.node_id and d.revises)
    or exists (
      select from node_revision f
      where (f.node_id, f.epoch, f.serial) = (state.node_id, state.epoch, state.serial)
        and f.outcome in ('refused', 'failed', 'reverted'))
  then return null; end if;
  with named as materialized (
    select one.key as name, one.value as hash,
      case when starts_with(one.key, 'space.') then substr(one.key, 7)::bigint end as space_id
    from jsonb_each_text(state.sections) one where starts_with(one.key, 'space.')
  ), listed as (
    select n.name, last.revision, last.hash
    from named n cross join lateral (
      select r.revision, r.hash from space_revision r where r.space_id = n.space_id
      order by r.revision desc limit 1) last
    where exists (select from space_member m where m.space_id = n.space_id and m.node_id = state.node_id)
      and (exists (
        select from (
          select coalesce(max(b.revision), 0) as revision from space_revision b
          where b.space_id = n.space_id and not b.follows) bound
        join space_revision k on k.space_id = n.space_id and k.hash = n.hash and k.revision >= bound.revision
        -- What its device was sent before, the newest one does not follow from, though it may be the state's own once more.
        where not exists (
          select from node_revision v
          where (v.node_id, v.epoch, v.serial) = (state.node_id, state.epoch, state.serial)
            and v.revision < bound.revision))
        -- The list that it was to have before one that does not follow is the newest again: no state was made of either.
        or last.hash = weft.revised_sections(state) ->> n.name)
  )
  select jsonb_build_object('revision', (select sum(l.revision) from listed l),
    'lists', jsonb_object_agg(n.name, coalesce(l.hash, n.hash))) into newest
  from named n left join listed l on l.name = n.name
  having count(l.name) > 0;
  return newest;
end $$;
revoke execute on function weft.revision_of(weft.node_state) from public;
grant execute on function weft.revision_of(weft.node_state) to weft_gateway;

-- The sections of a state with the lists that its device has or will be sent for it: what comes next is compared with them. A
-- state that did not act has its own.
-- Of a device that did not take a revision those that it took before.
create function weft.revised_sections(state weft.node_state) returns jsonb
  language plpgsql stable security definer set search_path = weft, pg_temp
  as $$
declare
  lists jsonb;
begin
  if state.held or state.outcome not in ('waiting', 'delivered', 'applied', 'confirmed')
    or not exists (select from node_status d where d.node_id = state.node_id and d.revises)
  then return state.sections; end if;
  if exists (
    select from node_revision f
    where (f.node_id, f.epoch, f.serial) = (state.node_id, state.epoch, state.serial)
      and f.outcome in ('refused', 'failed', 'reverted'))
  then
    select v.lists into lists from node_revision v
    where (v.node_id, v.epoch, v.serial) = (state.node_id, state.epoch, state.serial) and v.outcome = 'confirmed'
    order by v.revision desc limit 1;
  else
    with named as materialized (
      select one.key as name, one.value as hash,
        case when starts_with(one.key, 'space.') then substr(one.key, 7)::bigint end as space_id
      from jsonb_each_text(state.sections) one where starts_with(one.key, 'space.'))
    select jsonb_object_agg(n.name, newest.hash) into lists
    from named n
    cross join lateral (
      select max(k.revision) as revision from space_revision k
      where k.space_id = n.space_id and k.hash = n.hash
        -- The same list may have come back since.
        and k.revision < coalesce((
          select min(v.revision) from node_revision v
          where (v.node_id, v.epoch, v.serial) = (state.node_id, state.epoch, state.serial)), k.revision + 1)) known
    -- The last one before the next that does not follow.
    cross join lateral (
      select r.hash from space_revision r
      where r.space_id = n.space_id and r.revision >= known.revision
        and r.revision < coalesce((
          select min(b.revision) from space_revision b
          where b.space_id = n.space_id and not b.follows and b.revision > known.revision), r.revision + 1)
      order by r.revision desc limit 1) newest;
  end if;
  return state.sections || coalesce(lists, '{}');
end $$;
revoke execute on function weft.revised_sections(weft.node_state) from public;
grant execute on function weft.revised_sections(weft.node_state) to weft_worker;

-- Those of the spaces that have a member whose device takes revisions.
create function weft.revised_spaces(spaces bigint[]) returns setof bigint
  language sql stable security definer set search_path = weft, pg_temp
  begin atomic
    select w.id from unnest(spaces) as w (id) where exists (
      select from weft.space_member m join weft.node_status d on d.node_id = m.node_id
      where m.space_id = w.id and m.kind = 'cpe' and d.revises);
  end;
revoke execute on function weft.revised_spaces(bigint[]) from public;
grant execute on function weft.revised_spaces(bigint[]) to weft_worker;

-- Members of these spaces that need no state for another list: their device takes it for the newest one, which is confirmed
-- or on its way, and holds nothing else that depends on networks of other sites.
create function weft.revision_takers(spaces bigint[]) returns setof bigint
  language sql stable security definer set search_path = weft, pg_temp
  begin atomic
    with member as materialized (
      select m.node_id, array_agg(m.space_id) as space_ids
      from weft.space_member m join weft.node_status d on d.node_id = m.node_id and d.revises
      where m.space_id = any (spaces) and m.kind = 'cpe' group by m.node_id
    ), list as materialized (
      select * from weft.current_lists(spaces)
    )
    select m.node_id from member m join weft.node n on n.id = m.node_id
    cross join lateral (
      select s.* from weft.node_state s where s.node_id = m.node_id order by s.epoch desc, s.serial desc limit 1) s
    where s.epoch = (select epoch from weft.installation) and s.enterprise_id = n.enterprise_id and not s.held
      and s.outcome in ('waiting', 'delivered', 'applied', 'confirmed') and not s.sections ? 'site'
      and not exists (
        select from unnest(m.space_ids) as of (id)
        where (of.id, s.sections ->> ('space.' || of.id)) not in (select space_id, hash from list)
          or s.sections ->> ('space.' || of.id) is null)
      and not exists (
        select from weft.node_revision f
        where (f.node_id, f.epoch, f.serial) = (s.node_id, s.epoch, s.serial)
          and f.outcome in ('refused', 'failed', 'reverted'))
      and not exists (
        select from weft.node_revision v
        where (v.node_id, v.epoch, v.serial) = (s.node_id, s.epoch, s.serial)
          and v.revision < (
            select max(b.revision) from weft.space_revision b where b.space_id = any (m.space_ids) and not b.follows))
      -- A compile that is under way may name a list that was never the newest one of its space.
      and not exists (select from weft.compile_mark c where c.node_id = m.node_id)
      and m.node_id not in (
        select weft.networks_in_state(array(select node_id from member)));
  end;
revoke execute on function weft.revision_takers(bigint[]) from public;
grant execute on function weft.revision_takers(bigint[]) to weft_worker;

-- What a gateway asks for its sockets: the newest list of all spaces, and who of the nodes has one after `since`. Null: those
-- of the last minute, which a gateway that has just started may have missed.
create function weft.revised_sockets(nodes bigint[], since bigint) returns table (last bigint, node_ids bigint[])
  language sql stable security definer set search_path = weft, pg_temp
  begin atomic
    select coalesce(max(r.id), 0), array(
      select distinct m.node_id from weft.space_revision late join weft.space_member m on m.space_id = late.space_id
      where late.id > coalesce(since, (
          select max(o.id) from weft.space_revision o where o.created_at < now() - interval '1 minute'), 0)
        and m.kind = 'cpe' and m.node_id = any (nodes))
    from weft.space_revision r;
  end;
revoke execute on function weft.revised_sockets(bigint[], bigint) from public;
grant execute on function weft.revised_sockets(bigint[], bigint) to weft_gateway;

-- Devices did not take revisions: their lists become part of their next states, with all that becomes of a state. Of nodes of
-- this transaction only.
create function weft.leave_revisions(nodes bigint[]) returns void
  language sql security definer set search_path = weft, pg_temp
  begin atomic
    insert into weft.compile_mark as m (node_id, enterprise_id, cause, created_by, networks_only)
    select n.id, n.enterprise_id, 'edge: revision', 0, true from weft.node n
    where n.id = any (nodes) and n.id = any ((select weft.node_ids())::bigint[])
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

-- Whether the device of a node lacks the newest lists for the state that it confirmed: 'waiting', or 'delivered' once it was sent
-- them; null: it has them, or gets a state.
create function weft.awaited_lists(node bigint) returns text
  language sql stable security definer set search_path = weft, pg_temp
  begin atomic
    select case when exists (
        select from weft.node_revision v
        where (v.node_id, v.epoch, v.serial) = (s.node_id, s.epoch, s.serial) and v.outcome = 'delivered'
          and v.revision = (r.newest ->> 'revision')::bigint)
      then 'delivered' else 'waiting' end
    from weft.node_state s cross join lateral (select weft.revision_of(s) as newest) r
    where s.node_id = node and s.outcome = 'confirmed' and r.newest is not null
      and (s.epoch, s.serial) = (
        select n.epoch, n.serial from weft.node_state n where n.node_id = node and not n.held
        order by n.epoch desc, n.serial desc limit 1)
      and not (s.sections || coalesce((
        select c.lists from weft.node_revision c
        where (c.node_id, c.epoch, c.serial) = (s.node_id, s.epoch, s.serial) and c.outcome = 'confirmed'
        order by c.revision desc limit 1), '{}')) @> (r.newest -> 'lists');
  end;
revoke execute on function weft.awaited_lists(bigint) from public;
grant execute on function weft.awaited_lists(bigint) to weft_api, weft_api_all;
