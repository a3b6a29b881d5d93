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
  -- Notifications by robots of chats and by webhooks; what became of each message (docs/adr/0030-channels.md).
  dingtalk text,
  dingtalk_flag boolean not null default false,
  wechat text,
  wechat_flag boolean not null default false,
  feishu text,
  feishu_flag boolean not null default false,
  webhook text,
  webhook_flag boolean not null default false,
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
  notified_at timestamptz,
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
  -- config: its configuration cannot be generated. finding: objects that its device could not make. deny: one that was meant to
  -- keep something out. rollout: a wave failed by it, until an operator decides. repair: programs that keep dying.
  metric text not null check (metric in
    ('node', 'config', 'finding', 'deny', 'rollout', 'repair', 'line', 'link', 'delay', 'jitter',
      'loss', 'bandwidth', 'cpu', 'mem')),
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
  unique (enterprise_id, id),
  foreign key (enterprise_id, strategy_id) references weft.alarm_strategy (enterprise_id, id)
    on update cascade on delete cascade,
  check (metric in ('node', 'config', 'finding', 'deny', 'rollout', 'repair', 'line', 'link')
    or (threshold is not null and compare_type is not null))
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
  node_id bigint not null,
  -- A delivery is evaluated once, not after each of its steps. What it comes to changes the health of its node, and whether
  -- it is on its way, applied or confirmed is known together some seconds later: rows of it wait until then, while what went
  -- up or down stays due at once. Steps between which the health is the same note nothing.
  due_at timestamptz not null default now()
);
call weft.tenant_table('alarm_due');
call weft.loop_table('alarm_due');
revoke insert, update, delete on weft.alarm_due from weft_api, weft_api_all;
create index alarm_due_node on weft.alarm_due (node_id, due_at);

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
  open_notified boolean not null default false,
  clear_notified boolean not null default false,
  handled_at timestamptz,
  handled_by text not null default '',
  handle_remark text not null default '',
  -- Who works on it; the name is read by sessions that do not see the user.
  owner_id bigint references weft.sys_user (id) on delete set null,
  owner_name text not null default '',
  snoozed_until timestamptz,
  snooze_note text not null default '',
  -- What was put off (one of `places`), and by which enterprise: what joins it ends the snooze.
  snooze_key text,
  snooze_scope bigint,
  -- End of the maintenance window in which it lies; kept by the worker.
  maintenance_until timestamptz,
  -- What it concerns: n: nodes, c: carriers, m: its metric, i: its object, e: the enterprise of the node and those
  -- above, o: the enterprise of the event and those above.
  places text[] not null default '{}'
);
-- Whatever happens to a controller, no event is open twice.
create unique index alarm_event_open on weft.alarm_event (rule_id, node_id, item)
  where cleared_at is null;
create index alarm_event_newest on weft.alarm_event (opened_at desc, id desc);
create index alarm_event_tenant on weft.alarm_event (enterprise_id, opened_at desc, id desc);
create index alarm_event_level on weft.alarm_event (level, opened_at desc);
create index alarm_event_node on weft.alarm_event (node_id, opened_at desc);
create index alarm_event_parent on weft.alarm_event (parent_id) where parent_id is not null;
create index alarm_event_pending on weft.alarm_event (strategy_id)
  where not open_notified or (cleared_at is not null and not clear_notified);
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
-- Alarms that are active come first, the most severe before the others (alarmEvent.list), and the header counts them.
create index alarm_event_urgent on weft.alarm_event ((cleared_at is not null),
  (case when cleared_at is null then level end), opened_at desc, id desc);
create index alarm_event_active on weft.alarm_event (level) where cleared_at is null;
create index alarm_event_owner on weft.alarm_event (owner_id) where owner_id is not null;
create index alarm_event_snooze on weft.alarm_event (snooze_key) where snooze_key is not null;
create index alarm_event_maintenance on weft.alarm_event (maintenance_until)
  where maintenance_until is not null and (cleared_at is null or not clear_notified);
grant update (owner_id, owner_name, snoozed_until, snooze_note, snooze_key, snooze_scope)
  on weft.alarm_event to weft_api, weft_api_all;

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

-- Programs that are notified of events.
create table weft.webhook (
  id bigint generated always as identity primary key,
  enterprise_id bigint not null references weft.enterprise (id) on delete cascade,
  name text not null,
  url text not null,
  events text[] not null,
  -- Also events of the enterprises below.
  below boolean not null,
  enabled boolean not null,
  remark text not null default '',
  created_by bigint,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (enterprise_id, id),
  constraint webhook_name unique (enterprise_id, name)
);
call weft.tenant_table('webhook', 'enterprise_id', 'created_by');
call weft.loop_table('webhook');

-- Secrets that sign messages, sealed under the installation's key (kernel/vault.ts).
create table weft.channel_secret (
  id bigint generated always as identity primary key,
  enterprise_id bigint not null,
  receiver_id bigint,
  webhook_id bigint,
  -- Which of the row's secrets: a field of it.
  field text not null,
  sealed bytea not null,
  check (num_nonnulls(receiver_id, webhook_id) = 1),
  foreign key (enterprise_id, receiver_id) references weft.message_receiver (enterprise_id, id)
    on update cascade on delete cascade,
  foreign key (enterprise_id, webhook_id) references weft.webhook (enterprise_id, id)
    on update cascade on delete cascade,
  unique (receiver_id, field),
  unique (webhook_id, field)
);
call weft.tenant_table('channel_secret');
call weft.loop_table('channel_secret');

-- E-mails and SMS on their way out (docs/adr/0010-outbox.md).
create table weft.outbox (
  id bigint generated always as identity primary key,
  -- Whose message it is; it goes with the enterprise.
  enterprise_id bigint not null references weft.enterprise (id) on delete cascade,
  channel text not null
    check (channel in ('mail', 'sms', 'dingtalk', 'wechat', 'feishu', 'webhook')),
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
  ended_at timestamptz,
  -- Private: it contains a code, and no session reads it.
  purpose text not null default 'private'
    check (purpose in ('private', 'alarm', 'event', 'test')),
  -- To whom. What is sent by HTTP goes to the address that the row has at that moment.
  receiver_id bigint,
  webhook_id bigint,
  -- Event of a webhook.
  event text not null default '',
  -- The same for all attempts and replays, by which receivers recognize repetitions.
  key uuid not null default gen_random_uuid(),
  -- A user asked for it, whom a limit keeps from spending what others pay for.
  by_hand boolean not null default false,
  unique (enterprise_id, id),
  -- The proof outlives a recipient as that of the enterprise; nothing is sent to who is gone.
  foreign key (enterprise_id, receiver_id) references weft.message_receiver (enterprise_id, id)
    on update cascade on delete set null (receiver_id),
  foreign key (enterprise_id, webhook_id) references weft.webhook (enterprise_id, id)
    on update cascade on delete cascade
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
create index outbox_receiver on weft.outbox (receiver_id, id desc) where receiver_id is not null;
create index outbox_webhook on weft.outbox (webhook_id, id desc) where webhook_id is not null;
create index outbox_by_hand on weft.outbox (enterprise_id, created_at) where by_hand;
create index outbox_address on weft.outbox (channel, recipient)
  where channel in ('dingtalk', 'wechat', 'feishu');
-- Sessions read what became of messages, but not those with codes.
create policy read_in_scope on weft.outbox for select to weft_api
  using (purpose <> 'private' and enterprise_id = any ((select weft.scope_enterprises())::bigint[]));
create policy read_whole on weft.outbox for select to weft_api_all using (purpose <> 'private');

-- Planned work: alarms about its target are kept, send nothing and count nowhere while it lasts.
create table weft.alarm_window (
  id bigint generated always as identity primary key,
  -- Only alarms of this enterprise and of those below it are concerned.
  enterprise_id bigint not null references weft.enterprise (id) on delete cascade,
  reason text not null,
  -- 1 sites, 2 POPs, 3 an enterprise with those below it, 4 a carrier.
  kind smallint not null check (kind between 1 and 4),
  scope_id bigint references weft.enterprise (id) on delete cascade,
  carrier text not null default '',
  starts_at timestamptz not null,
  ends_at timestamptz not null,
  remark text not null default '',
  created_by bigint,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (enterprise_id, id),
  constraint alarm_window_span check (ends_at > starts_at),
  check ((kind = 3) = (scope_id is not null)),
  check ((kind = 4) = (carrier <> ''))
);
create index alarm_window_start on weft.alarm_window (starts_at desc, id);
create index alarm_window_end on weft.alarm_window (ends_at, id);
create index alarm_window_scope on weft.alarm_window (scope_id) where scope_id is not null;
call weft.tenant_table('alarm_window', 'enterprise_id', 'created_by');
call weft.choice_table('alarm_window');

create table weft.alarm_window_pop (
  enterprise_id bigint not null,
  owner_id bigint not null,
  node_enterprise_id bigint not null,
  node_id bigint not null,
  place smallint not null,
  primary key (owner_id, node_id),
  foreign key (enterprise_id, owner_id) references weft.alarm_window (enterprise_id, id)
    on update cascade on delete cascade,
  foreign key (node_enterprise_id, node_id) references weft.node (enterprise_id, id)
    on update cascade on delete cascade
);
create index alarm_window_pop_by_node on weft.alarm_window_pop (node_id);
call weft.tenant_table('alarm_window_pop');

-- Each attempt to send a message, written before it: what a process died over remains without an end.
create table weft.outbox_attempt (
  id bigint generated always as identity primary key,
  enterprise_id bigint not null,
  message_id bigint not null,
  at timestamptz not null default now(),
  ended_at timestamptz,
  -- HTTP status or SMTP code.
  status integer,
  answer text not null default '',
  foreign key (enterprise_id, message_id) references weft.outbox (enterprise_id, id)
    on update cascade on delete cascade
);
create index outbox_attempt_message on weft.outbox_attempt (message_id, id desc);
create index outbox_attempt_at on weft.outbox_attempt (at);
call weft.tenant_table('outbox_attempt');
call weft.loop_table('outbox_attempt');
revoke insert, update, delete on weft.outbox_attempt from weft_api, weft_api_all;

-- Events that wait for the worker to write them into the outbox of each webhook. Rows are written by
-- triggers in the transaction of the event, so that no writer can forget them.
create table weft.webhook_event (
  id bigint generated always as identity primary key,
  enterprise_id bigint not null,
  kind text not null,
  node_id bigint not null,
  -- Names at that moment, and what the kind has besides: the rows may say something else later.
  facts jsonb not null,
  at timestamptz not null default now()
);
call weft.tenant_table('webhook_event');
call weft.loop_table('webhook_event');
revoke insert, update, delete on weft.webhook_event from weft_api, weft_api_all;
