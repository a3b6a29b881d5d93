-- What other nodes see of a node, as a hash: while it stays, a change of the node concerns nobody
-- else, and no space has to be settled (apps/controller/src/features/loop/face.ts).
create table weft.node_face (
  node_id bigint primary key references weft.node (id) on delete cascade,
  enterprise_id bigint not null,
  digest text not null,
  -- Changes up to this one may be part of it: each of them concerns the others as well.
  until_seq bigint not null
);
call weft.tenant_table('node_face');
call weft.loop_table('node_face');
