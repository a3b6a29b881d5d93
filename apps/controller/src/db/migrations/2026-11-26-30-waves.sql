-- What a version did, and what would be so without it (docs/adr/0019-waves.md).
-- Of a CPE that cannot be compiled: the failure that this was asked about, and the one with the version before.
alter table weft.template_rollout_node add compared jsonb;
-- unseen: it has ended, and on none of its CPEs the version was seen.
alter table weft.template_rollout drop constraint template_rollout_reason_check;
alter table weft.template_rollout add constraint template_rollout_reason_check
  check (reason in ('gate', 'operator', 'restore', 'unseen'));
