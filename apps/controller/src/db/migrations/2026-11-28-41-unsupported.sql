-- What a device or the product does not support is known before it is saved: it is no matter of health and raises no alarm.
-- The reasons are those of the contract (domains/policies/policy-finding.ts, unsupportedReasons).
alter table weft.policy_finding add column unsupported boolean not null
  generated always as (reason in ('notCarriedOut', 'fieldNotCarriedOut', 'noVlan', 'noPppoe')) stored;

-- Everything else in the two functions stays as it is.
do $$
declare
  old_text text := pg_get_functiondef('weft.node_facts(bigint[], interval, integer)'::regprocedure);
  new_text text := replace(old_text, '(f.effect = ''cannot''::text)', '(f.effect = ''cannot''::text) AND (NOT f.unsupported)');
begin
  if new_text = old_text then raise exception 'weft.node_facts does not count policy findings'; end if;
  execute new_text;
  old_text := pg_get_functiondef('weft.alarm_states(bigint[], text[])'::regprocedure);
  new_text := replace(old_text, 'and p.denies and p.effect = ''cannot''',
    'and p.denies and p.effect = ''cannot'' and not p.unsupported');
  if new_text = old_text then raise exception 'weft.alarm_states does not know denies'; end if;
  execute new_text;
end $$;
