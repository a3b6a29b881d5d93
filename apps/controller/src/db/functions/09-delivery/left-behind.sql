-- What enterprises that moved to another agent and those that they left still have of each other: a move is refused for it
-- (weft.leave_branch), but was not always. Templates, spaces and the blacklist of the former agent act on devices of a customer of
-- another one, its alarm policies are sent their alarms, and its roles open them. Nothing of it is taken away here, as traffic and what
-- is denied may depend on it: it is a finding of each node, until somebody who sees both sides removes the object or the node from it.

-- Moves that the operation log has: who moved, and all on the side that was left, as the tree is today.
create function weft.moves_of_enterprises()
  returns table (inside bigint[], leaves bigint[], at timestamptz)
  language sql stable security definer set search_path = weft, pg_temp
  begin atomic
    select own.ids, array(
        select one from unnest(weft.subtree(array(
          select over from unnest(weft.above(array[m.former])) over where over <> all (weft.above(array[m.moved]))))) one
        where one <> all (own.ids)),
      m.at
    from (
      select a.row_id as moved, (a.old_value ->> 'parentId')::bigint as former, max(a.at) as at
      from weft.audit a
      where a.resource = 'enterprise' and a.old_value ->> 'parentId' is not null and a.new_value ->> 'parentId' is not null
        and a.old_value -> 'parentId' is distinct from a.new_value -> 'parentId'
        and a.row_id in (select e.id from weft.enterprise e)
      group by 1, 2
    ) m cross join lateral (select weft.subtree(array[m.moved]) as ids) own;
  end;
revoke execute on function weft.moves_of_enterprises() from public;

-- Enterprises that parted by such a move although objects of one (`owner`) name the other one, or nodes of it; `at`: the last move.
-- Who names whom is read first, once for each table: moves are kept for ever, and few are from before they were refused.
create function weft.parted_enterprises()
  returns table (owner bigint, named bigint, at timestamptz)
language plpgsql stable security definer set search_path = weft, pg_temp as $$
#variable_conflict use_column
declare
  members constant text := (
    select string_agg(format('select enterprise_id, node_enterprise_id from %I', one), ' union ')
    from member_tables() one where one <> 'router_template_exclusion');
  owners bigint[];
  others bigint[];
begin
  execute format($names$
    with pair (owner, named) as (
      %s
      union select c.enterprise_id, one.named
        from circuit c cross join lateral (values (c.source_enterprise_id), (c.target_enterprise_id)) one (named)
      union select o.enterprise_id, n.enterprise_id from (
        select a.enterprise_id, a.pop_id from mobile_account a
        union select g.enterprise_id, g.pop_id from saas_group g
        union select v.enterprise_id, v.pop_id from vbr_node v
        union select s.enterprise_id, s.pop_id from client_service s) o join node n on n.id = o.pop_id
      union select r.enterprise_id, s.enterprise_id from role_enterprise s join role r on r.id = s.role_id
      union select t.enterprise_id, g.target_enterprise_id
        from router_template_target g join router_template t on t.id = g.template_id
      union select p.enterprise_id, s.enterprise_id from enterprise_strategy s join pop_strategy p on p.id = s.pop_strategy_id
    )
    select array_agg(p.owner), array_agg(p.named) from pair p
      where p.owner <> p.named and p.owner <> all (above(array[p.named])) and p.named <> all (above(array[p.owner]))
  $names$, members) into owners, others;
  if owners is null then return; end if;
  return query
    select p.owner, p.named, max(m.at) from unnest(owners, others) p (owner, named)
      join moves_of_enterprises() m on p.owner = any (m.leaves) and p.named = any (m.inside)
        or p.owner = any (m.inside) and p.named = any (m.leaves)
      group by p.owner, p.named;
end $$;
revoke execute on function weft.parted_enterprises() from public;

-- Objects from before such a move that name nodes across, or the enterprises of nodes: `owner` has the object, of the table `kind`.
create function weft.left_behind()
  returns table (node_id bigint, enterprise_id bigint, owner bigint, kind text, object text)
language plpgsql stable security definer set search_path = weft, pg_temp as $$
#variable_conflict use_column
declare
  owners bigint[];
  others bigint[];
  moments timestamptz[];
  reference record;
begin
  select array_agg(p.owner), array_agg(p.named), array_agg(p.at) into owners, others, moments from parted_enterprises() p;
  if owners is null then return; end if;
  for reference in
    -- Members: the column that names the object follows from what it refers to.
    select k.conrelid::regclass as members, o.attname as owner_id, k.confrelid::regclass as owners
      from member_tables() m
      join pg_constraint k on k.conrelid = ('weft.' || quote_ident(m))::regclass and k.contype = 'f'
        and k.confrelid <> 'node'::regclass
      join pg_attribute o on o.attrelid = k.conrelid and o.attnum = any (k.conkey)
      join pg_attribute r on r.attrelid = k.confrelid and r.attname = 'id'
        and r.attnum = k.confkey[array_position(k.conkey, o.attnum)]
      where m <> 'router_template_exclusion'
    order by 1
  loop
    return query execute format(
      'select m.node_id, m.node_enterprise_id, m.enterprise_id, %L,
          coalesce(to_jsonb(o) ->> ''name'', to_jsonb(o) ->> ''value'', to_jsonb(o) ->> ''reason'', ''#'' || o.id)
        from unnest($1, $2, $3) p (owner, named, at)
        join %s m on m.enterprise_id = p.owner and m.node_enterprise_id = p.named
        join %s o on o.id = m.%I
        where o.created_at < p.at',
      replace(reference.owners::text, 'weft.', ''), reference.members, reference.owners, reference.owner_id)
      using owners, others, moments;
  end loop;
  return query
    select n.id, n.enterprise_id, o.owner, o.kind, o.object from (
      select c.enterprise_id as owner, 'circuit' as kind, c.name as object, one.node as node_id, c.created_at
        from circuit c cross join lateral (values (c.source_id), (c.target_id)) one (node)
      union all select a.enterprise_id, 'mobile_account', a.login_name, a.pop_id, a.created_at from mobile_account a
      union all select g.enterprise_id, 'saas_group', g.name, g.pop_id, g.created_at from saas_group g
      union all select v.enterprise_id, 'vbr_node', v.name, v.pop_id, v.created_at from vbr_node v
      union all select s.enterprise_id, 'client_service', coalesce(p.name, s.pool::text, s.host, ''), s.pop_id, null
        from client_service s left join net_space p on p.id = s.space_id
    ) o join node n on n.id = o.node_id
      join unnest(owners, others, moments) p (owner, named, at) on p.owner = o.owner and p.named = n.enterprise_id
    where o.created_at is null or o.created_at < p.at;
  return query
    select n.id, n.enterprise_id, o.owner, o.kind, o.object from (
      select r.enterprise_id as owner, 'role' as kind, r.name as object, s.enterprise_id as named, r.created_at
        from role_enterprise s join role r on r.id = s.role_id
      union all select t.enterprise_id, 'router_template', t.name, g.target_enterprise_id, t.created_at
        from router_template_target g join router_template t on t.id = g.template_id
      union all select p.enterprise_id, 'pop_strategy', p.name, s.enterprise_id, p.created_at
        from enterprise_strategy s join pop_strategy p on p.id = s.pop_strategy_id
    ) o join unnest(owners, others, moments) p (owner, named, at) on p.owner = o.owner and p.named = o.named
      -- A role opens POPs as well.
      join node n on n.enterprise_id = o.named and (n.kind = 'cpe' or o.kind = 'role')
    where o.created_at < p.at;
end $$;
revoke execute on function weft.left_behind() from public;

-- Notes it anew; what stays is not written again. At most 20 of a kind a node.
create function weft.note_left_behind() returns void
language plpgsql security definer set search_path = weft, pg_temp as $$
#variable_conflict use_column
declare
  found jsonb;
begin
  select coalesce(jsonb_agg(to_jsonb(one)), '[]') into found from (
    -- Kinds of findings are written otherwise than tables: alarm_strategy is alarmStrategy.
    select l.node_id, l.enterprise_id, l.object, jsonb_build_object('enterprise', e.name) as params,
      (select string_agg(case when w.place = 1 then w.word else initcap(w.word) end, '' order by w.place)
        from string_to_table(l.kind, '_') with ordinality w (word, place)) as kind
    from (
      select distinct on (b.node_id, b.kind, b.object) b.*,
        dense_rank() over (partition by b.node_id, b.kind order by b.object) as place
      from left_behind() b order by b.node_id, b.kind, b.object, b.owner
    ) l join enterprise e on e.id = l.owner
    where l.place <= 20
  ) one;
  delete from node_finding f where f.source = 'moves' and not exists (
    select from jsonb_to_recordset(found) as now (node_id bigint, kind text, object text, params jsonb)
    where now.node_id = f.node_id and now.kind = f.kind and now.object = f.object and now.params = f.params);
  insert into node_finding (node_id, enterprise_id, space_id, source, kind, object, reason, params)
    select now.node_id, now.enterprise_id, null, 'moves', now.kind, now.object, 'ofFormerAgent', now.params
    from jsonb_to_recordset(found) as now (node_id bigint, enterprise_id bigint, kind text, object text, params jsonb)
    on conflict do nothing;
end $$;
revoke execute on function weft.note_left_behind() from public;
grant execute on function weft.note_left_behind() to weft_worker;
