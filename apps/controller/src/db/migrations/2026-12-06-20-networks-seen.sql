-- Changes up to this one may be part of a node's networks, which all members of its spaces keep inside: each of them concerns
-- those members as well, as until_seq has it for whom the node is linked with.
alter table weft.node_advertisement add column networks_until_seq bigint not null default 0;
