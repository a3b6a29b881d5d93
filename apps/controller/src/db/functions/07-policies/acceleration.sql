-- Acceleration acts: what the states of sites and POPs are made of.

-- Groups of destinations that are on, in the spaces that CPEs of their enterprise are in, with those CPEs: with the owner's
-- rights, because the POP of a space lets out sites of other enterprises. A profile is one row for each kind of its
-- definitions.
create function weft.accelerations_in(spaces bigint[]) returns table (
    space_id bigint, object text, id bigint, kind text, name text, pop_id bigint, members text[], cpe_ids bigint[])
  language sql stable security definer set search_path = weft, pg_temp
  begin atomic
    with site as materialized (
      select m.space_id, m.node_enterprise_id as enterprise_id, array_agg(m.node_id order by m.node_id) as ids
      from weft.space_member m where m.space_id = any (spaces) and m.kind = 'cpe'
      group by m.space_id, m.node_enterprise_id
    )
    select s.space_id, 'saasGroup', g.id, g.kind, g.name, g.pop_id, g.members, s.ids
      from site s join weft.saas_group g on g.enterprise_id = s.enterprise_id and g.enabled
    union all
    select s.space_id, 'xwanSpeed', p.id, d.kind, p.name, null, array_agg(d.value order by d.id), s.ids
      from site s join weft.xwan_speed p on p.enterprise_id = s.enterprise_id and p.enabled
      join weft.xwan_speed_define d on d.speed_id = p.id
      group by s.space_id, p.id, d.kind, p.name, s.ids
    order by 1, 2, 3, 4;
  end;
revoke execute on function weft.accelerations_in(bigint[]) from public;
grant execute on function weft.accelerations_in(bigint[]) to weft_worker;

-- Nodes whose states the groups of enterprises are part of: their CPEs, and the POPs of the spaces of those.
create function weft.acceleration_nodes(enterprises bigint[]) returns table (enterprise_id bigint, node_ids bigint[])
  language sql stable security definer set search_path = weft, pg_temp
  begin atomic
    with site as materialized (
      select m.space_id, m.node_id, m.node_enterprise_id as enterprise_id from weft.space_member m
      where m.kind = 'cpe' and m.node_enterprise_id = any (enterprises)
    )
    select n.enterprise_id, array_agg(n.node_id order by n.node_id) from (
      select s.enterprise_id, s.node_id from site s
      union
      select s.enterprise_id, p.node_id from site s
        join weft.space_member p on p.space_id = s.space_id and p.kind = 'pop'
    ) n group by n.enterprise_id;
  end;
revoke execute on function weft.acceleration_nodes(bigint[]) from public;
grant execute on function weft.acceleration_nodes(bigint[]) to weft_api, weft_worker;
grant execute on function weft.acceleration_nodes(bigint[]) to weft_api_all;

-- An acceleration group without a POP leaves at any. One that named a POP must not become that when the POP is removed: it is
-- disabled until a user decides, and is noted. Taking the POP out by hand stays what it is, a choice: the POP is still there.
create function weft.disable_acceleration_of_removed() returns trigger
language plpgsql security definer set search_path = weft, pg_temp as $$
begin
  if exists (select from node n where n.id = old.pop_id) then
    return new;
  end if;
  new.enabled := false;
  perform note_removed_with(jsonb_build_object('resource', 'saasGroup.' || new.kind, 'rowId', new.id,
    'enterpriseId', new.enterprise_id, 'old', jsonb_build_object('name', new.name, 'popId', old.pop_id, 'enable', old.enabled),
    'new', jsonb_build_object('name', new.name, 'popId', null, 'enable', false)));
  -- What their devices are said to lack of it is said no longer.
  insert into change (enterprise_id, node_ids, cause, created_by)
    select a.enterprise_id, a.node_ids, 'pop.remove', coalesce(nullif(current_setting('weft.user_id', true), '')::bigint, 0)
    from acceleration_nodes(array[new.enterprise_id]) a;
  return new;
end $$;
revoke execute on function weft.disable_acceleration_of_removed() from public;
create trigger disable_acceleration_of_removed before update of pop_id on weft.saas_group
  for each row when (old.pop_id is not null and new.pop_id is null)
  execute function weft.disable_acceleration_of_removed();
