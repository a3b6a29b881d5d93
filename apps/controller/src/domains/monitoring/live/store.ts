import type { LiveEvent } from "@weft/contract/domains/monitoring/live.ts";
import { sql } from "kysely";
import { listen } from "#db/listen.ts";
import type { Pools } from "#db/pool.ts";
import type { Database } from "#db/schema.ts";
import { transitionChannel } from "#kernel/change-hint.ts";

/** A row of the outbox, with what decides who may see it. */
export interface Transition {
  readonly sequence: number;
  readonly enterpriseId: number;
  readonly createdBy: number | null;
  /** null: the node is gone. */
  readonly nodeKind: "cpe" | "pop" | null;
  readonly event: LiveEvent;
}

interface Row {
  readonly sequence: number;
  readonly enterprise_id: number;
  readonly created_by: number | null;
  readonly node_kind: Transition["nodeKind"];
  readonly kind: LiveEvent["kind"];
  readonly node_id: number;
  readonly link_id: number | null;
  readonly name: string | null;
  readonly up: boolean | null;
  readonly at: Date;
}

const toTransition = (row: Row): Transition => ({
  sequence: row.sequence,
  enterpriseId: row.enterprise_id,
  createdBy: row.created_by,
  nodeKind: row.node_kind,
  event: {
    kind: row.kind,
    nodeId: row.node_id,
    linkId: row.link_id,
    name: row.name,
    up: row.up,
    at: row.at.getTime(),
  },
});

/** Rows after a sequence, oldest first; of all tenants. */
export async function readTransitions(
  pools: Pools<Database>,
  after: number,
  maxRows: number,
): Promise<Transition[]> {
  const { rows } = await sql<Row>`
    select t.*, n.kind as node_kind from transition t left join node n on n.id = t.node_id
    where t.sequence > ${after} order by t.sequence limit ${maxRows}`.execute(pools.apiAll.db);
  return rows.map(toTransition);
}

/** The newest sequence; 0: there is none. */
export async function newestSequence(pools: Pools<Database>): Promise<number> {
  const { rows } = await sql<{ newest: number }>`
    select coalesce(max(sequence), 0) as newest from transition`.execute(pools.apiAll.db);
  return rows[0]?.newest ?? 0;
}

/**
 * What a user may do changed: sessions ended, the account was disabled, or roles or enterprises changed; by triggers of their
 * tables. The payload is the user's id, or "*": of any user.
 */
const sessionChannel = "weft_session";

interface Heard {
  /** Notification of a process that rows were written. */
  written(): void;
  /** What a user may do has to be asked again. */
  rights(userId: number | null): void;
}

/** Listens for what concerns open streams; only hints. */
export const listenForStreams = (
  pools: Pools<Database>,
  heard: Heard,
  report: (error: unknown) => void,
) =>
  listen(
    pools.apiAll.pg,
    [transitionChannel, sessionChannel],
    (channel, payload) => {
      if (channel === sessionChannel) heard.rights(payload === "*" ? null : Number(payload));
      else heard.written();
    },
    report,
  );
