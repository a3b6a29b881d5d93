-- What operators watch is counted at each scrape of the metrics: an index of what did not end keeps that small,
-- however long the history of a node or of its tasks is.
create index node_state_open on weft.node_state (outcome)
  include (delivered_at, created_at)
  where outcome in ('waiting', 'held', 'delivered', 'applied');
create index task_open on weft.task (status) include (created_at) where status in (0, 4);
