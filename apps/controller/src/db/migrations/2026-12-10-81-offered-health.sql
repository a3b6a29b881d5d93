-- An agent read the address and the state of a POP that the enterprises above offer, and not its health: its lists called such a POP
-- healthy, faulty or unknown only once a space of the agent used it.
create policy beyond_scope_offered on weft.node_health for select to weft_api using (
  node_id = any ((select weft.offered_pops())::bigint[]));
