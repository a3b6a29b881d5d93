-- Which enterprises a node was of before, and when it left them last. Metrics are stored by node, without an enterprise: what
-- was measured before is read by those only who see the enterprise that the node was of. No reference to the enterprise: what was
-- measured while the node was of it stays its own when it is removed.
create table weft.node_move (
  node_id bigint not null references weft.node (id) on delete cascade,
  -- The one that the node left.
  enterprise_id bigint not null,
  at timestamptz not null,
  primary key (node_id, enterprise_id)
);
call weft.tenant_table('node_move');
-- The worker asks across tenants.
call weft.loop_table('node_move');
revoke insert, update, delete on weft.node_move from weft_api, weft_api_all, weft_worker;

-- Alarm rules ask which nodes moved within the last minute.
create index node_move_at on weft.node_move (at);
