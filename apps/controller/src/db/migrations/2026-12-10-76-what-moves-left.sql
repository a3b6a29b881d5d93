-- What enterprises that moved to another agent left behind is a finding of nodes as well (functions/09-delivery/left-behind.sql).
alter table weft.node_finding
  drop constraint node_finding_source_check,
  add constraint node_finding_source_check check (source in ('links', 'networks', 'reports', 'moves'));
