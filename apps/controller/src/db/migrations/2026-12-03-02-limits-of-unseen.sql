-- A limit below the one that is set is shown with the name of its enterprise only to who may see that: a scope of selected
-- enterprises has some of a tree.
create or replace function weft.refuse_limit(path text, rule text, which bigint, number integer, used integer) returns void
language plpgsql security definer set search_path = weft, pg_temp as $$
declare
  issue jsonb;
  -- Without a scope it is a caller who sees all. An enterprise's own use is that of the row that is written.
  is_seen constant boolean := coalesce(current_setting('weft.scope', true), '') in ('', '{}')
    or which = any (scope_enterprises()) or rule = 'limitBelowUse';
begin
  select jsonb_build_object('path', path,
      'rule', case when is_seen then rule when rule = 'limitUnderChild' then 'limitUnderUnseenChild' else rule || 'Above' end,
      'params', case when is_seen then jsonb_build_object('name', e.name, 'limit', number, 'count', used) else '{}' end)
    into issue from enterprise e where e.id = which;
  raise exception 'limit of enterprise %: %', which, issue
    using errcode = 'check_violation', constraint = 'broken_rule', detail = issue::text;
end $$;
