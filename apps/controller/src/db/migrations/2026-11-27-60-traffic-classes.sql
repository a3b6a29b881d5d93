-- Classes of traffic of an enterprise: limits of quality, and the code points of their packets as they were written.
-- Delays and jitter in ms, loss in percent; null: no limit.
create table weft.traffic_class (
  enterprise_id bigint primary key references weft.enterprise (id) on delete cascade,
  enabled boolean not null,
  realtime_loss real not null,
  realtime_delay integer,
  realtime_jitter integer,
  realtime_dscp text not null,
  transactional_loss real not null,
  transactional_delay integer,
  transactional_jitter integer,
  transactional_dscp text not null,
  bulk_loss real not null,
  bulk_delay integer,
  bulk_jitter integer,
  bulk_dscp text not null,
  default_loss real not null,
  default_delay integer,
  default_jitter integer,
  updated_at timestamptz not null default now()
);
call weft.tenant_table('traffic_class');

-- Spaces whose enterprise has its traffic in classes. With the owner's rights: a POP serves spaces of many.
create function weft.classes_in(spaces bigint[]) returns table (space_id bigint, draft jsonb)
  language sql stable security definer set search_path = weft, pg_temp
  begin atomic
    select s.id, to_jsonb(c) from weft.net_space s join weft.traffic_class c on c.enterprise_id = s.enterprise_id
    where s.id = any (spaces) and c.enabled order by s.id;
  end;

-- Devices of an enterprise's spaces, as the enterprise calls them, with what they reported of the capability.
create function weft.class_nodes(enterprise bigint) returns table (
    id bigint, kind text, name text, reported boolean, capability jsonb)
  language sql stable security definer set search_path = weft, pg_temp
  begin atomic
    select n.id, n.kind, weft.name_for(enterprise, n.id), coalesce(jsonb_array_length(t.capabilities), 0) > 0,
      (select one from jsonb_array_elements(t.capabilities) one where one ->> 'name' = 'path.classes' limit 1)
    from weft.node n left join weft.node_status t on t.node_id = n.id
    where n.id in (select m.node_id from weft.space_member m
      join weft.net_space s on s.id = m.space_id where s.enterprise_id = enterprise);
  end;
revoke execute on function weft.classes_in(bigint[]), weft.class_nodes(bigint) from public;
grant execute on function weft.classes_in(bigint[]) to weft_worker;
grant execute on function weft.class_nodes(bigint) to weft_api, weft_api_all;

-- By name of the class since when its traffic goes by the link in this direction; null: the device has no classes.
alter table weft.link_path add classes jsonb;
-- Null: traffic without a class.
alter table weft.link_move add traffic_class text
  check (traffic_class in ('realtime', 'transactional', 'bulk'));
