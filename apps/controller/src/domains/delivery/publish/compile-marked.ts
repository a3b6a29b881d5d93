import { sql } from "kysely";
import type { Logger } from "pino";
import type { Pools } from "#db/pool.ts";
import type { Database } from "#db/schema.ts";
import { isCollision } from "#kernel/database-errors.ts";
import type { Vault } from "#kernel/vault.ts";
import { noteFailure } from "./compile-failure.ts";
import { type Compiled, compileNode } from "./compile-node.ts";
import { leaveToCompile, publishNetworks } from "./publish-networks.ts";

const concurrency = 4;
const batch = 200;
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

interface Mark {
  readonly node_id: number;
  readonly generation: number;
  readonly networks_only: boolean;
  /** Until it is due; 0 or less: it is. */
  readonly ms: number;
}

/**
 * The oldest marks and, behind those that are due, the next that will be. Of one reading: a mark that
 * becomes due between two readings would be in neither.
 */
function oldestMarks(pools: Pools<Database>, limit: number): Promise<Mark[]> {
  return pools.worker.db
    .selectFrom("compile_mark")
    .select(["node_id", "generation", "networks_only"])
    .select(sql<number>`ceil(extract(epoch from at - now()) * 1000)::int`.as("ms"))
    .orderBy("at")
    .orderBy("node_id")
    .limit(limit)
    .execute();
}

/**
 * @param published is called with every node that has a new state, after COMMIT
 * @param vault without it no device opens a password of its state
 */
export function createCompiler(
  pools: Pools<Database>,
  logger: Logger,
  published: (nodeId: number) => void,
  vault?: Vault,
): Compiler {
  /** Failed nodes: generation of the mark, and when it failed (ms of the monotonic clock). */
  const failed = new Map<number, { generation: number; at: number }>();
  const isPaused = (mark: Mark): boolean => {
    const failure = failed.get(mark.node_id);
    const isOver = !failure || failure.generation !== mark.generation;
    return !isOver && performance.now() - failure.at < failedPauseMs;
  };
  const one = async (mark: Mark): Promise<Compiled> => {
    try {
      const result = await compileNode(pools, mark.node_id, vault);
      failed.delete(mark.node_id);
      if (result === "published") published(mark.node_id);
      return result;
    } catch (error) {
      // A delivery of this node was noted meanwhile; its mark is still there.
      if (isCollision(error)) return "busy";
      failed.set(mark.node_id, { generation: mark.generation, at: performance.now() });
      logger.error(
        { err: error, node: mark.node_id },
        "no state was published: the compile failed",
      );
      await noteFailure(pools, mark, error);
      return "busy";
    }
  };
  /** Marks for which only networks of other sites changed: one transaction for all of them. */
  const many = async (marks: readonly Mark[]): Promise<Compiled[]> => {
    if (marks.length === 0) return [];
    const nodes = marks.map(({ node_id }) => node_id);
    try {
      const { published: made, unchanged, left } = await publishNetworks(pools, nodes);
      await leaveToCompile(pools, left);
      for (const node of made) published(node);
      return made.length + unchanged.length + left.length > 0 ? ["published"] : ["busy"];
    } catch (error) {
      if (isCollision(error)) return ["busy"];
      // Each of them alone shows which one it is.
      logger.warn({ err: error }, "lists of networks were not published; compiling their nodes");
      await leaveToCompile(pools, nodes);
      return ["published"];
    }
  };
  return {
    async run() {
      const marks = await oldestMarks(pools, batch + failed.size + 1);
      const due = marks.filter((mark) => mark.ms <= 0 && !isPaused(mark));
      const results = await many(due.filter((mark) => mark.networks_only));
      const waiting = due.filter((mark) => !mark.networks_only);
      const lane = async (): Promise<void> => {
        for (let mark = waiting.shift(); mark; mark = waiting.shift())
          results.push(await one(mark));
      };
      const found = due.length;
      await Promise.all(Array.from({ length: concurrency }, lane));
      if (found === 0) return marks.find((mark) => mark.ms > 0)?.ms;
      // Marks may have come meanwhile; if other workers hold all, not in a tight loop.
      return results.every((result) => result === "busy") ? busyPauseMs : 0;
    },
  };
}
