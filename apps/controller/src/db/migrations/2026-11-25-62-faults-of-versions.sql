-- What a version did, and what was so before or for another reason (docs/adr/0019-waves.md).
-- Since when a rollout has been observed without a pause: a device that found no controller before that proves nothing.
alter table weft.template_rollout add watched_since timestamptz not null default now();
-- compile: no configuration of the CPE could be made before its wave started either.
alter table weft.template_rollout_node drop constraint template_rollout_node_held_by_check;
alter table weft.template_rollout_node add constraint template_rollout_node_held_by_check
  check (held_by in ('pin', 'compile', 'approval'));
