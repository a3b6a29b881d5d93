import type { Logger } from "pino";
import type { Pools } from "#db/pool.ts";
import type { Database } from "#db/schema.ts";
import { isCollision } from "#kernel/database-errors.ts";
import type { Vault } from "#kernel/vault.ts";
import { noteFailure } from "./compile-failure.ts";
import { type Compiled, compileNodes, type Outcome } from "./compile-node.ts";
import {
  type BatchLimits,
  batchesOf,
  type DueMark,
  networksDue,
  oldestMarks,
  readWeights,
} from "./marks.ts";
import { leaveToCompile, publishNetworks } from "./publish-networks.ts";

/** Marks that one turn works on. */
const turn = 200;
/**
 * Marks for another list of networks that one transaction works on: it reads, divides and compares the list of the space
 * once, which takes as long as hundreds of states with 10,000 networks.
 */
const networksTurn = 1_000;
/** Batches at a time: while the database works on one, the states of the other are made. */
const concurrency = 2;
const defaultLimits: BatchLimits = { nodes: 200, rows: 4_000 };
/**
 * Ms from one compile of a node to the next, in production: the first change of it is compiled at once, what follows within
 * this time together. A node that is edited many times a second would otherwise have a state, a task and a delivery for each.
 */
export const nodeRestMs = 250;
/** A node that cannot be compiled is tried again after this time, and at its next change. */
const failedPauseMs = 10_000;
const busyPauseMs = 200;

export interface Compiler {
  /**
   * Compiles marked nodes, the oldest mark first.
   * @returns ms after which it wants to run again before its time, or nothing.
   */
  run(): Promise<number | undefined>;
}

/**
 * @param published is called with every node that has a new state, after COMMIT
 * @param vault without it no device opens a password of its state
 * @param restMs from one compile of a node to the next
 */
export function createCompiler(
  pools: Pools<Database>,
  logger: Logger,
  published: (nodeId: number) => void,
  vault?: Vault,
  limits: BatchLimits = defaultLimits,
  restMs = 0,
): Compiler {
  /** When nodes were compiled that rest since (ms of the monotonic clock). */
  const compiledAt = new Map<number, number>();
  /** Ms that a node rests still; 0: it may be compiled. */
  const restOf = ({ node_id }: Pick<DueMark, "node_id">): number => {
    const at = compiledAt.get(node_id);
    if (at === undefined) return 0;
    const rest = at + restMs - performance.now();
    if (rest > 0) return rest;
    compiledAt.delete(node_id);
    return 0;
  };
  /** Failed nodes: generation of the mark, and when it failed (ms of the monotonic clock). */
  const failed = new Map<number, { generation: number; at: number }>();
  const isPaused = (mark: DueMark): boolean => {
    const failure = failed.get(mark.node_id);
    const isOver = !failure || failure.generation !== mark.generation;
    return !isOver && performance.now() - failure.at < failedPauseMs;
  };
  const fail = async (mark: DueMark, error: unknown): Promise<Compiled> => {
    failed.set(mark.node_id, { generation: mark.generation, at: performance.now() });
    logger.error({ err: error, node: mark.node_id }, "no state was published: the compile failed");
    await noteFailure(pools, mark, error);
    return "busy";
  };
  const finish = async (mark: DueMark, outcome: Outcome): Promise<Compiled> => {
    if (outcome instanceof Error) return fail(mark, outcome);
    failed.delete(mark.node_id);
    if (restMs > 0 && outcome !== "busy") compiledAt.set(mark.node_id, performance.now());
    if (outcome === "published") published(mark.node_id);
    return outcome;
  };
  /** One transaction for all of them; what fails in it is done once more in halves, down to the node that it fails for. */
  const together = async (marks: readonly DueMark[]): Promise<Compiled[]> => {
    const nodes = marks.map(({ node_id }) => node_id);
    let outcomes: ReadonlyMap<number, Outcome>;
    try {
      outcomes = await compileNodes(pools, nodes, vault);
    } catch (error) {
      const [first] = marks;
      if (first && marks.length === 1) {
        // A delivery of this node was noted meanwhile; its mark is still there.
        return [isCollision(error) ? "busy" : await fail(first, error)];
      }
      if (!isCollision(error))
        logger.warn({ err: error, nodes: nodes.length }, "a batch failed; compiling it in halves");
      const half = Math.ceil(marks.length / 2);
      return [...(await together(marks.slice(0, half))), ...(await together(marks.slice(half)))];
    }
    const results: Compiled[] = [];
    for (const mark of marks)
      results.push(await finish(mark, outcomes.get(mark.node_id) ?? "busy"));
    return results;
  };
  /** Nodes that failed before are compiled each by itself: they hold up no other. */
  const batchesFor = async (marks: readonly DueMark[]): Promise<DueMark[][]> => {
    const alone = marks.filter(({ node_id }) => failed.has(node_id));
    const others = marks.filter(({ node_id }) => !failed.has(node_id));
    if (others.length <= 1) return [...others, ...alone].map((mark) => [mark]);
    const weights = await readWeights(
      pools,
      others.map(({ node_id }) => node_id),
    );
    return [...batchesOf(others, weights, limits), ...alone.map((mark) => [mark])];
  };
  /** Marks for which only networks of other sites changed: one transaction for all of them. */
  const many = async (nodes: readonly number[]): Promise<Compiled[]> => {
    if (nodes.length === 0) return [];
    try {
      const { published: made, unchanged, left } = await publishNetworks(pools, nodes);
      await leaveToCompile(pools, left);
      for (const node of made) published(node);
      return made.length + unchanged.length + left.length > 0 ? ["published"] : ["busy"];
    } catch (error) {
      if (isCollision(error)) return ["busy"];
      if (nodes.length > turn) {
        const half = Math.ceil(nodes.length / 2);
        return [...(await many(nodes.slice(0, half))), ...(await many(nodes.slice(half)))];
      }
      // Each of them alone shows which one it is.
      logger.warn({ err: error }, "lists of networks were not published; compiling their nodes");
      await leaveToCompile(pools, nodes);
      return ["published"];
    }
  };
  return {
    async run() {
      for (const node_id of [...compiledAt.keys()]) restOf({ node_id });
      // Marks that are passed over hide no others.
      const marks = await oldestMarks(pools, turn + failed.size + compiledAt.size + 1);
      const timely = marks.filter((mark) => mark.ms <= 0 && !isPaused(mark));
      const due = timely.filter((mark) => mark.networks_only || restOf(mark) === 0);
      const ofNetworks = due.some((mark) => mark.networks_only)
        ? await networksDue(pools, networksTurn)
        : [];
      const results = await many(ofNetworks);
      const waiting = await batchesFor(due.filter((mark) => !mark.networks_only));
      const lane = async (): Promise<void> => {
        for (let batch = waiting.shift(); batch; batch = waiting.shift())
          results.push(...(await together(batch)));
      };
      await Promise.all(Array.from({ length: concurrency }, lane));
      if (due.length === 0) {
        const rests = timely.map(restOf).concat(marks.find((mark) => mark.ms > 0)?.ms ?? []);
        return rests.length === 0 ? undefined : Math.ceil(Math.min(...rests));
      }
      // Marks may have come meanwhile; if other workers hold all, not in a tight loop.
      return results.every((result) => result === "busy") ? busyPauseMs : 0;
    },
  };
}
