-- A CPE that waits for an operator neither passes nor fails its wave (docs/adr/0019-waves.md).
alter table weft.template_rollout_node drop constraint template_rollout_node_outcome_check;
alter table weft.template_rollout_node add constraint template_rollout_node_outcome_check check (outcome in
  ('ahead', 'underway', 'observed', 'passed', 'absent', 'held', 'rolledBack'));
-- Of held: it is pinned at a configuration without the version, or its state waits for approval.
alter table weft.template_rollout_node add held_by text check (held_by in ('pin', 'approval'));
