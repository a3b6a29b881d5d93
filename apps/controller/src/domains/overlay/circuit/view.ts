/** Circuits that end at a node, as compile reads them. */
import { sql, type Transaction } from "kysely";
import type { Database } from "#db/schema.ts";

export interface CircuitView {
  readonly id: number;
  readonly name: string;
  /** The other end. */
  readonly peer: number;
  readonly peerKind: "cpe" | "pop";
  /** kbit/s. */
  readonly bandwidth: number;
  /** kbit/s; null: nothing is kept free for it. */
  readonly guaranteed: number | null;
  /** Ms since 1970; null: it does not end. */
  readonly until: number | null;
  /** Sold as a special line (1, 2); absent or 0: as a common one, or it has ended. */
  readonly quality?: number;
  /** That both ends are in; null: none. */
  readonly spaceId: number | null;
  /** What the other end brings into it. */
  readonly networks: readonly string[];
}

interface Row {
  readonly node_id: number;
  readonly id: number;
  readonly name: string;
  readonly peer: number;
  readonly peer_kind: "cpe" | "pop";
  readonly bandwidth: number;
  readonly guaranteed: number | null;
  readonly until: number | null;
  readonly space_id: number | null;
  readonly quality: number;
}

/**
 * Reads those that are on, by node, in the caller's transaction, whose scope must be the nodes'; which have ended, a
 * device knows.
 */
export async function readCircuits(
  trx: Transaction<Database>,
  nodeIds: readonly number[],
): Promise<ReadonlyMap<number, readonly CircuitView[]>> {
  const { rows } = await sql<Row>`
    select * from weft.circuits_of(${[...nodeIds]}::bigint[])`.execute(trx);
  const spaces = [...new Set(rows.flatMap(({ space_id }) => space_id ?? []))];
  const networkRows =
    spaces.length === 0
      ? []
      : (
          await sql<{ space_id: number; node_id: number; network: string }>`
            select s.space_id, s.node_id, s.network from weft.space_networks(${spaces}::bigint[]) s
            where s.kind <> 'route' and s.service_id is null`.execute(trx)
        ).rows;
  const networks = Map.groupBy(networkRows, ({ space_id, node_id }) => `${space_id} ${node_id}`);
  const viewOf = ({ id, name, peer, bandwidth, guaranteed, until, ...row }: Row): CircuitView => ({
    id,
    name,
    peer,
    bandwidth,
    guaranteed,
    // Saved before its rule: an end before 1970 is none that a state can hold.
    until: until === null ? null : Math.max(0, until),
    quality: row.quality,
    spaceId: row.space_id,
    peerKind: row.peer_kind,
    networks: (networks.get(`${row.space_id} ${peer}`) ?? []).map(({ network }) => network),
  });
  const of = Map.groupBy(rows, ({ node_id }) => node_id);
  return new Map([...of].map(([node, some]) => [node, some.map(viewOf)]));
}
