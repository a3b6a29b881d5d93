-- A POP that moved to another enterprise was out of sight of the one that it left, also where a circuit of that one ends at it, and a
-- share that the next one had before stayed for when the POP moves on. From now on a move does both (functions/05-overlay/shared-pops.sql).
insert into weft.share (enterprise_id, kind, row_id)
  select named.enterprise_id, 'pop', n.id from (
    select m.enterprise_id, m.node_id from weft.space_member m
    union select c.enterprise_id, c.source_id from weft.circuit c
    union select c.enterprise_id, c.target_id from weft.circuit c
  ) named join weft.node n on n.id = named.node_id
  where n.kind = 'pop' and n.enterprise_id <> named.enterprise_id
  on conflict do nothing;
delete from weft.share s using weft.node n where s.kind = 'pop' and n.id = s.row_id and n.enterprise_id = s.enterprise_id;
