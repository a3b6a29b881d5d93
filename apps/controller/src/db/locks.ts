/**
 * Advisory locks of PostgreSQL: all keys are listed here, so that none is used for two things. A lock
 * that people or devices wait for is held for a few statements only; what works longer tries, and
 * leaves the work to the process that holds it.
 */
import { type Kysely, type RawBuilder, sql, type Transaction } from "kysely";

/**
 * Two integers, or a text that PostgreSQL hashes to one. Functions of the database hold those of the form
 * "cpe limit <enterprise>" and "account limit <enterprise>": rows that a limit counts count each other.
 */
export type Lock = readonly [space: number, which: number] | string;

/** "weft" as an integer: locks of which there is one each. */
const single = 0x77656674;
/** "wend" as an integer: locks of nodes. */
const ofNode = 0x77656e64;

export const locks = {
  /** Migrations run once, however many processes start. */
  migrations: [single, 1],
  /** Links are settled by one reader of changes at a time. */
  changes: [single, 2],
  /** Tries to log in count each other. */
  logins: [single, 3],
  /** A new database gets its first rows once. */
  firstRows: [single, 4],
  /** The operation log has one chain of seals. */
  seals: [single, 5],
  /** Two enterprises are never moved below each other. */
  enterpriseTree: [single, 6],
  /** Codes that are asked for count each other. */
  codes: [single, 7],
  /** Events are raised by one worker at a time. */
  alarms: [single, 8],
  /** A database gets its logins once. */
  roleLogins: [single, 9],
  /** Messages to robots of chats count each other. */
  robots: "robots of chats",
} as const satisfies Record<string, Lock>;

/** Held while a state of the node is compiled or old ones are removed. */
export const nodeLock = (nodeId: number): Lock => [ofNode, nodeId];
/** Held while rows of one bulk job are worked on. */
export const batchLock = (batchId: number): Lock => `batch ${batchId}`;
/** Held while a claim is mailed: those of a node, and those of a user, count each other. */
export const mailsLock = (of: "node" | "user", id: number): Lock => `mails ${of} ${id}`;
/** Held while messages are sent by hand: those of an enterprise count each other. */
export const byHandLock = (enterpriseId: number): Lock => `messages by hand ${enterpriseId}`;
/** Held while destinations of an enterprise's groups are compared and written. */
export const groupsLock = (enterpriseId: number, kind: string): Lock =>
  `saas_group ${enterpriseId} ${kind}`;
/** Held by an import into a list: two at a time would each add the rows that the other one adds. @param of enterprise, or owner of the rows */
export const importLock = (resource: string, of: string): Lock => `import ${resource} ${of}`;
/** Held by an edit of a row that names the version it saw. */
export const rowLock = (resource: string, id: number): Lock => `row ${resource} ${id}`;

const keyOf = (lock: Lock): RawBuilder<unknown> =>
  typeof lock === "string"
    ? sql`hashtextextended(${lock}, 0)`
    : sql`${lock[0]}::int, ${lock[1]}::int`;

/** Waits for a lock that ends with the transaction. @throws when lock_timeout passes before. */
export async function holdLock<DB>(trx: Transaction<DB>, lock: Lock): Promise<void> {
  await sql`select pg_advisory_xact_lock(${keyOf(lock)})`.execute(trx);
}

/** @returns whether the transaction got the lock; it never waits for it. */
export async function tryLock<DB>(trx: Transaction<DB>, lock: Lock): Promise<boolean> {
  const { rows } = await sql<{ got: boolean }>`
    select pg_try_advisory_xact_lock(${keyOf(lock)}) as got`.execute(trx);
  return rows[0]?.got === true;
}

/**
 * Runs `fn` with a lock of the connection, over as many transactions as it likes.
 * @returns undefined when another connection holds the lock.
 */
export async function withTriedLock<DB, Result>(
  db: Kysely<DB>,
  lock: Lock,
  fn: () => Promise<Result>,
): Promise<Result | undefined> {
  const { rows } = await sql<{ got: boolean }>`
    select pg_try_advisory_lock(${keyOf(lock)}) as got`.execute(db);
  if (!rows[0]?.got) return undefined;
  try {
    return await fn();
  } finally {
    // A connection that is lost has lost its locks with it.
    await sql`select pg_advisory_unlock(${keyOf(lock)})`.execute(db).catch(() => undefined);
  }
}

/**
 * As `withTriedLock`, of nodes.
 * @param fn is called with those of the nodes whose lock the connection got
 */
export async function withTriedNodeLocks<DB, Result>(
  db: Kysely<DB>,
  nodeIds: readonly number[],
  fn: (held: readonly number[]) => Promise<Result>,
): Promise<Result> {
  const { rows } = await sql<{ id: number; got: boolean }>`
    select id, pg_try_advisory_lock(${ofNode}::int, id::int) as got
    from unnest(${[...nodeIds].sort((a, b) => a - b)}::bigint[]) id`.execute(db);
  const held = rows.filter(({ got }) => got).map(({ id }) => id);
  try {
    return await fn(held);
  } finally {
    await sql`select pg_advisory_unlock(${ofNode}::int, id::int) from unnest(${held}::bigint[]) id`
      .execute(db)
      .catch(() => undefined);
  }
}
