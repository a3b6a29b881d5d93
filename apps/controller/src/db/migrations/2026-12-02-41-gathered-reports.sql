-- A gateway writes what devices report about their states, and what it delivers to them, for many nodes in one
-- transaction, whose scope is these nodes (`weft.node_ids`, set by inScope beside `weft.node_id`). It reaches the tables of
-- deliveries only; what a device says of itself otherwise stays a transaction of its node.
create function weft.node_ids() returns bigint[]
  language sql stable parallel safe
  return coalesce(nullif(current_setting('weft.node_ids', true), ''), '{}')::bigint[];

create policy of_nodes on weft.node_state to weft_gateway
  using (node_id = any ((select weft.node_ids())::bigint[]))
  with check (node_id = any ((select weft.node_ids())::bigint[]));
create policy of_nodes on weft.task to weft_gateway
  using (node_id = any ((select weft.node_ids())::bigint[]))
  with check (node_id = any ((select weft.node_ids())::bigint[]));
create policy of_nodes on weft.node_status to weft_gateway
  using (node_id = any ((select weft.node_ids())::bigint[]))
  with check (node_id = any ((select weft.node_ids())::bigint[]));
create policy of_nodes on weft.state_section for select to weft_gateway
  using (node_id = any ((select weft.node_ids())::bigint[]));
