import { type Kysely, sql, type Transaction } from "kysely";
import type { Database } from "#db/schema.ts";
import type { PlacedSegment } from "./placement.ts";

interface Row {
  readonly space_id: number;
  readonly id: number;
  readonly name: string;
  readonly cpe_id: number | null;
  readonly destination: string;
  readonly metric: number;
  readonly pop_ids: number[];
  readonly members: number[];
  readonly sources: string[];
  readonly networks: string[];
}

const toPlaced = (row: Row): PlacedSegment => ({
  spaceId: row.space_id,
  id: row.id,
  name: row.name,
  cpeId: row.cpe_id,
  destination: row.destination,
  metric: row.metric,
  pops: row.pop_ids,
  members: row.members,
  sources: row.sources,
  networks: row.networks,
});

/** Enabled segment routes of the spaces, by space. */
export async function readSegments(
  db: Kysely<Database> | Transaction<Database>,
  spaceIds: readonly number[],
): Promise<ReadonlyMap<number, readonly PlacedSegment[]>> {
  if (spaceIds.length === 0) return new Map();
  const { rows } = await sql<Row>`select * from weft.segments_in(${spaceIds}::bigint[])`.execute(
    db,
  );
  return Map.groupBy(rows.map(toPlaced), ({ spaceId }) => spaceId);
}
