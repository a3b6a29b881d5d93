-- Notifications by robots of chats and by webhooks; what became of each message (docs/adr/0030-channels.md).

alter table weft.message_receiver
  add column dingtalk text,
  add column dingtalk_flag boolean not null default false,
  add column wechat text,
  add column wechat_flag boolean not null default false,
  add column feishu text,
  add column feishu_flag boolean not null default false,
  add column webhook text,
  add column webhook_flag boolean not null default false;

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

alter table weft.outbox
  drop constraint outbox_channel_check,
  add constraint outbox_channel_check
    check (channel in ('mail', 'sms', 'dingtalk', 'wechat', 'feishu', 'webhook')),
  -- Private: it contains a code, and no session reads it.
  add column purpose text not null default 'private'
    check (purpose in ('private', 'alarm', 'event', 'test')),
  -- To whom. What is sent by HTTP goes to the address that the row has at that moment.
  add column receiver_id bigint,
  add column webhook_id bigint,
  -- Event of a webhook.
  add column event text not null default '',
  -- The same for all attempts and replays, by which receivers recognize repetitions.
  add column key uuid not null default gen_random_uuid(),
  -- A user asked for it, whom a limit keeps from spending what others pay for.
  add column by_hand boolean not null default false,
  add unique (enterprise_id, id),
  -- The proof outlives a recipient as that of the enterprise; nothing is sent to who is gone.
  add foreign key (enterprise_id, receiver_id) references weft.message_receiver (enterprise_id, id)
    on update cascade on delete set null (receiver_id),
  add foreign key (enterprise_id, webhook_id) references weft.webhook (enterprise_id, id)
    on update cascade on delete cascade;
create index outbox_receiver on weft.outbox (receiver_id, id desc) where receiver_id is not null;
create index outbox_webhook on weft.outbox (webhook_id, id desc) where webhook_id is not null;
create index outbox_by_hand on weft.outbox (enterprise_id, created_at) where by_hand;
create index outbox_address on weft.outbox (channel, recipient)
  where channel in ('dingtalk', 'wechat', 'feishu');

-- Sessions read what became of messages, but not those with codes.
create policy read_in_scope on weft.outbox for select to weft_api
  using (purpose <> 'private' and enterprise_id = any ((select weft.scope_enterprises())::bigint[]));
create policy read_whole on weft.outbox for select to weft_api_all using (purpose <> 'private');

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

-- Enabled webhooks that an event of this enterprise is for.
create function weft.webhooks_for(of_enterprise bigint, of_kind text) returns setof bigint
  language sql stable security definer set search_path = weft, pg_temp
  begin atomic
    select w.id from weft.webhook w
    where w.enabled and of_kind = any (w.events)
      and (w.enterprise_id = of_enterprise
        or (w.below and w.enterprise_id = any (weft.above(array[of_enterprise]))));
  end;
revoke execute on function weft.webhooks_for(bigint, text) from public;
grant execute on function weft.webhooks_for(bigint, text) to weft_worker;

create function weft.note_webhook_event(of_enterprise bigint, of_kind text, of_node bigint, facts jsonb)
  returns void language sql security definer set search_path = weft, pg_temp
  begin atomic
    insert into weft.webhook_event (enterprise_id, kind, node_id, facts)
    select of_enterprise, of_kind, n.id, jsonb_build_object('enterpriseName', e.name, 'nodeKind', n.kind,
      'nodeName', n.name, 'sn', coalesce((select i.sn from weft.node_identity i
        where i.node_id = n.id and i.state in ('approved', 'quarantined')), '')) || facts
    from weft.node n join weft.enterprise e on e.id = of_enterprise
    where n.id = of_node and exists (select from weft.webhooks_for(of_enterprise, of_kind));
  end;
revoke execute on function weft.note_webhook_event(bigint, text, bigint, jsonb) from public;

create function weft.alarm_happened() returns trigger
language plpgsql security definer set search_path = weft, pg_temp as $$
begin
  perform weft.note_webhook_event(new.enterprise_id,
    case when new.cleared_at is null then 'alarm.opened' else 'alarm.ended' end,
    new.node_id, jsonb_build_object('alarmId', new.id));
  return null;
end $$;
create trigger alarm_happened after insert on weft.alarm_event
  for each row execute function weft.alarm_happened();
create trigger alarm_over after update of cleared_at on weft.alarm_event
  for each row when (old.cleared_at is null and new.cleared_at is not null)
  execute function weft.alarm_happened();

create function weft.state_happened() returns trigger
language plpgsql security definer set search_path = weft, pg_temp as $$
begin
  perform weft.note_webhook_event(new.enterprise_id,
    case when new.outcome = 'confirmed' then 'change.delivered' else 'change.failed' end,
    new.node_id, jsonb_build_object('epoch', new.epoch, 'serial', new.serial, 'outcome', new.outcome,
      'reason', new.reason, 'cause', new.cause));
  return null;
end $$;
create trigger state_happened after update of outcome on weft.node_state
  for each row when (old.outcome is distinct from new.outcome
    and new.outcome in ('confirmed', 'refused', 'failed', 'reverted'))
  execute function weft.state_happened();

create function weft.identity_happened() returns trigger
language plpgsql security definer set search_path = weft, pg_temp as $$
begin
  perform weft.note_webhook_event(new.enterprise_id, 'cpe.approved', n.id,
    jsonb_build_object('sn', new.sn, 'by', new.decided_by))
  from weft.node n where n.id = new.node_id and n.kind = 'cpe';
  return null;
end $$;
create trigger identity_approved after update of state on weft.node_identity
  for each row when (old.state is distinct from new.state and new.state = 'approved')
  execute function weft.identity_happened();
create trigger identity_made after insert on weft.node_identity
  for each row when (new.state = 'approved') execute function weft.identity_happened();

create function weft.contact_happened() returns trigger
language plpgsql security definer set search_path = weft, pg_temp as $$
begin
  perform weft.note_webhook_event(new.enterprise_id,
    case when new.online then 'device.online' else 'device.offline' end, new.node_id, '{}');
  return null;
end $$;
create trigger contact_happened after update of online on weft.node_status
  for each row when (old.online is distinct from new.online) execute function weft.contact_happened();
create trigger contact_made after insert on weft.node_status
  for each row when (new.online) execute function weft.contact_happened();
