-- A CPE by which a wave of a rollout failed is an alarm until an operator decides about the rollout. One that an
-- operator halted is none.
alter table weft.alarm_rule drop constraint alarm_rule_metric_check;
alter table weft.alarm_rule add constraint alarm_rule_metric_check check (metric in
  ('node', 'config', 'finding', 'deny', 'rollout', 'repair', 'line', 'link', 'delay', 'jitter',
    'loss', 'bandwidth', 'cpu', 'mem'));
alter table weft.alarm_rule drop constraint alarm_rule_check;
alter table weft.alarm_rule add constraint alarm_rule_check check (
  metric in ('node', 'config', 'finding', 'deny', 'rollout', 'repair', 'line', 'link')
  or (threshold is not null and compare_type is not null));

-- The item is the rollout; its name is what made the wave fail, which has a text in each language. Everything
-- else in the function stays as it is.
do $$
declare
  old_text constant text := pg_get_functiondef('weft.alarm_states(bigint[], text[])'::regprocedure);
  new_text constant text := replace(old_text, '    select n.id, ''repair'',', $part$
    select m.node_id, 'rollout', r.id::text,
      (m.failure || jsonb_build_object('template', t.name, 'version', r.version,
        'wave', r.wave))::text,
      null, '{}'::text[], false
    from template_rollout r
      join template_rollout_node m on m.rollout_id = r.id and m.wave = r.wave
      join router_template t on t.id = r.template_id
    where 'rollout' = any (metrics) and m.node_id = any (nodes)
      and r.state = 'halted' and r.reason = 'gate' and m.failure is not null
    union all
    select n.id, 'repair',$part$);
begin
  if new_text = old_text then
    raise exception 'weft.alarm_states does not know repairs';
  end if;
  execute new_text;
end $$;
