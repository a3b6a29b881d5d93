-- A device that is not yet known to be a node is looked up by its key or claim: definer functions for
-- the gateway, so that it needs no right to the tables.

-- Who says hello: the identity of this key on this node, whatever became of it. A device whose node was removed is told so.
create function weft.edge_identity(node bigint, key text)
  returns table (enterprise_id bigint, sn text, state text)
  language sql stable security definer set search_path = weft, pg_temp
  begin atomic
    select i.enterprise_id, i.sn, i.state from weft.node_identity i
    where i.node_id = node and i.public_key = key
    union all
    select r.enterprise_id, r.sn, 'removed' from weft.removed_device r
    where r.node_id = node and r.public_key = key
      and not exists (select from weft.node_identity i where i.public_key = key);
  end;
revoke execute on function weft.edge_identity(bigint, text) from public;
grant execute on function weft.edge_identity(bigint, text) to weft_gateway;

-- The key that may confirm for a node.
create function weft.edge_key(node bigint) returns text
  language sql stable security definer set search_path = weft, pg_temp
  begin atomic
    select i.public_key from weft.node_identity i where i.node_id = node and i.state = 'approved';
  end;
revoke execute on function weft.edge_key(bigint) from public;
grant execute on function weft.edge_key(bigint) to weft_gateway;

-- Uses a claim (design section 6). The verdict is the state of the device's identity, or a refusal of
-- the device protocol. Everything about a claim that exists is audited.
create function weft.use_claim(
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
    -- Two devices have this key: neither is admitted with it, whatever claim it has.
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
  -- The same device asks again: the same answer.
  if c.used_key is not null then
    return query select identity.state, case when identity.state = 'approved' then c.node_id end;
    return;
  end if;
  update weft.claim set used_key = key, used_at = now() where id = c.id;
  if c.pre_approved then
    update weft.node_identity i set state = 'rejected', decided_at = now(), decided_by = 'claim'
    where i.node_id = c.node_id and i.state in ('approved', 'quarantined') and i.public_key <> key
    returning i.* into replaced;
    -- Another device has another serial number; the node keeps everything else.
    update weft.node set sn = c.sn, updated_at = now() where id = c.node_id and sn <> c.sn;
    if replaced.id is not null then
      -- Peers refuse the old device's tunnels immediately.
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
revoke execute on function weft.use_claim(bytea, text, text, text, text) from public;
grant execute on function weft.use_claim(bytea, text, text, text, text) to weft_gateway;

-- Revokes trust in the key of this node. Once: later calls change nothing.
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

create function weft.note_removed_device() returns trigger
  language plpgsql security definer set search_path = weft, pg_temp as $$
begin
  insert into removed_device (public_key, node_id, enterprise_id, sn)
  select public_key, node_id, enterprise_id, sn from node_identity
  where node_id = old.id and state = 'approved'
  on conflict (public_key) do update set node_id = excluded.node_id,
    enterprise_id = excluded.enterprise_id, sn = excluded.sn, removed_at = now();
  return old;
end $$;
create trigger note_removed before delete on weft.node
  for each row execute function weft.note_removed_device();

-- A device reports the newest key that it holds. What it holds before any change is prepared is no event. False: others hold
-- its row, and nothing is written, unless it `waits` for them.
create function weft.note_pin(node bigint, key text, pinned text, waits boolean) returns boolean
language plpgsql security definer set search_path = weft, pg_temp as $$
declare
  was weft.node_identity;
begin
  -- What is known already, as of each device that comes back, locks no row: the transaction then has nothing to flush.
  perform from weft.node_identity i
  where i.node_id = node and i.public_key = key and i.state = 'approved' and i.pinned_key = pinned;
  if found then return true; end if;
  if waits then
    select * into was from weft.node_identity i
    where i.node_id = node and i.public_key = key and i.state = 'approved' for update;
  else
    select * into was from weft.node_identity i
    where i.node_id = node and i.public_key = key and i.state = 'approved' for update skip locked;
    if not found then
      return not exists (select from weft.node_identity i
        where i.node_id = node and i.public_key = key and i.state = 'approved');
    end if;
  end if;
  if was.id is null or was.pinned_key is not distinct from pinned then return true; end if;
  update weft.node_identity set pinned_key = pinned where id = was.id;
  if was.pinned_key is null
    and not exists (select from weft.installation where next_controller_key = pinned) then return true; end if;
  insert into weft.audit (enterprise_id, user_id, login_name, action, resource, row_id, old_value, new_value, address, request_id)
  values (was.enterprise_id, 0, 'edge', 'edge.pin', 'enrolment', was.id,
    jsonb_build_object('nodeId', node, 'controllerKey', was.pinned_key),
    jsonb_build_object('nodeId', node, 'controllerKey', pinned), '', '');
  return true;
end $$;
revoke execute on function weft.note_pin(bigint, text, text, boolean) from public;
grant execute on function weft.note_pin(bigint, text, text, boolean) to weft_gateway;
