-- What worker and gateway need besides the tables: who the controller is, and the few questions
-- that are asked before there is a scope. Functions run as weft_owner and answer only that question.

-- Raw Ed25519 public key (base64url) and addresses that go into claims; written by the gateway.
alter table weft.installation
  add column controller_key text,
  add column edge_addresses text[] not null default '{}';

-- ---------------------------------------------------------------- worker

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

-- Spaces that nodes are in, and spaces that links of theirs still belong to.
create function weft.spaces_of(nodes bigint[]) returns setof bigint
  language sql stable security definer set search_path = weft, pg_temp
  begin atomic
    select m.space_id from weft.space_member m where m.node_id = any (nodes)
    union
    select l.space_id from weft.link l where l.a_node_id = any (nodes) or l.b_node_id = any (nodes);
  end;

create function weft.members_of(spaces bigint[]) returns setof bigint
  language sql stable security definer set search_path = weft, pg_temp
  begin atomic
    select distinct m.node_id from weft.space_member m where m.space_id = any (spaces);
  end;

-- Enterprises of nodes; those that are gone are left out.
create function weft.nodes_of(nodes bigint[]) returns table (node_id bigint, enterprise_id bigint)
  language sql stable security definer set search_path = weft, pg_temp
  begin atomic
    select n.id, n.enterprise_id from weft.node n where n.id = any (nodes);
  end;

-- CPEs that ran out of time and have links still: time passes without anybody's write.
create function weft.expired_nodes() returns table (node_id bigint, enterprise_id bigint)
  language sql stable security definer set search_path = weft, pg_temp
  begin atomic
    select n.id, n.enterprise_id from weft.node n
    where n.kind = 'cpe' and n.expire_at <= now()
      and exists (select from weft.link l where n.id in (l.a_node_id, l.b_node_id));
  end;

-- ---------------------------------------------------------------- gateway

-- A change of a gateway names its own node and nothing else.
drop policy reported on weft.change;
create policy reported on weft.change for insert to weft_gateway
  with check (node_ids = array[(select weft.node_id())] and space_ids = '{}');

-- Who says hello: the identity of this key on this node, whatever became of it.
create function weft.edge_identity(node bigint, key text)
  returns table (enterprise_id bigint, sn text, state text)
  language sql stable security definer set search_path = weft, pg_temp
  begin atomic
    select i.enterprise_id, i.sn, i.state from weft.node_identity i
    where i.node_id = node and i.public_key = key;
  end;

-- The key that may confirm for a node.
create function weft.edge_key(node bigint) returns text
  language sql stable security definer set search_path = weft, pg_temp
  begin atomic
    select i.public_key from weft.node_identity i where i.node_id = node and i.state = 'approved';
  end;

-- True when one of the links exists and does not end at the node of this transaction.
create function weft.has_foreign_link(ids bigint[]) returns boolean
  language sql stable security definer set search_path = weft, pg_temp
  begin atomic
    select exists (select from weft.link l where l.id = any (ids)
      and weft.node_id() is distinct from l.a_node_id and weft.node_id() is distinct from l.b_node_id);
  end;

-- True for a state that was taken back without an echo and may have its one automatic retry now
-- (design section 3.6). The deadline of the echo is 60 s: what came back sooner was not cut off from
-- the controller, its edge was stopped in the middle, and the pause is a shorter one.
create function weft.is_retry_due(state weft.node_state, after_silence interval, after_stop interval)
  returns boolean
  language sql stable
  return state.outcome = 'reverted' and state.no_echo and state.retries = 0
    and state.ended_at <= now() - case
      when state.ended_at - state.delivered_at < interval '60 seconds' then after_stop
      else after_silence end;

-- What a gateway has to know of its open sockets: whom it must cut off, who was replaced by a newer
-- socket elsewhere, and for whom there is a state to send.
create function weft.watch_edges(
  nodes bigint[], keys text[], epochs bigint[], after_silence interval, after_stop interval
) returns table (node_id bigint, verdict text)
  language sql stable security definer set search_path = weft, pg_temp
  begin atomic
    select w.node, case
        when i.id is null then 'rejected'
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

-- Writes once a minute for all open sockets that they were seen, and at their end that they are gone.
-- A socket that was replaced since counts no more.
create function weft.edges_seen(nodes bigint[], epochs bigint[], still_online boolean) returns void
  language sql security definer set search_path = weft, pg_temp
  begin atomic
    update weft.node_status s set last_seen = now(), online = still_online
    from unnest(nodes, epochs) as w (node, epoch)
    where s.node_id = w.node and s.session_epoch = w.epoch;
  end;

-- Uses a claim (design section 6). The verdict is the state of the box's identity, or a refusal of
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
    when c.used_key is not null and identity.id is null then 'rejected'
    when c.used_key is not null and identity.node_id <> c.node_id then 'notYours'
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
    where i.node_id = c.node_id and i.state = 'approved' and i.public_key <> key
    returning i.* into replaced;
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
    case when replaced.id is not null then jsonb_build_object('identity', replaced.id) end,
    jsonb_build_object('nodeId', c.node_id, 'sn', c.sn, 'state', identity.state), from_address, request);
  return query select identity.state, case when identity.state = 'approved' then c.node_id end;
end $$;

-- ---------------------------------------------------------------- who may ask

do $$
declare
  one record;
begin
  for one in select * from (values
    ('weft_worker', 'space_scope(bigint)'),
    ('weft_worker', 'spaces_of(bigint[])'),
    ('weft_worker', 'members_of(bigint[])'),
    ('weft_worker', 'nodes_of(bigint[])'),
    ('weft_worker', 'expired_nodes()'),
    ('weft_gateway', 'edge_identity(bigint, text)'),
    ('weft_gateway', 'edge_key(bigint)'),
    ('weft_gateway', 'has_foreign_link(bigint[])'),
    ('weft_gateway', 'watch_edges(bigint[], text[], bigint[], interval, interval)'),
    ('weft_gateway', 'edges_seen(bigint[], bigint[], boolean)'),
    ('weft_gateway', 'use_claim(bytea, text, text, text, text)')
  ) as allowed (role, signature) loop
    execute format('revoke execute on function weft.%s from public', one.signature);
    execute format('grant execute on function weft.%s to %I', one.signature, one.role);
  end loop;
end $$;
