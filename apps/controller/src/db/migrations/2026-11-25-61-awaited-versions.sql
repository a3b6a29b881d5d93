-- Observed time for which a CPE of a wave was in contact without running the version: time in which nobody observed
-- it is no reason to roll its wave back.
alter table weft.template_rollout_node add awaited_ms integer not null default 0 check (awaited_ms >= 0);
