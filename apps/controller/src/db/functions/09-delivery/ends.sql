-- CPEs that have expired and still have links: time passes without a write.
create function weft.expired_nodes() returns table (node_id bigint, enterprise_id bigint)
  language sql stable security definer set search_path = weft, pg_temp
  begin atomic
    select n.id, n.enterprise_id from weft.node n
    where n.kind = 'cpe' and n.expire_at <= now()
      and exists (select from weft.link l where n.id in (l.a_node_id, l.b_node_id));
  end;
revoke execute on function weft.expired_nodes() from public;
grant execute on function weft.expired_nodes() to weft_worker;

-- Ends that were reached: the POP of each is compiled again. Returns how many POPs are affected.
create function weft.end_accounts() returns bigint
  language sql security definer set search_path = weft, pg_temp
  begin atomic
    with ended as (
      update weft.mobile_account a set ended_at = a.expire_at
      where a.public_key is not null and a.expire_at <= now()
        and a.ended_at is distinct from a.expire_at
      returning a.enterprise_id
    ), told as (
      insert into weft.change (enterprise_id, node_ids, cause, created_by)
      select s.enterprise_id, array[s.pop_id], 'system: expired', 0
      from weft.client_service s
      where s.pop_id is not null and s.enabled
        and s.enterprise_id in (select enterprise_id from ended)
      returning 1
    )
    select count(*) from told;
  end;
revoke execute on function weft.end_accounts() from public;
grant execute on function weft.end_accounts() to weft_worker;
