-- What went up or down, or advanced in its delivery: the outbox of live screens, and the history of
-- links, lines and devices. Rows are written by triggers, so that no writer can forget them.
create table weft.transition (
  sequence bigint generated always as identity primary key,
  enterprise_id bigint not null,
  -- Of the node that it is about, for scopes of own data.
  created_by bigint,
  kind text not null check (kind in ('node', 'link', 'line', 'state', 'alarm')),
  node_id bigint not null,
  link_id bigint,
  -- Interface of a line.
  name text,
  -- Null: no matter of up and down.
  up boolean,
  at timestamptz not null default now()
);
create index transition_by_link on weft.transition (link_id, at) where link_id is not null;
create index transition_by_node on weft.transition (node_id, at);
create index transition_at on weft.transition (at);
call weft.tenant_table('transition', 'enterprise_id', 'created_by');
call weft.loop_table('transition');

create function weft.note_transition(
  of_enterprise bigint, of_kind text, of_node bigint, of_link bigint, called text, is_up boolean
) returns void language sql security definer set search_path = weft, pg_temp
  begin atomic
    insert into weft.transition (enterprise_id, created_by, kind, node_id, link_id, name, up)
    select of_enterprise, n.created_by, of_kind, n.id, of_link, called, is_up
    from weft.node n where n.id = of_node;
    insert into weft.alarm_due (enterprise_id, node_id)
    select of_enterprise, of_node where of_kind in ('node', 'line', 'link');
  end;
revoke execute on function weft.note_transition(bigint, text, bigint, bigint, text, boolean) from public;

create function weft.link_turned() returns trigger
language plpgsql security definer set search_path = weft, pg_temp as $$
begin
  perform weft.note_transition(new.enterprise_id, 'link', l.a_node_id, l.id, null, new.up)
  from weft.link l where l.id = new.link_id;
  return null;
end $$;
create trigger link_turned after update on weft.link_status
  for each row when (old.up is distinct from new.up) execute function weft.link_turned();
create trigger link_known after insert on weft.link_status
  for each row execute function weft.link_turned();

create function weft.node_turned() returns trigger
language plpgsql security definer set search_path = weft, pg_temp as $$
begin
  if tg_op = 'INSERT' or old.online is distinct from new.online then
    perform weft.note_transition(new.enterprise_id, 'node', new.node_id, null, null, new.online);
  end if;
  if tg_op = 'UPDATE' and old.lines is distinct from new.lines then
    perform weft.note_transition(new.enterprise_id, 'line', new.node_id, null,
      l.line ->> 'interfaceName', (l.line ->> 'up')::boolean)
    from jsonb_array_elements(new.lines) as l (line)
    where not exists (
      select from jsonb_array_elements(old.lines) as o (line)
      where o.line ->> 'interfaceName' = l.line ->> 'interfaceName'
        and o.line ->> 'up' = l.line ->> 'up');
  end if;
  return null;
end $$;
create trigger node_turned after insert or update of online, lines on weft.node_status
  for each row execute function weft.node_turned();

create function weft.state_turned() returns trigger
language plpgsql security definer set search_path = weft, pg_temp as $$
begin
  perform weft.note_transition(new.enterprise_id, 'state', new.node_id, null, new.outcome, null);
  return null;
end $$;
create trigger state_turned after update on weft.node_state
  for each row when (old.outcome is distinct from new.outcome) execute function weft.state_turned();
create trigger state_made after insert on weft.node_state
  for each row execute function weft.state_turned();

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

-- What the node of this transaction may send metrics of: links that it probes and interfaces that
-- it is configured with; and which of the asked links end at other nodes.
create function weft.own_figures(asked bigint[])
  returns table (links bigint[], interfaces text[], foreign_links bigint[])
  language sql stable security definer set search_path = weft, pg_temp
  begin atomic
    select
      array (select l.id from weft.link l where l.a_node_id = weft.node_id()),
      array (
        select i.interface_name from weft.line i where i.node_id = weft.node_id()
        union
        select s.interface_name from weft.lan_section s where s.node_id = weft.node_id()),
      array (
        select l.id from weft.link l where l.id = any (asked)
          and weft.node_id() is distinct from l.a_node_id
          and weft.node_id() is distinct from l.b_node_id);
  end;
revoke execute on function weft.own_figures(bigint[]) from public;
grant execute on function weft.own_figures(bigint[]) to weft_gateway;
