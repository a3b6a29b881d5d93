/** Which nodes one check takes: those that changed state, those that are due, and the next ones in turn. */
import { sql, type Transaction } from "kysely";
import type { Database } from "#db/schema.ts";

type Trx = Transaction<Database>;

/** Nodes of each kind in one slice: they bound what it costs. */
export const slice = { transitions: 64, due: 64, swept: 128 } as const;

export interface Slice {
  readonly nodes: readonly number[];
  /** Those of them whose turn it was, whatever has happened to them. */
  readonly swept: readonly number[];
  /** More has changed state, or more time has come. */
  readonly more: boolean;
}

const idsOf = (rows: readonly { readonly node_id: number }[]): number[] =>
  rows.map(({ node_id }) => node_id);

/** @param after the last node of the slice before; null: the round starts. */
export async function takeSlice(trx: Trx, after: number | null): Promise<Slice> {
  // All that is due of a node at once: it is evaluated once for it.
  const { rows: transitions } = await sql<{ node_id: number }>`
    delete from alarm_due
    where due_at <= now() and node_id = any(array(
      select node_id from alarm_due where due_at <= now() order by id limit ${slice.transitions}))
    returning node_id`.execute(trx);
  const { rows: due } = await sql<{ node_id: number }>`
    select node_id from alarm_watch where due_at <= now() order by due_at limit ${slice.due}`.execute(
    trx,
  );
  const swept = after === null ? [] : await sweep(trx, after);
  return {
    nodes: [...new Set([...idsOf(transitions), ...idsOf(due), ...swept])],
    swept,
    more: transitions.length >= slice.transitions || due.length === slice.due,
  };
}

/** The checks of a node at which the evaluation failed come again with its next round. */
export const putOffDue = (trx: Trx, node: number): Promise<unknown> =>
  sql`update alarm_watch set due_at = now() + make_interval(secs => ${roundMs / 1_000})
    where node_id = ${node} and due_at <= now()`.execute(trx);

async function sweep(trx: Trx, after: number): Promise<number[]> {
  const { rows } = await sql<{ node_id: number }>`
    select node_id from weft.alarm_nodes(${after}, ${slice.swept}) as n (node_id)`.execute(trx);
  return idsOf(rows);
}

/**
 * Minimum ms from the beginning of one round over all nodes to that of the next. A round finds what no change of state
 * announces: means of five minutes and figures that devices send every 15 s. What changes state is due by itself.
 */
const roundMs = 10_000;
/** Minimum ms between two slices of a round. */
const sliceMs = 250;

/** Where this process is on its way over all nodes. Another one that takes over begins again. */
export class Round {
  #after = 0;
  #startedAt = Number.NEGATIVE_INFINITY;
  #nextAt = Number.NEGATIVE_INFINITY;

  /** What `takeSlice` is to be given at this time. */
  after(now: number): number | null {
    return now >= this.#nextAt ? this.#after : null;
  }

  /** The first slice of a round is due. */
  starts(now: number): boolean {
    return this.#after === 0 && now >= this.#nextAt;
  }

  /** Goes on behind nodes that were looked at; fewer than a whole slice were the last. */
  took(swept: readonly number[], now: number): void {
    if (this.#after === 0) this.#startedAt = now;
    this.#after = swept.length < slice.swept ? 0 : (swept.at(-1) ?? 0);
    this.#nextAt = this.#after === 0 ? this.#startedAt + roundMs : now + sliceMs;
  }

  /** Ms until the next slice is due. */
  wait(now: number): number {
    return Math.max(0, this.#nextAt - now);
  }
}
