-- How many rows the state of a node is made of, by table. The worker counts as itself and with the
-- owner's rights on one snapshot: a table that it reads nothing of, though rows are there, must
-- never look like a setting that somebody took away.

-- As its caller may read them. Not inlined into the whole count: a body of text, one for both.
create function weft.intent_counts(this bigint, those bigint[]) returns table (name text, n bigint)
  language sql stable set search_path = weft, pg_temp as $$
    select 'node', count(*) from weft.node where id = any (those)
    union all select 'line', count(*) from weft.line where node_id = any (those)
    union all select 'lan_section', count(*) from weft.lan_section where node_id = any (those)
    union all select 'static_route', count(*) from weft.static_route where node_id = any (those)
    union all select 'route_notice', count(*) from weft.route_notice where node_id = any (those)
    union all select 'node_config', count(*) from weft.node_config where node_id = any (those)
    union all select 'node_status', count(*) from weft.node_status where node_id = any (those)
    union all select 'node_pin', count(*) from weft.node_pin where node_id = any (those)
    union all select 'link', count(*) from weft.link where this in (a_node_id, b_node_id)
    union all select 'space_member', count(*) from weft.space_member where node_id = this
    union all select 'acl_rule', count(*) from weft.acl_rule where node_id = this
    union all select 'blacklist', count(*) from weft.blacklist b
      where b.enterprise_id = (select enterprise_id from weft.node where id = this)
        or b.id in (select owner_id from weft.blacklist_node where node_id = this)
    union all select 'client_service', count(*) from weft.client_service where pop_id = this
    union all select 'mobile_account', count(*) from weft.mobile_account
      where enterprise_id in (select enterprise_id from weft.client_service where pop_id = this)
  $$;
revoke execute on function weft.intent_counts(bigint, bigint[]) from public;
grant execute on function weft.intent_counts(bigint, bigint[]) to weft_worker;

-- As they are.
create function weft.intent_counts_whole(this bigint, those bigint[])
  returns table (name text, n bigint)
  language sql stable security definer set search_path = weft, pg_temp
  as $$ select * from weft.intent_counts(this, those) $$;
revoke execute on function weft.intent_counts_whole(bigint, bigint[]) from public;
grant execute on function weft.intent_counts_whole(bigint, bigint[]) to weft_worker;
