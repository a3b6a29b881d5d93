-- Each evaluation of a node's alarms looks for repairs of the last hour. They are a few of all transitions: a change of the
-- states of 10,000 nodes makes some 40,000 others.
create index transition_repairs on weft.transition (node_id, at) where kind = 'repair';
