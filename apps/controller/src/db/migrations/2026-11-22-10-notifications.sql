-- Alarms and who is notified of them, messages of the console, e-mail and SMS.

-- ---------------------------------------------------------------- alarms

create table weft.message_receiver (
  id bigint generated always as identity primary key,
  enterprise_id bigint not null references weft.enterprise (id) on delete cascade,
  name text not null,
  email text,
  email_flag boolean not null,
  phone text,
  phone_flag boolean not null,
  language text not null check (language in ('zh_cn', 'en_gb')),
  remark text not null default '',
  created_by bigint,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (enterprise_id, id),
  constraint message_receiver_name unique (enterprise_id, name)
);
call weft.tenant_table('message_receiver', 'enterprise_id', 'created_by');
call weft.loop_table('message_receiver');

create table weft.alarm_strategy (
  id bigint generated always as identity primary key,
  enterprise_id bigint not null references weft.enterprise (id) on delete cascade,
  name text not null,
  share boolean not null default false,
  enabled boolean not null,
  -- When its recipients were last notified.
  told_at timestamptz,
  remark text not null default '',
  created_by bigint,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (enterprise_id, id),
  constraint alarm_strategy_name unique (enterprise_id, name)
);
call weft.tenant_table('alarm_strategy', 'enterprise_id', 'created_by');
call weft.loop_table('alarm_strategy');
-- A shared policy is read by all below its enterprise.
create policy shared on weft.alarm_strategy for select to weft_api using (
  share and enterprise_id = any ((select weft.above(weft.scope_enterprises()))::bigint[]));
call weft.choice_table('alarm_strategy');
call weft.loop_table('alarm_strategy_node');

create table weft.alarm_strategy_pop (
  enterprise_id bigint not null,
  owner_id bigint not null,
  node_enterprise_id bigint not null,
  node_id bigint not null,
  place smallint not null,
  primary key (owner_id, node_id),
  foreign key (enterprise_id, owner_id) references weft.alarm_strategy (enterprise_id, id)
    on update cascade on delete cascade,
  foreign key (node_enterprise_id, node_id) references weft.node (enterprise_id, id)
    on update cascade on delete cascade
);
create index alarm_strategy_pop_by_node on weft.alarm_strategy_pop (node_id);
call weft.tenant_table('alarm_strategy_pop');
call weft.loop_table('alarm_strategy_pop');

-- Recipients are of the policy's own enterprise.
create table weft.alarm_strategy_receiver (
  enterprise_id bigint not null,
  strategy_id bigint not null,
  receiver_id bigint not null,
  primary key (strategy_id, receiver_id),
  foreign key (enterprise_id, strategy_id) references weft.alarm_strategy (enterprise_id, id)
    on update cascade on delete cascade,
  constraint alarm_strategy_receiver_known foreign key (enterprise_id, receiver_id)
    references weft.message_receiver (enterprise_id, id) on delete cascade
);
create index alarm_strategy_receiver_by_receiver on weft.alarm_strategy_receiver (receiver_id);
call weft.tenant_table('alarm_strategy_receiver');
call weft.loop_table('alarm_strategy_receiver');

create table weft.alarm_rule (
  id bigint generated always as identity primary key,
  enterprise_id bigint not null,
  strategy_id bigint not null,
  metric text not null check (metric in
    ('node', 'line', 'link', 'delay', 'jitter', 'loss', 'bandwidth', 'cpu', 'mem')),
  -- 1 above, 2 below, 3 at or above, 4 at or below; null: the metric is up or down.
  compare_type smallint check (compare_type between 1 and 4),
  -- Percent; ms of delay and jitter.
  threshold double precision check (threshold between 0 and 100),
  hysteresis double precision not null check (hysteresis between 0 and 100),
  duration_s integer not null check (duration_s between 0 and 86400),
  recovery_s integer not null check (recovery_s between 0 and 86400),
  -- 1 critical, 2 major, 3 minor, 4 warning.
  level smallint not null check (level between 1 and 4),
  enabled boolean not null,
  created_by bigint,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  check (metric in ('node', 'line', 'link') or (threshold is not null and compare_type is not null)),
  unique (enterprise_id, id),
  foreign key (enterprise_id, strategy_id) references weft.alarm_strategy (enterprise_id, id)
    on update cascade on delete cascade
);
create index alarm_rule_strategy on weft.alarm_rule (strategy_id);
call weft.tenant_table('alarm_rule', 'enterprise_id', 'created_by');
call weft.loop_table('alarm_rule');
create policy shared on weft.alarm_rule for select to weft_api using (
  strategy_id in (select s.id from weft.alarm_strategy s where s.share
    and s.enterprise_id = any ((select weft.above(weft.scope_enterprises()))::bigint[])));

-- Alarms are evaluated node by node: those that changed first, then those whose time has come, and
-- all others in turn. One pass costs as much as the nodes it takes, not as much as all there are.

-- Nodes of which something changed, once for each change. Writers only add, so that none waits for the
-- worker that takes them.
create table weft.alarm_due (
  id bigint generated always as identity primary key,
  enterprise_id bigint not null,
  node_id bigint not null
);
call weft.tenant_table('alarm_due');
call weft.loop_table('alarm_due');
revoke insert, update, delete on weft.alarm_due from weft_api, weft_api_all;

-- How far a rule is with what it watches: any controller continues where another ended.
create table weft.alarm_watch (
  rule_id bigint not null references weft.alarm_rule (id) on delete cascade,
  node_id bigint not null references weft.node (id) on delete cascade,
  -- Interface of a line, id of a link, empty for the node itself.
  item text not null,
  enterprise_id bigint not null,
  phase text not null check (phase in ('quiet', 'pending', 'open', 'clearing')),
  since timestamptz not null,
  -- The last transition that it has seen, and when it looked last.
  seen bigint not null,
  at timestamptz not null,
  -- When passing time alone changes what is watched; null: never.
  due_at timestamptz,
  primary key (rule_id, node_id, item)
);
create index alarm_watch_node on weft.alarm_watch (node_id);
create index alarm_watch_due on weft.alarm_watch (due_at) where due_at is not null;
create index alarm_watch_quiet on weft.alarm_watch (at) where phase = 'quiet';
call weft.tenant_table('alarm_watch');
call weft.loop_table('alarm_watch');
revoke insert, update, delete on weft.alarm_watch from weft_api, weft_api_all;

create table weft.alarm_event (
  id bigint generated always as identity primary key,
  -- Of the policy; of the node once the policy is shared.
  enterprise_id bigint not null references weft.enterprise (id) on delete cascade,
  -- Of the node, for scopes of own data.
  created_by bigint,
  strategy_id bigint references weft.alarm_strategy (id) on delete set null,
  strategy_name text not null,
  rule_id bigint references weft.alarm_rule (id) on delete set null,
  metric text not null,
  level smallint not null,
  compare_type smallint,
  threshold double precision,
  node_id bigint not null references weft.node (id) on delete cascade,
  node_kind text not null,
  node_name text not null,
  item text not null,
  item_name text not null default '',
  value double precision,
  -- What it is, for events that follow from it, and what it may follow from itself.
  subject text,
  relies text[] not null default '{}',
  parent_id bigint references weft.alarm_event (id) on delete set null,
  -- False: more follows from it than one pass could put below it.
  joined boolean not null default true,
  opened_at timestamptz not null,
  last_at timestamptz not null,
  count integer not null default 1,
  cleared_at timestamptz,
  -- When the controller wrote it, and what it has notified of it.
  raised_at timestamptz not null default now(),
  closed_at timestamptz,
  open_told boolean not null default false,
  clear_told boolean not null default false,
  handled_at timestamptz,
  handled_by text not null default '',
  handle_remark text not null default ''
);
-- Whatever happens to a controller, no event is open twice.
create unique index alarm_event_open on weft.alarm_event (rule_id, node_id, item)
  where cleared_at is null;
create index alarm_event_newest on weft.alarm_event (opened_at desc, id desc);
create index alarm_event_tenant on weft.alarm_event (enterprise_id, opened_at desc, id desc);
create index alarm_event_level on weft.alarm_event (level, opened_at desc);
create index alarm_event_node on weft.alarm_event (node_id, opened_at desc);
create index alarm_event_parent on weft.alarm_event (parent_id) where parent_id is not null;
create index alarm_event_untold on weft.alarm_event (strategy_id)
  where not open_told or (cleared_at is not null and not clear_told);
create index alarm_event_unjoined on weft.alarm_event (id) where not joined and cleared_at is null;
create index alarm_event_subject on weft.alarm_event (strategy_id, subject) where cleared_at is null;
-- Without a list of what is still to be indexed: it would be searched whole each time.
create index alarm_event_relies on weft.alarm_event using gin (relies) with (fastupdate = off)
  -- Open and without a cause; said so that no other index can be taken for the question.
  where num_nulls(cleared_at, parent_id) = 2;
call weft.tenant_table('alarm_event', 'enterprise_id', 'created_by');
call weft.loop_table('alarm_event');
-- Sessions acknowledge alarms; only the worker raises and clears them.
revoke insert, update, delete on weft.alarm_event from weft_api, weft_api_all;
grant update (handled_at, handled_by, handle_remark) on weft.alarm_event to weft_api, weft_api_all;

-- ---------------------------------------------------------------- what alarms look at

-- Which enabled policies look at the given nodes: those that name them, and those that name none
-- and are of their enterprise or of one above.
create function weft.alarm_cover(nodes bigint[]) returns table (
  strategy_id bigint, owner bigint, shared boolean, node_id bigint)
  language plpgsql stable security definer rows 300 set search_path = weft, pg_temp
  -- Planning costs more than a slice.
  set plan_cache_mode = force_generic_plan set enable_hashjoin = on
  as $$
#variable_conflict use_column
begin
  return query
    with recursive these as materialized (
      select n.id, n.enterprise_id from node n where n.id = any (nodes) and n.enabled
    ),
    up as (
      select distinct t.enterprise_id as below, t.enterprise_id as id from these t
      union
      select u.below, e.parent_id from up u join enterprise e on e.id = u.id
      where e.parent_id is not null
    ),
    wide as materialized (
      select u.below, s.id, s.enterprise_id, s.share from up u
      join alarm_strategy s on s.enterprise_id = u.id and s.enabled
      where not exists (select from alarm_strategy_node c where c.owner_id = s.id)
        and not exists (select from alarm_strategy_pop c where c.owner_id = s.id)
    )
    select w.id, w.enterprise_id, w.share, t.id from these t join wide w on w.below = t.enterprise_id
    union
    select s.id, s.enterprise_id, s.share, t.id
    from these t join alarm_strategy_node c on c.node_id = t.id
      join alarm_strategy s on s.id = c.owner_id and s.enabled
    union
    select s.id, s.enterprise_id, s.share, t.id
    from these t join alarm_strategy_pop c on c.node_id = t.id
      join alarm_strategy s on s.id = c.owner_id and s.enabled;
end
  $$;
revoke execute on function weft.alarm_cover(bigint[]) from public;

-- What rules about up and down and about links find of the given nodes, of their lines and of the
-- links that they call: what is bad, what is watched already, and the given subjects. `up` null:
-- unknown. A link is of its own tenant only: a policy over a shared POP does not see the
-- links of others.
create function weft.alarm_findings(nodes bigint[], subjects text[]) returns table (
  rule_id bigint, enterprise_id bigint, created_by bigint, node_id bigint, node_kind text,
  node_name text, item text, item_name text, subject text, relies text[],
  up boolean, delay real, jitter real, loss real, fresh boolean)
  language plpgsql stable security definer set search_path = weft, pg_temp
  -- Planning costs more than a slice.
  set plan_cache_mode = force_generic_plan set enable_hashjoin = on
  as $$
#variable_conflict use_column
begin
  return query
    with recursive callers as materialized (
      select k.id, k.enterprise_id, k.a_node_id, k.b_node_id, k.a_slot, k.b_slot,
        s.up, s.rtt_ms, s.jitter_ms, s.loss_percent, s.at
      from link k join link_status s on s.link_id = k.id where k.a_node_id = any (nodes)
    ),
    cover as materialized (
      select c.*, r.id as rule_id, r.metric, c.node_id = any (nodes) as is_here
      from weft.alarm_cover(nodes || array(select distinct b_node_id from callers)) c
      join alarm_rule r on r.strategy_id = c.strategy_id and r.enabled
      where r.metric in ('node', 'line', 'link', 'delay', 'jitter', 'loss')
    ),
    -- Every tenant concerned with all above it.
    up (below, id) as (
      select enterprise_id, enterprise_id from callers
      union
      select enterprise_id, enterprise_id from node where id = any (nodes)
      union
      select u.below, e.parent_id from up u join enterprise e on e.id = u.id
      where e.parent_id is not null
    ),
    ends as (
      select k.a_node_id as node_id, k.id from callers k
      union all
      select k.b_node_id, k.id from callers k
    ),
    -- Each rule looks at a link once, whichever of its ends it covers.
    linked as (
      select distinct c.rule_id, c.metric, c.owner, c.shared, e.id
      from cover c join ends e on e.node_id = c.node_id
      where c.metric in ('link', 'delay', 'jitter', 'loss')
    ),
    found as (
      select c.rule_id, c.owner, c.shared, s.enterprise_id as of_enterprise,
        c.node_id, '' as item, '' as item_name, 'n:' || c.node_id as key, '{}'::text[] as relies,
        s.online as up, null::real as delay, null::real as jitter, null::real as loss, true as fresh
      from cover c join node_status s on s.node_id = c.node_id
      where c.is_here and c.metric = 'node'
        and (s.online or s.last_seen is not null or s.session_epoch > 0)
      union all
      select c.rule_id, c.owner, c.shared, s.enterprise_id, c.node_id,
        l.line ->> 'interfaceName', coalesce(w.name, l.line ->> 'interfaceName'),
        'l:' || c.node_id || '/' || (l.line ->> 'interfaceName'), array['n:' || c.node_id],
        case when s.online then (l.line ->> 'up')::boolean end, null, null, null, true
      from cover c join node_status s on s.node_id = c.node_id
        cross join lateral jsonb_array_elements(s.lines) as l (line)
        join line w on w.node_id = c.node_id and w.interface_name = l.line ->> 'interfaceName'
      where c.is_here and c.metric = 'line'
      union all
      select c.rule_id, c.owner, c.shared, k.enterprise_id, k.a_node_id, k.id::text,
        a.name || ' - ' || b.name, 'k:' || k.id,
        array['n:' || k.a_node_id, 'n:' || k.b_node_id]
          || array(select 'l:' || w.node_id || '/' || w.interface_name from line w
            where w.node_id = k.a_node_id and w.slot = k.a_slot
              or w.node_id = k.b_node_id and w.slot = k.b_slot)
          || case when c.metric = 'link' then '{}'::text[] else array['k:' || k.id] end,
        case when sa.online then k.up end, k.rtt_ms, k.jitter_ms, k.loss_percent,
        k.at > now() - interval '2 minutes'
      from linked c join callers k on k.id = c.id
        join node a on a.id = k.a_node_id join node b on b.id = k.b_node_id
        left join node_status sa on sa.node_id = k.a_node_id
      where (k.enterprise_id, c.owner) in (select below, id from up)
    )
    select f.rule_id,
      case when f.shared and (f.of_enterprise, f.owner) in (select below, id from up)
        then f.of_enterprise else f.owner end,
      n.created_by, f.node_id, n.kind, n.name, f.item, f.item_name,
      case when r.metric in ('node', 'line', 'link') then f.key end, f.relies,
      f.up, f.delay, f.jitter, f.loss, f.fresh
    from found f join node n on n.id = f.node_id join alarm_rule r on r.id = f.rule_id
    where f.up is not true
      or case when r.compare_type is null then null
        when r.compare_type in (1, 3) then r.threshold <=
          case r.metric when 'delay' then f.delay when 'jitter' then f.jitter else f.loss end
        else r.threshold >=
          case r.metric when 'delay' then f.delay when 'jitter' then f.jitter else f.loss end end
      or f.key in (select unnest(subjects))
      or exists (select from alarm_watch w
        where w.rule_id = f.rule_id and w.node_id = f.node_id and w.item = f.item);
end
  $$;
revoke execute on function weft.alarm_findings(bigint[], text[]) from public;
grant execute on function weft.alarm_findings(bigint[], text[]) to weft_worker;

-- What rules about metrics of devices and lines look at, of the given nodes; the metrics are in
-- another store. Rates of a line in kbit/s.
create function weft.alarm_figures(nodes bigint[]) returns table (
  rule_id bigint, enterprise_id bigint, created_by bigint, node_id bigint, node_kind text,
  node_name text, item text, item_name text, relies text[], up_kbps bigint, down_kbps bigint)
  language plpgsql stable security definer set search_path = weft, pg_temp
  -- Planning costs more than a slice.
  set plan_cache_mode = force_generic_plan set enable_hashjoin = on
  as $$
#variable_conflict use_column
begin
  return query
    with recursive up (below, id) as (
      select enterprise_id, enterprise_id from node where id = any (nodes)
      union
      select u.below, e.parent_id from up u join enterprise e on e.id = u.id
      where e.parent_id is not null
    )
    select r.id,
      case when c.shared and (n.enterprise_id, c.owner) in (select below, id from up)
        then n.enterprise_id else c.owner end,
      n.created_by, n.id, n.kind, n.name, coalesce(w.interface_name, ''), coalesce(w.name, ''),
      array['n:' || n.id] || case when w.id is null then '{}'::text[]
        else array['l:' || n.id || '/' || w.interface_name] end,
      w.up_kbps, w.down_kbps
    from weft.alarm_cover(nodes) c
      join alarm_rule r on r.strategy_id = c.strategy_id and r.enabled
      join node n on n.id = c.node_id
      left join line w on r.metric = 'bandwidth' and w.node_id = n.id
    where r.metric in ('cpu', 'mem') or (r.metric = 'bandwidth' and w.id is not null);
end
  $$;
revoke execute on function weft.alarm_figures(bigint[]) from public;
grant execute on function weft.alarm_figures(bigint[]) to weft_worker;

-- The next nodes in turn. Definer: the worker has no scope that spans them.
create function weft.alarm_nodes(after bigint, at_most integer) returns setof bigint
  language sql stable security definer set search_path = weft, pg_temp
  begin atomic
    select n.id from weft.node n where n.id > after order by n.id limit at_most;
  end;
revoke execute on function weft.alarm_nodes(bigint, integer) from public;
grant execute on function weft.alarm_nodes(bigint, integer) to weft_worker;

-- Users of an enterprise who may see its alarm policies: they get the station messages.
create function weft.alarm_readers(of_enterprise bigint) returns setof bigint
  language sql stable security definer set search_path = weft, pg_temp
  as $$
    select u.id from sys_user u
    where u.enterprise_id = of_enterprise and u.enabled and (u.id = 1 or exists (
      select from user_role m join role_permission p on p.role_id = m.role_id
      where m.user_id = u.id and p.permission = 'alarmStrategyView'))
    order by u.id limit 500
  $$;
revoke execute on function weft.alarm_readers(bigint) from public;
grant execute on function weft.alarm_readers(bigint) to weft_worker;

-- ---------------------------------------------------------------- messages, e-mail and SMS

create table weft.message (
  id bigint generated always as identity primary key,
  enterprise_id bigint not null,
  user_id bigint not null,
  -- 0 system, 1 security, 2 alarm.
  type smallint not null,
  -- Both languages: {zh, en}.
  title text[] not null check (cardinality(title) = 2),
  content text[] not null check (cardinality(content) = 2),
  -- Screen of the console that it is about; empty: none.
  link text not null default '',
  read_at timestamptz,
  created_at timestamptz not null default now(),
  constraint message_user foreign key (enterprise_id, user_id)
    references weft.sys_user (enterprise_id, id) on delete cascade on update cascade
);
create index message_newest on weft.message (user_id, id desc);
create index message_unread on weft.message (user_id) where read_at is null;
create index message_created on weft.message (created_at);
call weft.tenant_table('message');
-- The worker adds those about alarms and removes old ones.
call weft.loop_table('message');

-- E-mails and SMS on their way out (docs/adr/0010-outbox.md).
create table weft.outbox (
  id bigint generated always as identity primary key,
  -- Whose message it is; it goes with the enterprise.
  enterprise_id bigint not null references weft.enterprise (id) on delete cascade,
  channel text not null check (channel in ('mail', 'sms')),
  recipient text not null,
  subject text not null default '',
  -- Emptied as soon as the message is sent or given up: it may contain a code.
  body text not null,
  state text not null default 'waiting' check (state in ('waiting', 'sent', 'failed')),
  attempts smallint not null default 0,
  -- Not before; while somebody sends it, the moment at which another may try.
  next_at timestamptz not null default now(),
  -- Worth nothing afterwards.
  expires_at timestamptz not null,
  error text not null default '',
  created_at timestamptz not null default now(),
  ended_at timestamptz
);
create index outbox_due on weft.outbox (next_at) where state = 'waiting';
create index outbox_ended on weft.outbox (ended_at) where state <> 'waiting';
create index outbox_enterprise on weft.outbox (enterprise_id);
call weft.tenant_table('outbox');
call weft.loop_table('outbox');
-- Sessions add messages and never read any.
drop policy in_scope on weft.outbox;
create policy put_in on weft.outbox for insert to weft_api
  with check (enterprise_id = any ((select weft.scope_enterprises())::bigint[]));
drop policy whole on weft.outbox;
create policy whole on weft.outbox for insert to weft_api_all with check (true);
revoke update, delete on weft.outbox from weft_api, weft_api_all;
