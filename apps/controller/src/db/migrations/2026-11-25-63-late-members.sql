-- A CPE of an earlier wave may come while a later one is underway, and make the rollout halt: it is an alarm of that
-- CPE, with its own wave. Everything else in the function stays as it is.
do $$
declare
  old_text constant text := pg_get_functiondef('weft.alarm_states(bigint[], text[])'::regprocedure);
  new_text constant text := replace(replace(old_text,
    'm.rollout_id = r.id and m.wave = r.wave', 'm.rollout_id = r.id and m.wave <= r.wave'),
    '''wave'', r.wave)', '''wave'', m.wave)');
begin
  if new_text = old_text then
    raise exception 'weft.alarm_states does not know rollouts';
  end if;
  execute new_text;
end $$;
