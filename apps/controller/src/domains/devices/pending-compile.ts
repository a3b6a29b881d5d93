import { type RawBuilder, sql } from "kysely";

/**
 * True while a write that concerns a node has not become a state, or was found to change none: a change
 * that was not read yet, of the node or of one of its spaces, or a compile that is due.
 * What waits is read once for all nodes of a statement.
 * @param nodeId expression for the id of the node
 */
export const isBeingCompiled = (nodeId: RawBuilder<unknown>) => sql<boolean>`(
  exists (select from compile_mark where compile_mark.node_id = ${nodeId})
  or ${nodeId} = any (array(select unnest(node_ids) from change where not done))
  or ${nodeId} = any (array(select m.node_id from space_member m where m.space_id = any (
    array(select unnest(space_ids) from change where not done)))))`;
