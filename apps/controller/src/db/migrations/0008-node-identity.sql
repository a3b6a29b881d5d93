-- Boxes of a node are looked up whenever one is claimed, replaced or removed, whatever their state.
create index node_identity_node on weft.node_identity (node_id);
