-- Enterprises read POPs of others that had served them once and that nothing of them names any more: nothing withdrew a share.
-- From now on the removal of the last row does (functions/05-overlay/shared-pops.sql).
delete from weft.share s
where s.kind = 'pop' and not exists (
  select from (
    select m.enterprise_id, m.node_id from weft.space_member m
    union all select c.enterprise_id, c.source_id from weft.circuit c
    union all select c.enterprise_id, c.target_id from weft.circuit c
    union all select m.enterprise_id, m.node_id from weft.pop_strategy_node m
    union all select m.enterprise_id, m.node_id from weft.pop_group_node m
    union all select m.enterprise_id, m.node_id from weft.segment_route_node m
    union all select m.enterprise_id, m.node_id from weft.alarm_strategy_pop m
    union all select m.enterprise_id, m.node_id from weft.alarm_window_pop m
    union all select c.enterprise_id, c.pop_id from weft.client_service c
    union all select a.enterprise_id, a.pop_id from weft.mobile_account a
    union all select g.enterprise_id, g.pop_id from weft.saas_group g
    union all select v.enterprise_id, v.pop_id from weft.vbr_node v
  ) named where named.enterprise_id = s.enterprise_id and named.node_id = s.row_id);
