import { type Kysely, type SqlBool, sql, type Transaction } from "kysely";
import type { Logger } from "pino";
import { locks, tryLock } from "#db/locks.ts";
import { inScope, type Pools } from "#db/pool.ts";
import type { Database } from "#db/schema.ts";
import { recordAdvertisements } from "#domains/delivery/compile/public.ts";
import { reconcileLinks } from "#domains/delivery/links/public.ts";
import type { StoredCause } from "#domains/delivery/schema.ts";
import { reviseSpaces } from "./revise-spaces.ts";

type Trx = Transaction<Database>;

/** Changes that one transaction takes on. */
export const changesOfBatch = 200;

/** What one node's mark keeps of the changes behind it; the oldest go first. */
const keptCauses = 500;

interface Cause {
  readonly cause: string;
  readonly created_by: number;
  readonly request_id: string;
  readonly node_ids: readonly number[];
  readonly space_ids: readonly number[];
}

/** A change that cannot be worked on is tried again after this time; others go on meanwhile. */
const failedPauseMs = 10_000;
interface Taking {
  readonly limit: number;
  readonly except: readonly number[];
  readonly only?: number;
}

/**
 * How long nodes wait that a change concerns and does not name: the members of its space. What else
 * changes there meanwhile is compiled with it, so that n sites that join one after the other cost
 * each member a few compiles and not n.
 */
export interface Pace {
  /** For each of those nodes. */
  readonly msPerNode: number;
  readonly maxMs: number;
}

/** Without it: what one batch of changes marks is compiled immediately. */
const noPace: Pace = { msPerNode: 0, maxMs: 0 };
/** Fifty compiles a second for changes elsewhere; a small space waits less than anyone notices. */
export const defaultPace: Pace = { msPerNode: 20, maxMs: 5_000 };

export interface ChangeReader {
  /** Takes a batch of changes; gives how many were taken. */
  run(): Promise<number>;
}

/** Reads changes; one that fails holds up no other. */
export function createChangeReader(
  pools: Pools<Database>,
  logger: Logger,
  pace: Pace = noPace,
): ChangeReader {
  const failed = new Map<number, number>();
  const alone = async (seq: number): Promise<number> => {
    try {
      return await takeChanges(pools, { limit: 1, except: [], only: seq }, pace);
    } catch (error) {
      failed.set(seq, performance.now());
      logger.error({ err: error, change: seq }, "change not processed; it will be retried");
      return 0;
    }
  };
  return {
    async run() {
      for (const [seq, at] of failed) {
        if (performance.now() - at > failedPauseMs) failed.delete(seq);
      }
      const taking = { limit: changesOfBatch, except: [...failed.keys()] };
      try {
        return await takeChanges(pools, taking, pace);
      } catch (error) {
        logger.warn({ err: error }, "a batch of changes failed; processing them one by one");
      }
      const waiting = await waitingChanges(pools.worker.db, taking);
      let taken = 0;
      for (const { seq } of waiting) taken += await alone(seq);
      return taken;
    },
  };
}

function waitingChanges(db: Kysely<Database>, { limit, except, only }: Taking) {
  return db
    .selectFrom("change")
    .select(["seq", "node_ids", "space_ids", "cause", "created_by", "request_id"])
    .where("done", "=", false)
    .where(sql<SqlBool>`seq <> all(${[...except]}::bigint[])`)
    .$if(only !== undefined, (query) => query.where("seq", "=", only ?? 0))
    .orderBy("seq")
    .limit(limit)
    .execute();
}

/**
 * Takes changes that wait, in order: settles the links of the spaces concerned and marks the nodes
 * whose state may differ now, in one transaction. Links are settled by one reader of all processes
 * at a time: while it works the others have nothing to do, it goes on as long as something waits.
 * @returns how many changes were taken; there may be more.
 */
function takeChanges(pools: Pools<Database>, taking: Taking, pace: Pace): Promise<number> {
  const scope = { kind: "enterprises", ids: [], userId: null, ownOnly: false } as const;
  return inScope(pools.worker, scope, async (trx) => {
    if (!(await tryLock(trx, locks.changes))) return 0;
    const changes = await waitingChanges(trx, taking);
    if (changes.length === 0) return 0;
    const marks = new Map<number, Cause[]>();
    /** Nodes for which more may have changed than networks of other sites. */
    const whole = new Set<number>();
    const placed = new Map<number, ReadonlySet<number>>();
    await noteNetworkFindings(trx, changes);
    const { reported, moved } = await recordAdvertisements(trx, await namedNodes(trx, changes));
    const takers = await reviseLists(trx, changes, moved);
    for (const change of changes) {
      const seen = change.node_ids.filter((id) => change.seq <= (reported.get(id) ?? 0));
      const affected = await affectedNodes(trx, change, seen, placed);
      for (const node of affected) whole.add(node);
      // Who is not linked with them keeps their networks inside the space all the same.
      const others = change.node_ids.filter((id) => change.seq <= (moved.get(id) ?? 0));
      for (const id of await fellowsOf(trx, others)) if (!takers.has(id)) affected.add(id);
      for (const node of affected) marks.set(node, [...(marks.get(node) ?? []), change]);
    }
    await writeMarks(trx, marks, whole, pace);
    const done = changes.map(({ seq }) => seq);
    await trx
      .updateTable("change")
      .set({ done: true })
      .where(sql<SqlBool>`seq = any(${done}::bigint[])`)
      .execute();
    return changes.length;
  });
}

/**
 * Writes the lists of networks of all spaces in which the changes may have changed any.
 * @param moved as of `recordAdvertisements`
 * @returns members that take them without a state
 */
async function reviseLists(
  trx: Trx,
  changes: readonly (Cause & { readonly seq: number })[],
  moved: ReadonlyMap<number, number>,
): Promise<ReadonlySet<number>> {
  const nodesOf = ({ node_ids, seq }: (typeof changes)[number]) =>
    node_ids.filter((id) => seq <= (moved.get(id) ?? 0));
  const nodes = changes.flatMap(nodesOf);
  const spaces = new Set(changes.flatMap(({ space_ids }) => space_ids));
  if (nodes.length > 0)
    for (const id of await idsOf(trx, sql`weft.spaces_of(${nodes}::bigint[])`)) spaces.add(id);
  const behind = changes.filter((one) => one.space_ids.length > 0 || nodesOf(one).length > 0);
  const last = behind.at(-1);
  if (!last) return new Set();
  return reviseSpaces(trx, [...spaces], {
    cause: last.cause,
    createdBy: last.created_by,
    causes: behind.slice(-keptCauses).map((cause) => toStored(cause, null)),
  });
}

/** Rows from before a rule may violate it: the rows that changes name are checked until they do not. */
async function noteNetworkFindings(
  trx: Trx,
  changes: readonly Pick<Cause, "node_ids" | "space_ids">[],
): Promise<void> {
  const nodes = changes.flatMap(({ node_ids }) => node_ids);
  const spaces = changes.flatMap(({ space_ids }) => space_ids);
  await sql`select weft.note_network_findings(${nodes}::bigint[], ${spaces}::bigint[])`.execute(
    trx,
  );
}

/** Whom changes name, and the members of spaces that they name: later their advertisements are known. */
async function namedNodes(
  trx: Trx,
  changes: readonly Pick<Cause, "node_ids" | "space_ids">[],
): Promise<number[]> {
  const spaces = changes.flatMap(({ space_ids }) => space_ids);
  const members = await idsOf(trx, sql`weft.members_of(${spaces}::bigint[])`);
  return [...changes.flatMap(({ node_ids }) => node_ids), ...members];
}

/**
 * Nodes whose state may differ after a change: those it names, all members of the spaces it names,
 * and, where others see a difference, whom they are linked with and the ends of links that came or
 * went. Never simply all.
 * @param seen those of the named nodes of which others see something new
 * @param placed spaces that this batch has settled: rows are read once, so once is enough.
 */
async function affectedNodes(
  trx: Trx,
  change: { node_ids: number[]; space_ids: number[] },
  seen: readonly number[],
  placed: Map<number, ReadonlySet<number>>,
): Promise<Set<number>> {
  const affected = new Set(change.node_ids);
  if (seen.length === 0 && change.space_ids.length === 0) return affected;
  for (const id of await idsOf(trx, sql`weft.members_of(${change.space_ids}::bigint[])`)) {
    affected.add(id);
  }
  // The other ends before links go, and after links came.
  for (const id of await linkedWith(trx, seen)) affected.add(id);
  const spaces = await idsOf(trx, sql`weft.spaces_of(${seen}::bigint[])`);
  for (const space of new Set([...change.space_ids, ...spaces])) {
    const ends = placed.get(space) ?? (await reconcileLinks(trx, space));
    placed.set(space, ends);
    for (const id of ends) affected.add(id);
  }
  for (const id of await linkedWith(trx, seen)) affected.add(id);
  return affected;
}

async function idsOf(trx: Trx, source: ReturnType<typeof sql>): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`select id from ${source} as one (id)`.execute(trx);
  return rows.map(({ id }) => id);
}

/** Members of the spaces that nodes are in. */
async function fellowsOf(trx: Trx, nodes: readonly number[]): Promise<number[]> {
  if (nodes.length === 0) return [];
  const spaces = await idsOf(trx, sql`weft.spaces_of(${nodes}::bigint[])`);
  return idsOf(trx, sql`weft.members_of(${spaces}::bigint[])`);
}

async function linkedWith(trx: Trx, nodes: readonly number[]): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select b_node_id as id from link where a_node_id = any(${nodes}::bigint[])
    union
    select a_node_id from link where b_node_id = any(${nodes}::bigint[])`.execute(trx);
  return rows.map(({ id }) => id);
}

/**
 * A mark that is there already gets a new generation: a compile that read before does not end it. It
 * is due when the first of its changes is.
 * @param whole nodes that are compiled in full; the others get another list of networks
 */
async function writeMarks(
  trx: Trx,
  marks: ReadonlyMap<number, Cause[]>,
  whole: ReadonlySet<number>,
  { msPerNode, maxMs }: Pace,
): Promise<void> {
  const nodes = [...marks.keys()].sort((a, b) => a - b);
  const isNamed = nodes.map((node) =>
    marks.get(node)?.some((cause) => cause.node_ids.includes(node)),
  );
  const others = isNamed.filter((named) => !named).length;
  const waits = isNamed.map((named) => (named ? 0 : Math.min(maxMs, others * msPerNode)));
  const lists = nodes.map((node) => !whole.has(node));
  const last = nodes.map((node) => marks.get(node)?.at(-1));
  const causes = last.map((cause) => cause?.cause ?? "");
  const people = last.map((cause) => cause?.created_by ?? 0);
  const stored = nodes.map((node) =>
    JSON.stringify(
      (marks.get(node) ?? []).slice(-keptCauses).map((cause) => toStored(cause, node)),
    ),
  );
  await sql`
    insert into compile_mark (node_id, enterprise_id, cause, created_by, causes, at, networks_only)
    select n.node_id, n.enterprise_id, m.cause, m.created_by, m.causes::jsonb,
      now() + m.wait * interval '1 ms', m.networks_only
    from unnest(${nodes}::bigint[], ${causes}::text[], ${people}::bigint[], ${stored}::text[],
      ${waits}::int[], ${lists}::boolean[]) as m (node_id, cause, created_by, causes, wait, networks_only)
    join weft.nodes_of(${nodes}::bigint[]) n on n.node_id = m.node_id
    on conflict (node_id) do update set generation = compile_mark.generation + 1,
      enterprise_id = excluded.enterprise_id,
      cause = excluded.cause, created_by = excluded.created_by,
      at = least(compile_mark.at, excluded.at), failure = null,
      networks_only = compile_mark.networks_only and excluded.networks_only,
      causes = case when jsonb_array_length(compile_mark.causes) < ${keptCauses}
        then compile_mark.causes || excluded.causes else excluded.causes end`.execute(trx);
}

/** @param node null: of no node */
const toStored = (cause: Cause, node: number | null): StoredCause => ({
  cause: cause.cause,
  requestId: cause.request_id,
  own: node !== null && cause.node_ids.includes(node),
  others: cause.node_ids.filter((id) => id !== node).length,
  spaces: cause.space_ids,
});
