-- The life of a desired state: changes, what is compiled from them, states, tasks.

-- Writes of intent, read in order by the worker. Names whom they touch: nodes and whole spaces.
create table weft.change (
  seq bigint generated always as identity primary key,
  enterprise_id bigint not null,
  node_ids bigint[] not null default '{}',
  space_ids bigint[] not null default '{}',
  cause text not null,
  -- The call that it came from: its audit rows say who did what to which object.
  request_id text not null default '',
  created_by bigint not null,
  at timestamptz not null default now(),
  done boolean not null default false
);
create index change_waiting on weft.change (seq) where not done;
call weft.tenant_table('change');
call weft.loop_table('change');
grant insert on weft.change to weft_gateway;
create policy reported on weft.change for insert to weft_gateway
  with check (node_ids = array[(select weft.node_id())] and space_ids = '{}');

-- Nodes whose state is to be compiled. Cleared only if the generation is still the one that was read.
create table weft.compile_mark (
  node_id bigint primary key references weft.node (id) on delete cascade,
  enterprise_id bigint not null,
  generation bigint not null default 1,
  cause text not null,
  -- Changes that the compile takes on, oldest first: [{cause, requestId, own, others, spaces}].
  causes jsonb not null default '[]',
  created_by bigint not null,
  at timestamptz not null default now(),
  -- Why the node could not be compiled at the last attempt: {code, detail}; null: no attempt since the
  -- last change, or it succeeded.
  failure jsonb,
  failed_at timestamptz
);
call weft.tenant_table('compile_mark');
call weft.loop_table('compile_mark');

-- Contents by hash. Kept per node, so that a device is sent only what its own heads name.
create table weft.state_section (
  node_id bigint not null references weft.node (id) on delete cascade,
  hash text not null,
  enterprise_id bigint not null,
  content jsonb not null,
  primary key (node_id, hash)
);
call weft.tenant_table('state_section');
call weft.loop_table('state_section', 'select');

create table weft.node_state (
  node_id bigint not null references weft.node (id) on delete cascade,
  epoch bigint not null,
  serial bigint not null,
  enterprise_id bigint not null,
  -- section name -> hash.
  sections jsonb not null,
  digest text not null,
  outcome text not null default 'waiting' check (outcome in
    ('waiting', 'held', 'delivered', 'applied', 'confirmed', 'refused', 'failed', 'reverted', 'superseded')),
  -- Held because it removes more than its changes account for, and never sent since.
  held boolean not null default false,
  reason text,
  no_echo boolean not null default false,
  -- Set when the edge itself was stopped in the middle: says nothing about whether it reached us.
  stopped boolean not null default false,
  -- Times it was sent after a revert; one retry is automatic.
  retries smallint not null default 0,
  cause text not null,
  -- Changes that it came from, oldest first: [{cause, requestId, own, others, spaces}].
  causes jsonb not null default '[]',
  -- Parts that have no effect on the device although the rest has, as the device reported them.
  findings jsonb not null default '[]',
  -- Serial of the past state that it restores; null: it was compiled from the present rows.
  restores bigint,
  -- The template version that it contains: no reference, so that the state outlives it.
  template_id bigint,
  template_version integer,
  created_by bigint not null,
  created_at timestamptz not null default now(),
  delivered_at timestamptz,
  ended_at timestamptz,
  primary key (node_id, epoch, serial)
);
call weft.tenant_table('node_state');
call weft.loop_table('node_state', 'select, update');

-- A node that an operator rolled back to a past state and holds there (docs/adr/0008-history.md).
create table weft.node_pin (
  node_id bigint primary key references weft.node (id) on delete cascade,
  enterprise_id bigint not null,
  -- The past state, which is kept as long as this row.
  epoch bigint not null,
  serial bigint not null,
  -- Networks that the node brings along in that state: its peers have to accept them.
  announced text[] not null,
  login_name text not null,
  created_by bigint not null,
  created_at timestamptz not null default now()
);
call weft.tenant_table('node_pin');
call weft.loop_table('node_pin');

-- What other nodes see of a node, as a hash: while it stays, a change of the node concerns no
-- other, and the links of no space have to be reconciled.
create table weft.node_face (
  node_id bigint primary key references weft.node (id) on delete cascade,
  enterprise_id bigint not null,
  digest text not null,
  -- Changes up to this one may be part of it: each of them concerns the others as well.
  until_seq bigint not null
);
call weft.tenant_table('node_face');
call weft.loop_table('node_face');

create table weft.task (
  id bigint generated always as identity primary key,
  enterprise_id bigint not null,
  node_id bigint not null references weft.node (id) on delete cascade,
  type text not null,
  status smallint not null default 0 check (status between 0 and 4),
  epoch bigint,
  serial bigint,
  content text not null default '',
  -- Of a published template: no reference, so that the task outlives it.
  template_id bigint,
  template_version integer,
  created_by bigint not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz
);
create index task_node on weft.task (node_id, id desc);
create index task_template on weft.task (template_id, id desc) where type = 'template';
create index task_template_node on weft.task (node_id) where type = 'template' and status in (0, 2, 4);
call weft.tenant_table('task');
call weft.loop_table('task', 'select, update');

-- ---------------------------------------------------------------- what the worker asks before it has a scope

-- The enterprises whose rows the state of a node is made of.
create function weft.compile_scope(node bigint) returns bigint[]
  language sql stable security definer set search_path = weft, pg_temp
  begin atomic
    select coalesce(array_agg(distinct one), '{}') from (
      select n.enterprise_id as one from weft.node n where n.id = node
      union
      select m.enterprise_id from weft.space_member m where m.node_id = node
      union
      -- POPs of other enterprises in those spaces: their lines and names are endpoints.
      select peer.node_enterprise_id
      from weft.space_member m join weft.space_member peer on peer.space_id = m.space_id
      where m.node_id = node
    ) all_of_them;
  end;
revoke execute on function weft.compile_scope(bigint) from public;
grant execute on function weft.compile_scope(bigint) to weft_worker;

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

-- ---------------------------------------------------------------- what ends as time passes

-- CPEs that have expired and still have links: time passes without a write.
create function weft.expired_nodes() returns table (node_id bigint, enterprise_id bigint)
  language sql stable security definer set search_path = weft, pg_temp
  begin atomic
    select n.id, n.enterprise_id from weft.node n
    where n.kind = 'cpe' and n.expire_at <= now()
      and exists (select from weft.link l where n.id in (l.a_node_id, l.b_node_id));
  end;
revoke execute on function weft.expired_nodes() from public;
grant execute on function weft.expired_nodes() to weft_worker;

-- Ends that were reached: the POP of each is compiled again. Returns how many POPs are affected.
create function weft.end_accounts() returns bigint
  language sql security definer set search_path = weft, pg_temp
  begin atomic
    with ended as (
      update weft.mobile_account a set ended_at = a.expire_at
      where a.public_key is not null and a.expire_at <= now()
        and a.ended_at is distinct from a.expire_at
      returning a.enterprise_id
    ), told as (
      insert into weft.change (enterprise_id, node_ids, cause, created_by)
      select s.enterprise_id, array[s.pop_id], 'system: expired', 0
      from weft.client_service s
      where s.pop_id is not null and s.enabled
        and s.enterprise_id in (select enterprise_id from ended)
      returning 1
    )
    select count(*) from told;
  end;
revoke execute on function weft.end_accounts() from public;
grant execute on function weft.end_accounts() to weft_worker;

-- ---------------------------------------------------------------- what the worker must be able to see

-- How many rows the state of a node is made of, by table. The worker counts as itself and with the
-- owner's rights on one snapshot: a table that it reads nothing of, though rows are there, must
-- never look like a setting that a user removed.

-- As its caller may read them. Not inlined into the whole count: a body of text, one for both.
create function weft.intent_counts(this bigint, those bigint[]) returns table (name text, n bigint)
  language sql stable set search_path = weft, pg_temp as $$
    select 'node', count(*) from weft.node where id = any (those)
    union all select 'line', count(*) from weft.line where node_id = any (those)
    union all select 'lan_section', count(*) from weft.lan_section where node_id = any (those)
    union all select 'static_route', count(*) from weft.static_route where node_id = any (those)
    union all select 'route_notice', count(*) from weft.route_notice where node_id = any (those)
    union all select 'node_config', count(*) from weft.node_config where node_id = any (those)
    union all select 'node_status', count(*) from weft.node_status where node_id = any (those)
    union all select 'node_pin', count(*) from weft.node_pin where node_id = any (those)
    union all select 'link', count(*) from weft.link where this in (a_node_id, b_node_id)
    union all select 'space_member', count(*) from weft.space_member where node_id = this
    union all select 'acl_rule', count(*) from weft.acl_rule where node_id = this
    union all select 'blacklist', count(*) from weft.blacklist b
      where b.enterprise_id = (select enterprise_id from weft.node where id = this)
        or b.id in (select owner_id from weft.blacklist_node where node_id = this)
    union all select 'client_service', count(*) from weft.client_service where pop_id = this
    union all select 'mobile_account', count(*) from weft.mobile_account
      where enterprise_id in (select enterprise_id from weft.client_service where pop_id = this)
  $$;
revoke execute on function weft.intent_counts(bigint, bigint[]) from public;
grant execute on function weft.intent_counts(bigint, bigint[]) to weft_worker;

-- As they are.
create function weft.intent_counts_whole(this bigint, those bigint[])
  returns table (name text, n bigint)
  language sql stable security definer set search_path = weft, pg_temp
  as $$ select * from weft.intent_counts(this, those) $$;
revoke execute on function weft.intent_counts_whole(bigint, bigint[]) from public;
grant execute on function weft.intent_counts_whole(bigint, bigint[]) to weft_worker;

-- ---------------------------------------------------------------- open sockets

-- True for a state that was rolled back without confirmation and may have its one automatic retry now
-- (design section 3.6): sooner when its edge was stopped in the middle than when it was cut off.
create function weft.is_retry_due(state weft.node_state, after_silence interval, after_stop interval)
  returns boolean
  language sql stable
  return state.outcome = 'reverted' and (state.no_echo or state.stopped) and state.retries = 0
    and state.ended_at <= now() - case when state.stopped then after_stop else after_silence end;

-- What a gateway has to know of its open sockets: whom it must cut off, who was replaced by a newer
-- socket elsewhere, and for whom there is a state to send.
create function weft.watch_edges(
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
revoke execute on function weft.watch_edges(bigint[], text[], bigint[], interval, interval) from public;
grant execute on function weft.watch_edges(bigint[], text[], bigint[], interval, interval) to weft_gateway;
