-- What the controller itself finds about nodes, of spaces that they are members of: links for which there
-- is no room or no end to call, and networks that collide with another site's. The page of the node shows
-- it beside what the device reports, and alarm rules about findings cover it.
create table weft.node_finding (
  node_id bigint not null,
  enterprise_id bigint not null,
  space_id bigint not null references weft.net_space (id) on delete cascade,
  source text not null check (source in ('links', 'networks')),
  kind text not null,
  object text not null,
  reason text not null,
  params jsonb not null default '{}',
  created_at timestamptz not null default now(),
  primary key (node_id, space_id, kind, object, reason),
  foreign key (enterprise_id, node_id) references weft.node (enterprise_id, id)
    on delete cascade on update cascade
);
create index node_finding_space on weft.node_finding (space_id);
call weft.tenant_table('node_finding');
call weft.loop_table('node_finding');

-- What readers of an enterprise's rows may know a node by: POPs serve several enterprises and are known to
-- them; a CPE only to its own enterprise and those above it.
create function weft.name_for(reader bigint, node bigint) returns text
  language sql stable security definer set search_path = weft, pg_temp
  begin atomic
    select case when n.kind = 'pop' or reader = any (weft.above(array[n.enterprise_id]))
      then n.name else '#' || n.id end
    from weft.node n where n.id = node;
  end;

-- Pairs that require_no_collision refuses today, and that a database of before it may hold: two sites of a
-- space of which one takes traffic of the other, or that both announce a default route. At most 20 a node.
create function weft.network_findings(spaces bigint[])
  returns table (node_id bigint, enterprise_id bigint, space_id bigint, kind text, object text, params jsonb)
  language sql stable security definer set search_path = weft, pg_temp set enable_nestloop = off
  as $$
    with claim as materialized (
      select s.space_id, s.node_id, coalesce(-s.service_id, s.node_id) as site, s.kind,
        s.kind in ('lan', 'pool') as own, network(s.network::inet)::inet as network
      from space_networks(spaces) s
      where not (s.kind = 'route' and masklen(s.network::inet) = 0)
    ), around as materialized (
      select c.*, max(network) filter (where own) over (
        partition by c.space_id order by network, own desc
        rows between unbounded preceding and current row) as outer_network
      from claim c
    ), pair as (
      select i.space_id, i.node_id, i.kind, i.network, o.node_id as other_id, o.kind as other_kind,
        o.network as other_network
      from around i join claim o on o.space_id = i.space_id and o.network = i.outer_network
      where o.own and o.network >>= i.network and o.site <> i.site
      union
      select i.space_id, i.node_id, i.kind, i.network, o.node_id, o.kind, o.network
      from claim i join claim o on o.space_id = i.space_id and o.network = i.network
      where o.site <> i.site and not (i.kind = 'route' and o.kind = 'route')
    ), half as (
      select space_id, node_id, kind, network, other_id, other_network from pair
      union
      select space_id, other_id, other_kind, other_network, node_id, network from pair
    ), one as (
      select distinct on (h.space_id, h.node_id, h.kind, h.network) h.*
      from half h order by h.space_id, h.node_id, h.kind, h.network, h.other_network, h.other_id
    ), numbered as (
      select o.*, row_number() over (partition by o.space_id, o.node_id order by o.network, o.kind) as place
      from one o
    )
    select n.id, n.enterprise_id, f.space_id,
      case f.kind when 'announced' then 'announce' else f.kind end,
      host(f.network) || '/' || masklen(f.network),
      jsonb_build_object('network', host(f.other_network) || '/' || masklen(f.other_network),
        'site', name_for(n.enterprise_id, f.other_id))
    from numbered f join node n on n.id = f.node_id where f.place <= 20
  $$;

-- Notes the collisions of spaces anew: of those that are named, and of those of the nodes that have any.
-- Others cannot have got any: writes that would make one are refused.
create function weft.note_network_findings(nodes bigint[], spaces bigint[]) returns void
language plpgsql security definer set search_path = weft, pg_temp as $$
declare
  targets bigint[];
begin
  select array_agg(id) into targets from (
    select unnest(spaces) as id
    union
    select f.space_id from node_finding f where f.source = 'networks' and (f.node_id = any (nodes)
      or f.space_id in (select m.space_id from space_member m where m.node_id = any (nodes)))
  ) t;
  if targets is null then return; end if;
  delete from node_finding where space_id = any (targets) and source = 'networks';
  insert into node_finding (node_id, enterprise_id, space_id, source, kind, object, reason, params)
    select f.node_id, f.enterprise_id, f.space_id, 'networks', f.kind, f.object, 'collides', f.params
    from network_findings(targets) f;
end $$;

-- Has the links of spaces settled once more: numbers that they wait for became free.
create function weft.settle_again(spaces bigint[]) returns void
  language sql volatile security definer set search_path = weft, pg_temp
  begin atomic
    insert into weft.change (enterprise_id, space_ids, cause, created_by)
    select s.enterprise_id, array[s.id], 'system: links', 0 from weft.net_space s where s.id = any (spaces);
  end;

-- Links that go, also with their space, give ports back: other spaces that wait for one are settled again.
create function weft.release_ports() returns trigger
language plpgsql security definer set search_path = weft, pg_temp as $$
begin
  perform settle_again(array(
    select distinct f.space_id from node_finding f
    where f.reason = 'noPort' and f.space_id not in (select space_id from gone)
      and f.node_id in (select a_node_id from gone union select b_node_id from gone)));
  return null;
end $$;
create trigger release_ports after delete on weft.link
  referencing old table as gone for each statement execute function weft.release_ports();
create index node_finding_no_port on weft.node_finding (node_id) where reason = 'noPort';

revoke execute on function weft.release_ports() from public;
revoke execute on function weft.name_for(bigint, bigint), weft.network_findings(bigint[]),
  weft.note_network_findings(bigint[], bigint[]), weft.settle_again(bigint[]) from public;
grant execute on function weft.name_for(bigint, bigint),
  weft.note_network_findings(bigint[], bigint[]), weft.settle_again(bigint[]) to weft_worker;

-- Of today's rows: collisions at once, and what was never placed with the next work of the worker.
select weft.note_network_findings('{}', array(select id from weft.net_space));
select weft.settle_again(array(
  select distinct m.space_id from weft.space_member m join weft.node_status s on s.node_id = m.node_id
  where s.tunnel_key is not null and not exists (
    select from weft.link l where l.space_id = m.space_id and m.node_id in (l.a_node_id, l.b_node_id))));

-- Alarm rules about findings see them too, whether the device is connected or not. Everything else in the
-- function stays as it is.
do $$
declare
  old_text constant text := pg_get_functiondef('weft.alarm_states(bigint[], text[])'::regprocedure);
  new_text constant text := replace(old_text, '    select n.id, ''repair'',', $part$
    select f.node_id, 'finding', concat_ws(' ', f.kind, f.object, f.reason),
      jsonb_build_object('section', '', 'kind', f.kind, 'object', f.object, 'reason', f.reason,
        'params', f.params)::text,
      null, '{}'::text[], false
    from node_finding f
    where 'finding' = any (metrics) and f.node_id = any (nodes)
    union all
    select n.id, 'repair',$part$);
begin
  if new_text = old_text then
    raise exception 'weft.alarm_states does not know repairs';
  end if;
  execute new_text;
end $$;

-- As before, and the health of a node counts what the controller found, too.
create or replace function weft.node_facts(nodes bigint[], fresh interval,
  poor_loss real, poor_delay real, poor_jitter real, worst_level integer
) returns table (
  id bigint, enterprise_id bigint, kind text, enabled boolean, expire_at timestamptz, is_expired boolean,
  enrolment text, enrolled_at timestamptz, online boolean, last_seen timestamptz,
  drift_steps integer, drift_since timestamptz, lines integer, lines_down text[],
  serial bigint, ending text, state_at timestamptz, has_confirmed boolean, failed_at timestamptz,
  findings integer, links integer, links_up integer, links_poor integer, link_down_at timestamptz,
  peer text, loss real, delay real, alarm text, alarm_at timestamptz)
  language sql stable security definer set search_path = weft, pg_temp
  begin atomic
    select n.id, n.enterprise_id, n.kind, n.enabled, n.expire_at, coalesce(n.expire_at <= now(), false),
      i.state, i.at, coalesce(s.online, false), s.last_seen,
      coalesce(s.drift_steps, 0), s.drift_since, coalesce(jsonb_array_length(s.lines), 0),
      array(select one ->> 'interfaceName' from jsonb_array_elements(s.lines) one
        where not (one ->> 'up')::boolean),
      t.serial, t.ending, t.created_at, s.running_serial is not null, m.failed_at,
      coalesce(t.findings, 0) + (select count(*)::integer from policy_finding f
        where f.node_id = n.id and f.effect = 'cannot')
        + (select count(*)::integer from node_finding f where f.node_id = n.id),
      k.links, k.up, k.poor, k.down_at, k.peer, k.loss, k.delay, e.strategy_name, e.opened_at
    from unnest(nodes) as asked (id) join node n on n.id = asked.id
      left join node_status s on s.node_id = n.id
      left join compile_mark m on m.node_id = n.id and m.failure is not null
      left join lateral (
        select d.state, coalesce(d.decided_at, d.created_at) as at from node_identity d
        where d.node_id = n.id
        order by d.state in ('approved', 'quarantined') desc, d.id desc limit 1) i on true
      left join lateral (
        select z.serial, z.created_at, jsonb_array_length(z.findings) as findings,
          case when z.outcome = 'confirmed' then 'confirmed'
            when z.outcome in ('refused', 'failed', 'reverted') then 'blocked'
            when z.held then 'held' else 'underway' end as ending
        from node_state z where z.node_id = n.id order by z.epoch desc, z.serial desc limit 1) t on true
      cross join lateral (
        select count(*)::integer as links, count(*) filter (where w.up)::integer as up,
          count(*) filter (where w.up and (w.loss_percent > poor_loss or w.rtt_ms > poor_delay
            or w.jitter_ms > poor_jitter))::integer as poor,
          max(w.changed_at) filter (where not w.up) as down_at,
          min(p.name) filter (where w.up) as peer,
          max(w.loss_percent) filter (where w.up) as loss, max(w.rtt_ms) filter (where w.up) as delay
        from (select a.id, a.b_node_id as peer_id from link a where a.a_node_id = n.id
              union all select b.id, b.a_node_id from link b where b.b_node_id = n.id) l
          left join lateral (
            select coalesce(x.up, false) and x.at > now() - fresh as up, x.loss_percent, x.rtt_ms,
              x.jitter_ms, x.changed_at
            from link_status x where x.link_id = l.id) w on true
          left join node p on p.id = l.peer_id) k
      left join lateral (
        select v.strategy_name, v.opened_at from alarm_event v
        where v.node_id = n.id and v.enterprise_id = n.enterprise_id and v.cleared_at is null
          and v.level <= worst_level
        order by v.opened_at limit 1) e on true;
  end;
