-- Alarms: who is told, what is watched, and what was found (specification sections 1 and 2.3).

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
  -- When its recipients were told last.
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

-- How far a rule is with what it looks at: any controller goes on where another ended.
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
  primary key (rule_id, node_id, item)
);
create index alarm_watch_node on weft.alarm_watch (node_id);
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
  opened_at timestamptz not null,
  last_at timestamptz not null,
  count integer not null default 1,
  cleared_at timestamptz,
  -- When the controller wrote it, and what it has told of it.
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
create index alarm_event_strategy on weft.alarm_event (strategy_id) where cleared_at is null;
create index alarm_event_untold on weft.alarm_event (strategy_id)
  where not open_told or (cleared_at is not null and not clear_told);
call weft.tenant_table('alarm_event', 'enterprise_id', 'created_by');
call weft.loop_table('alarm_event');
-- Sessions say that they take care of one; only the worker raises and clears.
revoke insert, update, delete on weft.alarm_event from weft_api, weft_api_all;
grant update (handled_at, handled_by, handle_remark) on weft.alarm_event to weft_api, weft_api_all;

-- Screens hear of alarms as they hear of what turned.
alter table weft.transition drop constraint transition_kind_check;
alter table weft.transition add constraint transition_kind_check
  check (kind in ('node', 'link', 'line', 'state', 'alarm'));
create function weft.alarm_turned() returns trigger
language plpgsql security definer set search_path = weft, pg_temp as $$
begin
  insert into weft.transition (enterprise_id, created_by, kind, node_id, name, up)
  values (new.enterprise_id, new.created_by, 'alarm', new.node_id, new.level::text,
    new.cleared_at is not null);
  return null;
end $$;
create trigger alarm_opened after insert on weft.alarm_event
  for each row execute function weft.alarm_turned();
create trigger alarm_changed after update on weft.alarm_event
  for each row when (old.cleared_at is distinct from new.cleared_at
    or old.handled_at is distinct from new.handled_at) execute function weft.alarm_turned();

-- What enabled rules look at: the nodes that their policies name, or all nodes of the policy's
-- enterprise and of those below. Definer: the worker has no scope that spans them.
create function weft.alarm_cover() returns table (
  rule_id bigint, strategy_id bigint, metric text, enterprise_id bigint, shared boolean,
  reach bigint[], node_id bigint)
  language sql stable security definer set search_path = weft, pg_temp
  as $$
    with policies as (
      select s.id, s.enterprise_id, s.share, weft.subtree(array[s.enterprise_id]) as reach,
        array(select c.node_id from alarm_strategy_node c where c.owner_id = s.id
          union all
          select c.node_id from alarm_strategy_pop c where c.owner_id = s.id) as chosen
      from alarm_strategy s
      where s.enabled and exists (select from alarm_rule r where r.strategy_id = s.id and r.enabled)
    )
    select r.id, p.id, r.metric, p.enterprise_id, p.share, p.reach, n.id
    from policies p
    join alarm_rule r on r.strategy_id = p.id and r.enabled
    join node n on n.enabled and case when cardinality(p.chosen) > 0 then n.id = any (p.chosen)
      else n.enterprise_id = any (p.reach) end
  $$;
revoke execute on function weft.alarm_cover() from public;

-- What rules about up and down and about links find now: what is bad, what is watched already, and
-- what the given nodes and links are. `up` null: nobody can say. A link is of its own tenant only:
-- a policy over a shared POP does not see the links of others.
create function weft.alarm_findings(nodes bigint[], links bigint[]) returns table (
  rule_id bigint, enterprise_id bigint, created_by bigint, node_id bigint, node_kind text,
  node_name text, item text, item_name text, link_id bigint, subject text, relies text[],
  up boolean, delay real, jitter real, loss real, fresh boolean)
  language sql stable security definer set search_path = weft, pg_temp
  as $$
    with cover as materialized (select * from weft.alarm_cover() c where c.metric in
      ('node', 'line', 'link', 'delay', 'jitter', 'loss')),
    found as (
      select c.rule_id, c.enterprise_id as owner, c.shared, c.reach, n.enterprise_id as of_enterprise,
        n.id as node_id, '' as item, '' as item_name, null::bigint as link_id,
        'n:' || n.id as subject, '{}'::text[] as relies, s.online as up,
        null::real as delay, null::real as jitter, null::real as loss, true as fresh
      from cover c join node n on n.id = c.node_id join node_status s on s.node_id = n.id
      where c.metric = 'node' and (s.online or s.last_seen is not null or s.session_epoch > 0)
      union all
      select c.rule_id, c.enterprise_id, c.shared, c.reach, n.enterprise_id, n.id,
        l.line ->> 'interfaceName', coalesce(w.name, l.line ->> 'interfaceName'), null,
        'l:' || n.id || '/' || (l.line ->> 'interfaceName'), array['n:' || n.id],
        case when s.online then (l.line ->> 'up')::boolean end, null, null, null, true
      from cover c join node n on n.id = c.node_id join node_status s on s.node_id = n.id
        cross join lateral jsonb_array_elements(s.lines) as l (line)
        join line w on w.node_id = n.id and w.interface_name = l.line ->> 'interfaceName'
      where c.metric = 'line'
      union all
      (select distinct on (c.rule_id, k.id) c.rule_id, c.enterprise_id, c.shared, c.reach,
        k.enterprise_id, k.a_node_id, k.id::text, a.name || ' - ' || b.name, k.id,
        'k:' || k.id,
        array['n:' || k.a_node_id, 'n:' || k.b_node_id]
          || array(select 'l:' || w.node_id || '/' || w.interface_name from line w
            where (w.node_id, w.slot) in ((k.a_node_id, k.a_slot), (k.b_node_id, k.b_slot)))
          || case when c.metric = 'link' then '{}'::text[] else array['k:' || k.id] end,
        case when sa.online then s.up end, s.rtt_ms, s.jitter_ms, s.loss_percent,
        s.at > now() - interval '2 minutes'
      from cover c join link k on c.node_id in (k.a_node_id, k.b_node_id)
          and k.enterprise_id = any (c.reach)
        join link_status s on s.link_id = k.id
        join node a on a.id = k.a_node_id join node b on b.id = k.b_node_id
        left join node_status sa on sa.node_id = k.a_node_id
      where c.metric in ('link', 'delay', 'jitter', 'loss')
      order by c.rule_id, k.id, c.node_id)
    )
    select f.rule_id,
      case when f.shared and f.of_enterprise = any (f.reach) then f.of_enterprise else f.owner end,
      n.created_by, f.node_id, n.kind, n.name, f.item, f.item_name, f.link_id,
      case when r.metric in ('node', 'line', 'link') then f.subject end, f.relies,
      f.up, f.delay, f.jitter, f.loss, f.fresh
    from found f join node n on n.id = f.node_id join alarm_rule r on r.id = f.rule_id
    where f.up is not true
      or case when r.compare_type is null then null
        when r.compare_type in (1, 3) then r.threshold <=
          case r.metric when 'delay' then f.delay when 'jitter' then f.jitter else f.loss end
        else r.threshold >=
          case r.metric when 'delay' then f.delay when 'jitter' then f.jitter else f.loss end end
      or f.node_id = any (nodes) or f.link_id = any (links)
      or exists (select from alarm_watch w
        where w.rule_id = f.rule_id and w.node_id = f.node_id and w.item = f.item)
  $$;
revoke execute on function weft.alarm_findings(bigint[], bigint[]) from public;
grant execute on function weft.alarm_findings(bigint[], bigint[]) to weft_worker;

-- What rules about figures of boxes and lines look at; the figures are in another store. Rates of a
-- line in kbit/s.
create function weft.alarm_figures() returns table (
  rule_id bigint, enterprise_id bigint, created_by bigint, node_id bigint, node_kind text,
  node_name text, item text, item_name text, relies text[], up_kbps bigint, down_kbps bigint)
  language sql stable security definer set search_path = weft, pg_temp
  as $$
    select c.rule_id,
      case when c.shared and n.enterprise_id = any (c.reach) then n.enterprise_id
        else c.enterprise_id end,
      n.created_by, n.id, n.kind, n.name, coalesce(w.interface_name, ''), coalesce(w.name, ''),
      array['n:' || n.id] || case when w.id is null then '{}'::text[]
        else array['l:' || n.id || '/' || w.interface_name] end,
      w.up_kbps, w.down_kbps
    from weft.alarm_cover() c join node n on n.id = c.node_id
      left join line w on c.metric = 'bandwidth' and w.node_id = n.id
    where c.metric in ('cpu', 'mem') or (c.metric = 'bandwidth' and w.id is not null)
  $$;
revoke execute on function weft.alarm_figures() from public;
grant execute on function weft.alarm_figures() to weft_worker;

-- People of an enterprise who may see its alarm policies: they get the station messages.
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
