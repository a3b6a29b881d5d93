/**
 * Parts of the controller that are measured without its HTTP: they are loaded by path when a bench
 * runs, as the program that they are part of is no library.
 */
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { root } from "./child.ts";

interface Scope {
  readonly kind: "enterprises";
  readonly ids: readonly number[];
  readonly userId: number;
  readonly ownOnly: false;
}

/** What is used of the controller's pools (apps/controller/src/db/pool.ts). */
export interface Pools {
  readonly api: unknown;
  onQuery(
    listener: (event: { kind: string; sql: string; parameters: readonly unknown[] }) => void,
  ): () => void;
  end(): Promise<void>;
}

interface PoolModule {
  openPools(url: string): Promise<Pools>;
  scopedRead<T>(pool: unknown, scope: Scope, fn: (db: unknown) => Promise<T>): Promise<T>;
}

interface ListModule {
  listNodes(ctx: object, query: object): Promise<unknown[]>;
  countNodes(ctx: object, query: object): Promise<number>;
}

/** One statement as the controller sends it. */
export interface Statement {
  readonly text: string;
  readonly values: unknown[];
}

const load = async (path: string): Promise<unknown> =>
  import(pathToFileURL(join(root, "apps/controller/src", path)).href);

export const loadPools = async (): Promise<PoolModule> => (await load("db/pool.ts")) as PoolModule;

export const scopeOf = (enterprise: number, userId: number): Scope => ({
  kind: "enterprises",
  ids: [enterprise],
  userId,
  ownOnly: false,
});

/** The statements of the CPE list's first page in this scope, with their values: rows and count. */
export async function listStatements(url: string, scope: Scope): Promise<Statement[]> {
  const { openPools, scopedRead } = await loadPools();
  const list = (await load("domains/devices/node/list.ts")) as ListModule;
  const pools = await openPools(url);
  const seen: Statement[] = [];
  pools.onQuery(({ kind, sql, parameters }) => {
    if (kind === "query") seen.push({ text: sql, values: [...parameters] });
  });
  try {
    await scopedRead(pools.api, scope, async (db) => {
      const ctx = { db, caller: { scope } };
      const query = { kind: "cpe", page: 1, limit: 20 };
      await Promise.all([list.listNodes(ctx, query), list.countNodes(ctx, query)]);
    });
  } finally {
    await pools.end();
  }
  return seen;
}
