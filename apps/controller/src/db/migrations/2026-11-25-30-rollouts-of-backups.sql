-- A rollout of a restored backup is halted: what devices run now, and what was found about the version since, is unknown.
alter table weft.template_rollout drop constraint template_rollout_reason_check;
alter table weft.template_rollout
  add constraint template_rollout_reason_check check (reason in ('gate', 'operator', 'restore'));
