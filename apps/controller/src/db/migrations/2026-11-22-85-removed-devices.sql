-- A device whose node was removed learns of it when it connects, and gives its machine back. Only keys that were approved:
-- a stranger learns nothing, and a key that is enrolled for another node is that node's.
create table weft.removed_device (
  public_key text primary key,
  node_id bigint not null,
  enterprise_id bigint not null,
  sn text not null,
  removed_at timestamptz not null default now()
);
call weft.tenant_table('removed_device');

create function weft.note_removed_device() returns trigger
  language plpgsql security definer set search_path = weft, pg_temp as $$
begin
  insert into removed_device (public_key, node_id, enterprise_id, sn)
  select public_key, node_id, enterprise_id, sn from node_identity
  where node_id = old.id and state = 'approved'
  on conflict (public_key) do update set node_id = excluded.node_id,
    enterprise_id = excluded.enterprise_id, sn = excluded.sn, removed_at = now();
  return old;
end $$;
create trigger note_removed before delete on weft.node
  for each row execute function weft.note_removed_device();

create or replace function weft.edge_identity(node bigint, key text)
  returns table (enterprise_id bigint, sn text, state text)
  language sql stable security definer set search_path = weft, pg_temp
  begin atomic
    select i.enterprise_id, i.sn, i.state from weft.node_identity i
    where i.node_id = node and i.public_key = key
    union all
    select r.enterprise_id, r.sn, 'removed' from weft.removed_device r
    where r.node_id = node and r.public_key = key
      and not exists (select from weft.node_identity i where i.public_key = key);
  end;

create or replace function weft.watch_edges(
  nodes bigint[], keys text[], epochs bigint[], after_silence interval, after_stop interval
) returns table (node_id bigint, verdict text)
  language sql stable security definer set search_path = weft, pg_temp
  begin atomic
    select w.node, case
        when i.id is null then coalesce(
          (select q.state from weft.node_identity q
            where q.node_id = w.node and q.public_key = w.key and q.state = 'quarantined'),
          (select 'removed' from weft.removed_device r
            where r.node_id = w.node and r.public_key = w.key),
          'rejected')
        when s.session_epoch > w.epoch then 'replaced'
        else 'due' end
    from unnest(nodes, keys, epochs) as w (node, key, epoch)
    left join weft.node_identity i
      on i.node_id = w.node and i.public_key = w.key and i.state = 'approved'
    left join weft.node_status s on s.node_id = w.node
    left join lateral (
      select n.outcome = 'waiting' or weft.is_retry_due(n, after_silence, after_stop) as due
      from weft.node_state n
      where n.node_id = w.node order by n.epoch desc, n.serial desc limit 1
    ) newest on true
    where i.id is null or s.session_epoch > w.epoch or newest.due;
  end;
