-- LAN lines that name a standby group, as CPEs have them: their own, and those of the version of a template that they
-- follow, which one of their own with the same name replaces. Without a priority it is that of RFC 5798.
create view weft.standby_line as
  select l.node_id, l.enterprise_id, l.name, l.hot_standby_group as standby_group,
      coalesce(l.hot_standby_priority, 100::smallint) as priority, l.ip, l.mask
    from weft.router_interface_line l
    where l.node_id is not null and l.kind = 'lan' and l.hot_standby_group is not null
  union all
  select m.node_id, m.node_enterprise_id, t.name, t.hot_standby_group,
      coalesce(t.hot_standby_priority, 100::smallint), t.ip, t.mask
    from weft.router_template_node m
    join weft.router_template_version v on v.template_id = m.template_id and v.version = m.version
      and v.standby_lines <> '[]'
    cross join lateral jsonb_to_recordset(v.standby_lines)
      as t (name text, hot_standby_group smallint, hot_standby_priority smallint, ip text, mask text)
    where not exists (select from weft.router_interface_line own
      where own.node_id = m.node_id and own.kind = 'lan' and own.name = t.name);

-- The standby group of a CPE: that of its own settings, else that of the first of its LAN lines that names one (`line`).
-- A line has no role: the priorities decide.
create view weft.standby_place as
  select n.id as node_id, n.enterprise_id, n.hot_standby_group as standby_group, n.hot_standby_priority as priority,
      n.hot_standby_role as role, null as line
    from weft.node n where n.hot_standby_group is not null
  union all
  select l.node_id, l.enterprise_id, l.standby_group, l.priority, null, l.name
    from weft.standby_line l join weft.node n on n.id = l.node_id
    where n.kind = 'cpe' and n.hot_standby_group is null and not exists (
      select from weft.standby_line earlier
      where earlier.node_id = l.node_id and earlier.name collate "C" < l.name collate "C");

-- Members of the groups of nodes, in the order in which they stand: the first two are the group, others are not part of
-- it (`place` above 2). Who has the group by its own settings comes first, then who was the first to share a LAN, so that
-- one that is added later takes nobody's place. Most nodes have no group: that costs two index look-ups.
create function weft.standby_members(those bigint[])
  returns table (
    node_id bigint, member_id bigint, place bigint, standby_group smallint, priority smallint, role text, line text
  )
  language plpgsql stable security definer set search_path = weft, pg_temp set enable_nestloop = on as $$
#variable_conflict use_column
declare
  grouped bigint[];
begin
  grouped := array(select n.id from node n where n.id = any (those) and n.hot_standby_group is not null
    union select l.node_id from standby_line l where l.node_id = any (those));
  if grouped = '{}' then
    return;
  end if;
  return query
    with own as materialized (
      select p.node_id, p.enterprise_id, p.standby_group from standby_place p where p.node_id = any (grouped)
    )
    select own.node_id, p.node_id, row_number() over (partition by own.node_id order by p.line is not null,
        (select min(s.id) from lan_section s where s.node_id = p.node_id and s.own_address is not null), p.node_id),
      p.standby_group, p.priority, p.role, p.line
    from own join standby_place p on p.enterprise_id = own.enterprise_id and p.standby_group = own.standby_group;
end $$;
revoke execute on function weft.standby_members(bigint[]) from public;

-- Nodes of the node's standby group, itself included, by id. With the owner's rights: who may see one of them
-- only must not break the other's gateway either.
create function weft.standby_pair(this bigint) returns bigint[]
  language sql stable security definer set search_path = weft, pg_temp as $$
    select coalesce(
      (select array_agg(m.member_id order by m.member_id) from standby_members(array[this]) m
        where m.place <= 2 having bool_or(m.member_id = this)),
      array[this]);
  $$;
revoke execute on function weft.standby_pair(bigint) from public;
grant execute on function weft.standby_pair(bigint) to weft_api, weft_api_all, weft_worker, weft_gateway;

-- The site that a node is at: of two that stand for each other it is the first one's.
create function weft.standby_sites(those bigint[]) returns table (node_id bigint, site bigint)
  language sql stable security definer set search_path = weft, pg_temp as $$
    with pair as materialized (
      select m.node_id, min(m.member_id) as first from standby_members(those) m
      where m.place <= 2 group by m.node_id having bool_or(m.member_id = m.node_id)
    )
    select own.id, coalesce(p.first, own.id)
      from unnest(those) as own (id) left join pair p on p.node_id = own.id;
  $$;
revoke execute on function weft.standby_sites(bigint[]) from public;
grant execute on function weft.standby_sites(bigint[]) to weft_api, weft_api_all, weft_worker, weft_gateway;

-- What compile takes from standby groups: a node's place in one, and whether the other device can stand for it, null while
-- that one never reported. `line`: the LAN line that names the group; null: the CPE's own settings. `is_beyond`: two
-- others are the group. No row: the node is in no group.
create function weft.standby_of(nodes bigint[])
  returns table (
    node_id bigint, standby_group smallint, role text, priority smallint, partner_can boolean,
    line text, partner text, is_beyond boolean
  )
  language sql stable security definer set search_path = weft, pg_temp as $$
    with member as materialized (select m.* from standby_members(nodes) m),
    -- Of two equal ones it is the role that they were given.
    ranked as (
      select m.*, row_number() over (partition by m.node_id
        order by m.priority desc, m.role is not distinct from 'active' desc, m.place) as rank
      from member m where m.place <= 2
    )
    select own.node_id, own.standby_group, case when r.rank = 1 then 'active' else 'standby' end, own.priority,
        case when jsonb_array_length(coalesce(s.capabilities, '[]')) > 0 then exists (
          select from jsonb_array_elements(s.capabilities) one
          where one ->> 'name' = 'standby' and (one ->> 'can')::boolean) end,
        own.line, other.name, own.place > 2
      from member own
      left join ranked r on r.node_id = own.node_id and r.member_id = own.member_id
      left join member partner on partner.node_id = own.node_id and partner.member_id <> own.node_id
        and partner.place <= 2 and (own.place <= 2 or partner.place = 1)
      left join node other on other.id = partner.member_id
      left join node_status s on s.node_id = other.id
      where own.member_id = own.node_id;
  $$;
revoke execute on function weft.standby_of(bigint[]) from public;
grant execute on function weft.standby_of(bigint[]) to weft_api, weft_api_all, weft_worker;

-- LANs of nodes whose gateway is another device's of a common space, for which they do not stand (any more): versions of
-- templates come and go, and are not refused for it. The gateway is that of two that stand for each other, else of the
-- first device.
create function weft.standby_rivals(nodes bigint[]) returns table (node_id bigint, network text)
  language sql stable security definer set search_path = weft, pg_temp as $$
    select s.node_id, s.network from lan_section s
    where s.node_id = any (nodes) and s.own_address is not null and cardinality(standby_pair(s.node_id)) = 1
      and exists (
        select from lan_section o
        join space_member there on there.node_id = o.node_id
        join space_member here on here.space_id = there.space_id and here.node_id = s.node_id
        where o.enterprise_id = s.enterprise_id and o.network = s.network and o.own_address is not null
          and o.node_id <> s.node_id
          and (o.node_id < s.node_id or cardinality(standby_pair(o.node_id)) = 2));
  $$;
revoke execute on function weft.standby_rivals(bigint[]) from public;
grant execute on function weft.standby_rivals(bigint[]) to weft_api, weft_api_all, weft_worker;

-- The other CPEs of the enterprise that name a group, with the address of the LAN line that does; null: their settings do.
create function weft.standby_others(this bigint, in_group smallint)
  returns table (id bigint, ip text, mask text)
  language sql stable security definer set search_path = weft, pg_temp as $$
    select p.node_id, l.ip, l.mask
      from node own join standby_place p on p.enterprise_id = own.enterprise_id and p.standby_group = in_group
      left join standby_line l on l.node_id = p.node_id and l.name = p.line
      where own.id = this and p.node_id <> this order by p.node_id;
  $$;
revoke execute on function weft.standby_others(bigint, smallint) from public;
grant execute on function weft.standby_others(bigint, smallint) to weft_api, weft_api_all;

-- The other device of a node's group cannot take over: it is out of contact, or does not stand by. Null: it can, or the
-- node is in no group, or is not the active one.
create function weft.standby_missing(those bigint[])
  returns table (node_id bigint, name text, since timestamptz)
  language sql stable security definer set search_path = weft, pg_temp as $$
    select mine.node_id, other.name, case when s.online then s.standby_since else s.last_seen end
      from node_status mine
      cross join lateral unnest(standby_pair(mine.node_id)) as pair (id)
      join node other on other.id = pair.id and other.id <> mine.node_id
      left join node_status s on s.node_id = other.id
      where mine.node_id = any (those) and mine.standby_place = 'active'
        and not (coalesce(s.online, false) and s.standby_place is not distinct from 'standby');
  $$;
revoke execute on function weft.standby_missing(bigint[]) from public;
grant execute on function weft.standby_missing(bigint[]) to weft_api, weft_api_all, weft_worker;

-- Devices of groups that gain or lose a member are compiled again, whoever of them was edited.
create function weft.change_standby(groups jsonb) returns void
  language sql security definer set search_path = weft, pg_temp as $$
    insert into change (enterprise_id, node_ids, space_ids, cause, created_by)
    select p.enterprise_id, array_agg(distinct p.node_id order by p.node_id), '{}', 'system: standby', 0
      from (select distinct enterprise_id, standby_group from jsonb_to_recordset(groups)
        as g (enterprise_id bigint, standby_group smallint)) g
      join standby_place p on p.enterprise_id = g.enterprise_id and p.standby_group = g.standby_group
      group by p.enterprise_id, p.standby_group;
  $$;
revoke execute on function weft.change_standby(jsonb) from public;

create function weft.note_standby_line() returns trigger
  language plpgsql security definer set search_path = weft, pg_temp as $$
begin
  perform change_standby(jsonb_agg(jsonb_build_object('enterprise_id', r.enterprise_id, 'standby_group', r.in_group)))
    from (select old.enterprise_id, old.hot_standby_group as in_group where tg_op <> 'INSERT'
      union all select new.enterprise_id, new.hot_standby_group where tg_op <> 'DELETE') r
    where r.in_group is not null having count(*) > 0;
  return null;
end $$;
revoke execute on function weft.note_standby_line() from public;
create trigger standby_insert after insert on weft.router_interface_line
  for each row when (new.node_id is not null and new.hot_standby_group is not null)
  execute function weft.note_standby_line();
create trigger standby_update after update on weft.router_interface_line
  for each row when (new.node_id is not null
    and (new.hot_standby_group is not null or old.hot_standby_group is not null))
  execute function weft.note_standby_line();
create trigger standby_delete after delete on weft.router_interface_line
  for each row when (old.node_id is not null and old.hot_standby_group is not null)
  execute function weft.note_standby_line();

-- The same for who begins or ends to follow a version of a template.
create function weft.note_standby_template() returns trigger
  language plpgsql security definer set search_path = weft, pg_temp as $$
begin
  perform change_standby(jsonb_agg(jsonb_build_object(
      'enterprise_id', r.enterprise_id, 'standby_group', (t.line ->> 'hot_standby_group')::smallint)))
    from (select old.node_enterprise_id as enterprise_id, old.template_id, old.version where tg_op <> 'INSERT'
      union all select new.node_enterprise_id, new.template_id, new.version where tg_op <> 'DELETE') r
    join router_template_version v on v.template_id = r.template_id and v.version = r.version
      and v.standby_lines <> '[]'
    cross join lateral jsonb_array_elements(v.standby_lines) as t (line) having count(*) > 0;
  return null;
end $$;
revoke execute on function weft.note_standby_template() from public;
create trigger standby_insert after insert on weft.router_template_node
  for each row when (new.version is not null) execute function weft.note_standby_template();
create trigger standby_update after update of version, template_id on weft.router_template_node
  for each row execute function weft.note_standby_template();
create trigger standby_delete after delete on weft.router_template_node
  for each row when (old.version is not null) execute function weft.note_standby_template();
