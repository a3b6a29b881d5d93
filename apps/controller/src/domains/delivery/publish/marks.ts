/** Marks of nodes that are to be compiled: which are due, how many go into one batch, and when they end. */
import { type Kysely, type Selectable, sql } from "kysely";
import type { Pools } from "#db/pool.ts";
import type { Database } from "#db/schema.ts";

export type Mark = Selectable<Database["compile_mark"]>;

export interface DueMark extends Pick<Mark, "node_id" | "generation" | "networks_only"> {
  /** Until it is due; 0 or less: it is. */
  readonly ms: number;
}

/**
 * The oldest marks and, behind those that are due, the next that will be. Of one reading: a mark that
 * becomes due between two readings would be in neither.
 */
export function oldestMarks(pools: Pools<Database>, limit: number): Promise<DueMark[]> {
  return pools.worker.db
    .selectFrom("compile_mark")
    .select(["node_id", "generation", "networks_only"])
    .select(sql<number>`ceil(extract(epoch from at - now()) * 1000)::int`.as("ms"))
    .orderBy("at")
    .orderBy("node_id")
    .limit(limit)
    .execute();
}

/** The oldest nodes that are due for another list of networks, and for nothing else. */
export async function networksDue(pools: Pools<Database>, limit: number): Promise<number[]> {
  const marks = await pools.worker.db
    .selectFrom("compile_mark")
    .select("node_id")
    .where("networks_only", "=", true)
    .where(sql<boolean>`at <= now()`)
    .orderBy("at")
    .orderBy("node_id")
    .limit(limit)
    .execute();
  return marks.map(({ node_id: node }) => node);
}

/** A mark that has another generation by now stays, behind nodes that wait for their first compile. */
export async function endMarks(
  db: Kysely<Database>,
  marks: readonly Pick<Mark, "node_id" | "generation">[],
): Promise<void> {
  if (marks.length === 0) return;
  const nodes = marks.map(({ node_id }) => node_id);
  const generations = marks.map(({ generation }) => generation);
  await sql`
    with read as (select * from unnest(${nodes}::bigint[], ${generations}::bigint[]) as r (node_id, generation)),
    ended as (
      delete from compile_mark m using read
      where m.node_id = read.node_id and m.generation = read.generation)
    update compile_mark m set at = greatest(m.at, now()) from read
    where m.node_id = read.node_id and m.generation <> read.generation`.execute(db);
}

export interface BatchLimits {
  /** Nodes of one batch. */
  readonly nodes: number;
  /** Rows that it reads, about: a node that has more is a batch of its own. */
  readonly rows: number;
}

/** What a compile of a node reads. */
export interface Weight {
  /** Rows of the node itself. */
  readonly own: number;
  /** Rows of spaces that it is in, by space: nodes of one batch read them once. */
  readonly spaces: ReadonlyMap<number, number>;
}

export async function readWeights(
  pools: Pools<Database>,
  nodeIds: readonly number[],
): Promise<ReadonlyMap<number, Weight>> {
  const { rows } = await sql<{ node_id: number; space_id: number | null; weight: number }>`
    select * from weft.compile_weights(${[...nodeIds]}::bigint[])`.execute(pools.worker.db);
  const found = Map.groupBy(rows, ({ node_id }) => node_id);
  return new Map(
    [...found].map(([node, some]) => [
      node,
      {
        own: some.find(({ space_id }) => space_id === null)?.weight ?? 0,
        spaces: new Map(
          some.flatMap(({ space_id, weight }) => (space_id === null ? [] : [[space_id, weight]])),
        ),
      },
    ]),
  );
}

/** Divides marks into batches, in their order. Pure. */
export function batchesOf<Marked extends { readonly node_id: number }>(
  marks: readonly Marked[],
  weights: ReadonlyMap<number, Weight>,
  limits: BatchLimits,
): Marked[][] {
  const batches: Marked[][] = [];
  let open: Marked[] = [];
  let rows = 0;
  let spaces = new Set<number>();
  for (const mark of marks) {
    const { own = 0, spaces: of = new Map<number, number>() } = weights.get(mark.node_id) ?? {};
    const added = (): number =>
      [...of].reduce((sum, [space, more]) => (spaces.has(space) ? sum : sum + more), own);
    if (open.length > 0 && (open.length >= limits.nodes || rows + added() > limits.rows)) {
      batches.push(open);
      open = [];
      rows = 0;
      spaces = new Set();
    }
    rows += added();
    for (const space of of.keys()) spaces.add(space);
    open.push(mark);
  }
  return open.length > 0 ? [...batches, open] : batches;
}
