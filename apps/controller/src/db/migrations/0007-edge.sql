-- Why a state came back, clones, and boxes that take another's place.

-- Set when the edge itself was stopped in the middle: not a word about whether it reached us.
alter table weft.node_state add column stopped boolean not null default false;

-- As before, but by what the edge says instead of by how long it took.
create or replace function weft.is_retry_due(state weft.node_state, after_silence interval, after_stop interval)
  returns boolean
  language sql stable
  return state.outcome = 'reverted' and (state.no_echo or state.stopped) and state.retries = 0
    and state.ended_at <= now() - case when state.stopped then after_stop else after_silence end;

-- ---------------------------------------------------------------- clones

-- Two boxes with one key: the key is not believed any more (design section 6).
alter table weft.node_identity
  drop constraint node_identity_state_check,
  add constraint node_identity_state_check
    check (state in ('pending', 'approved', 'rejected', 'quarantined'));
drop index weft.one_approved_identity;
create unique index one_identity_in_place on weft.node_identity (node_id)
  where state in ('approved', 'quarantined');

alter table weft.node_status
  -- Where the newest socket came from.
  add column socket_address text,
  -- Sockets that were replaced while the other end still answered: [{at, from, to}], the last few.
  add column replacements jsonb not null default '[]';

-- Believes the key of this node no more. Once: later calls change nothing.
create function weft.quarantine_edge(node bigint, key text, facts jsonb) returns boolean
language plpgsql security definer set search_path = weft, pg_temp as $$
declare
  found_one weft.node_identity;
begin
  update weft.node_identity i set state = 'quarantined', decided_at = now(), decided_by = 'clone'
  where i.node_id = node and i.public_key = key and i.state = 'approved'
  returning i.* into found_one;
  if found_one.id is null then return false; end if;
  insert into weft.audit (enterprise_id, user_id, login_name, action, resource, row_id, old_value, new_value, address, request_id)
  values (found_one.enterprise_id, 0, 'edge', 'edge.quarantine', 'enrolment', found_one.id,
    jsonb_build_object('nodeId', node, 'state', 'approved'),
    jsonb_build_object('nodeId', node, 'state', 'quarantined') || facts, '', '');
  return true;
end $$;
revoke execute on function weft.quarantine_edge(bigint, text, jsonb) from public;
grant execute on function weft.quarantine_edge(bigint, text, jsonb) to weft_gateway;

create or replace function weft.watch_edges(
  nodes bigint[], keys text[], epochs bigint[], after_silence interval, after_stop interval
) returns table (node_id bigint, verdict text)
  language sql stable security definer set search_path = weft, pg_temp
  begin atomic
    select w.node, case
        when i.id is null then coalesce((select q.state from weft.node_identity q
          where q.node_id = w.node and q.public_key = w.key and q.state = 'quarantined'), 'rejected')
        when s.session_epoch > w.epoch then 'replaced'
        else 'due' end
    from unnest(nodes, keys, epochs) as w (node, key, epoch)
    left join weft.node_identity i
      on i.node_id = w.node and i.public_key = w.key and i.state = 'approved'
    left join weft.node_status s on s.node_id = w.node
    left join lateral (
      select n.outcome = 'waiting' or weft.is_retry_due(n, after_silence, after_stop) as due
      from weft.node_state n
      where n.node_id = w.node order by n.epoch desc, n.serial desc limit 1
    ) newest on true
    where i.id is null or s.session_epoch > w.epoch or newest.due;
  end;

-- ---------------------------------------------------------------- claims for another box

create or replace function weft.use_claim(
  token bytea, serial_number text, key text, from_address text, request text
) returns table (verdict text, node bigint)
language plpgsql security definer set search_path = weft, pg_temp as $$
declare
  c weft.claim;
  identity weft.node_identity;
  replaced weft.node_identity;
begin
  select * into c from weft.claim where token_hash = token for update;
  if not found then
    return query select 'claimUnknown', null::bigint;
    return;
  end if;
  select * into identity from weft.node_identity where public_key = key for update;
  verdict := case
    when c.sn <> serial_number then 'claimOtherSerial'
    when c.used_key is not null and c.used_key <> key then 'claimUsed'
    when c.used_key is null and (c.revoked_at is not null or c.expires_at <= now()) then 'claimExpired'
    when identity.id is not null and identity.node_id <> c.node_id and identity.state = 'approved'
      then 'notYours'
    -- Two boxes have this key: neither gets in with it, whatever claim it holds.
    when identity.state = 'quarantined' then 'quarantined'
    when c.used_key is not null and identity.id is null then 'rejected'
    when c.used_key is not null and identity.node_id <> c.node_id then 'notYours'
    when c.used_key is null and exists (select from weft.node n where n.enterprise_id = c.enterprise_id
      and n.sn = c.sn and n.id <> c.node_id) then 'notYours'
  end;
  if verdict is not null then
    insert into weft.audit (enterprise_id, user_id, login_name, action, resource, row_id, new_value, address, request_id)
    values (c.enterprise_id, 0, 'edge', 'edge.enrolRefused', 'claim', c.id,
      jsonb_build_object('reason', verdict, 'sn', serial_number), from_address, request);
    return query select verdict, null::bigint;
    return;
  end if;
  -- The same box asks again: the same answer.
  if c.used_key is not null then
    return query select identity.state, case when identity.state = 'approved' then c.node_id end;
    return;
  end if;
  update weft.claim set used_key = key, used_at = now() where id = c.id;
  if c.pre_approved then
    update weft.node_identity i set state = 'rejected', decided_at = now(), decided_by = 'claim'
    where i.node_id = c.node_id and i.state in ('approved', 'quarantined') and i.public_key <> key
    returning i.* into replaced;
    -- Another box has another serial number; the node keeps all the rest.
    update weft.node set sn = c.sn, updated_at = now() where id = c.node_id and sn <> c.sn;
    if replaced.id is not null then
      -- Peers close the door to the old box's tunnels at once.
      update weft.node_status set tunnel_key = null where node_id = c.node_id;
      insert into weft.change (enterprise_id, node_ids, space_ids, cause, created_by)
      values (c.enterprise_id, array[c.node_id], '{}', 'edge: replaced', 0);
    end if;
  end if;
  insert into weft.node_identity (enterprise_id, node_id, public_key, sn, address, state, decided_at, decided_by)
  values (c.enterprise_id, c.node_id, key, c.sn, from_address,
    case when c.pre_approved then 'approved' else 'pending' end,
    case when c.pre_approved then now() end, case when c.pre_approved then 'claim' end)
  on conflict (public_key) do update set
    enterprise_id = excluded.enterprise_id, node_id = excluded.node_id, sn = excluded.sn,
    address = excluded.address,
    state = case when node_identity.state = 'approved' then 'approved' else excluded.state end,
    decided_at = excluded.decided_at, decided_by = excluded.decided_by
  returning * into identity;
  insert into weft.audit (enterprise_id, user_id, login_name, action, resource, row_id, old_value, new_value, address, request_id)
  values (c.enterprise_id, 0, 'edge', 'edge.enrol', 'enrolment', identity.id,
    case when replaced.id is not null then jsonb_build_object('identity', replaced.id, 'sn', replaced.sn) end,
    jsonb_build_object('nodeId', c.node_id, 'sn', c.sn, 'state', identity.state), from_address, request);
  return query select identity.state, case when identity.state = 'approved' then c.node_id end;
end $$;
