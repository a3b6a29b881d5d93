-- The item of an alarm about a configuration that cannot be generated is the failure itself, code and
-- detail, which has a text in each language. Everything else in the function stays as it is.
do $$
declare
  old_text constant text := pg_get_functiondef('weft.alarm_states(bigint[], text[])'::regprocedure);
  new_text constant text := replace(old_text,
    'coalesce(m.failure ->> ''detail'', '''')', 'coalesce(m.failure::text, '''')');
begin
  if new_text = old_text then
    raise exception 'weft.alarm_states does not read the reason of a failure';
  end if;
  execute new_text;
end $$;
