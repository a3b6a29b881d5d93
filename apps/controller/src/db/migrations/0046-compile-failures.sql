-- Why a node could not be compiled when it was tried last: {code, detail}; null: not tried since the
-- last change, or it went well.
alter table weft.compile_mark add column failure jsonb, add column failed_at timestamptz;

-- Rules that stand in the states of these nodes: a blocked address is one to it and one from it.
-- Counted with the owner's rights, because entries of a higher enterprise count as well.
create function weft.acl_load(those bigint[]) returns table (node_id bigint, n bigint)
  language sql stable security definer set search_path = weft, pg_temp
  begin atomic
    select one.id,
      (select count(*) from weft.acl_rule a where a.node_id = one.id and a.enabled)
      + coalesce(whole.n, 0)
      + (select coalesce(sum(case b.type when 'ip' then 2 else 1 end), 0)
        from weft.blacklist_node x join weft.blacklist b on b.id = x.owner_id
        where x.node_id = one.id and b.enabled and b.type in ('ip', 'mac'))
    from weft.node one
    left join (
      select b.enterprise_id, sum(case b.type when 'ip' then 2 else 1 end) as n
      from weft.blacklist b where b.enabled and b.type in ('ip', 'mac')
        and not exists (select from weft.blacklist_node x where x.owner_id = b.id)
      group by b.enterprise_id
    ) whole on whole.enterprise_id = one.enterprise_id
    where one.id = any (those) and one.kind = 'cpe';
  end;
revoke execute on function weft.acl_load(bigint[]) from public;
grant execute on function weft.acl_load(bigint[]) to weft_api, weft_api_all;

-- Accounts of an enterprise that have a key: peers of its POP.
create function weft.client_load(enterprise bigint) returns bigint
  language sql stable security definer set search_path = weft, pg_temp
  begin atomic
    select count(*) from weft.mobile_account
    where enterprise_id = enterprise and public_key is not null;
  end;
revoke execute on function weft.client_load(bigint) from public;
grant execute on function weft.client_load(bigint) to weft_api, weft_api_all;
