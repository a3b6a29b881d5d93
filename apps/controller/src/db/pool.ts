import {
  CompiledQuery,
  type DatabaseConnection,
  type Kysely,
  type LogEvent,
  PostgresDriver,
  type Transaction,
  type TransactionSettings,
} from "kysely";
import type pg from "pg";
import {
  CheckedPool,
  failNested,
  kyselyOn,
  type ReportNested,
  type TransactionDriver,
} from "./one-connection.ts";
import { preparingClient } from "./prepared.ts";
import { type RoleKey, readLogins, roleName, roles, roleUrlOf } from "./role-logins.ts";
import { getTypeParser } from "./value-parsers.ts";

/** Whose rows a transaction may see and change. */
export type Scope =
  | {
      /** The whole tree; only for sessions whose scope is all of it. */
      readonly kind: "all";
      readonly userId?: number | null;
    }
  | {
      readonly kind: "enterprises";
      readonly ids: readonly number[];
      /** Null for work that no user asked for. */
      readonly userId: number | null;
      /** Only rows that the user made. */
      readonly ownOnly: boolean;
    }
  | {
      /** What concerns one node; for the gateway. */
      readonly kind: "node";
      readonly nodeId: number;
    }
  | {
      /** Deliveries to these nodes and what they report of them; for the gateway, which writes them together. */
      readonly kind: "nodes";
      readonly nodeIds: readonly number[];
    };

/** The scopes of a gateway. */
type NodeScope = Extract<Scope, { readonly kind: "node" | "nodes" }>;

export interface ScopeLimits {
  /** Ms that a statement waits for rows that others write; that of the pool if absent. */
  readonly lockTimeoutMs?: number;
  /** The access from memory that the transaction stands on; absent: it was read just now. */
  readonly remembered?: RememberedAccess | undefined;
  /** What a transaction that writes sends last, in one packet with COMMIT. If one of them fails nothing of it stays. */
  readonly atCommit?: (() => readonly CompiledQuery[]) | undefined;
  /**
   * A transaction that writes begins with statements that only read and lock, and does nothing else before the first of them
   * is answered: BEGIN goes out with them. Absent: it begins once the answer of BEGIN is there.
   */
  readonly readsFirst?: boolean | undefined;
  /**
   * Aborted when nobody waits for the result: a transaction that only reads ends then, whatever it waits for, and gives its
   * connection back after the statement that runs. One that writes goes on.
   */
  readonly gone?: AbortSignal | undefined;
}

/**
 * Access that a process remembered. The transaction begins with a statement that fails unless all of it still holds in
 * the database, whoever changed it: nothing is written or returned on the strength of memory alone.
 */
export interface RememberedAccess {
  /** Statement without parameters. */
  readonly check: string;
  /** Whether it passed in the transaction that began last. */
  isCurrent: boolean;
}

/** One statement that went to the database. */
export interface QueryEvent {
  readonly role: RoleKey;
  readonly pool: PoolKey;
  /** What it was for; batteries that freeze counts look at `query`. */
  readonly kind: "begin" | "query" | "commit" | "rollback";
  readonly sql: string;
  readonly parameters: readonly unknown[];
  readonly durationMs: number;
  /** Set when it failed. */
  readonly error?: unknown;
}

/**
 * Pools and the roles that they log in as. Logins and checks of tokens have connections of their own:
 * every call begins with one, and none may wait for what other calls do.
 */
export const poolRoles = {
  owner: "owner",
  api: "api",
  apiAll: "apiAll",
  auth: "apiAll",
  worker: "worker",
  gateway: "gateway",
} as const satisfies Readonly<Record<string, RoleKey>>;

export type PoolKey = keyof typeof poolRoles;

export const poolKeys = Object.keys(poolRoles) as PoolKey[];

/** The connections of one role. */
export interface RolePool<DB> {
  readonly key: PoolKey;
  readonly role: RoleKey;
  /** The role's name on this server, for SQL that grants. */
  readonly name: string;
  /** Statements without a scope: under row-level security they see no tenant's row. */
  readonly db: Kysely<DB>;
  /** For COPY, LISTEN and libraries that bring their own queries. */
  readonly pg: pg.Pool;
  /** Notifies listeners of a statement; undefined while there are none. */
  readonly log: ((event: LogEvent) => void) | undefined;
}

export interface Pools<DB> extends Readonly<Record<PoolKey, RolePool<DB>>> {
  /** Calls back for every statement made through `db` and the scoped functions, until undone. */
  onQuery(listener: (event: QueryEvent) => void): () => void;
  /** Closes all connections, waiting for those that are in use. */
  end(): Promise<void>;
}

interface PoolLimits {
  readonly max: number;
  /** Factor by which its statements may exceed the default time limit; 0: no limit. */
  readonly patience: number;
  /**
   * Whether statements are sent without waiting for the answer of the one before. Saves a round
   * trip a transaction; COPY and cursors cannot run on such a connection.
   */
  readonly pipeline: boolean;
  /**
   * Whether a prepared statement is planned once and not for each value. PostgreSQL alone goes on
   * planning where a scope of few enterprises looks cheaper than the average, and a list's plan
   * costs more than its run. Not for the whole tree, where kinds and enterprises of very different
   * sizes meet; and searches by pattern stay without a name (prepared.ts).
   */
  readonly plansOnce: boolean;
}

const limitsOf: Readonly<Record<PoolKey, PoolLimits>> = {
  owner: { max: 2, patience: 0, pipeline: false, plansOnce: false },
  api: { max: 10, patience: 1, pipeline: true, plansOnce: true },
  apiAll: { max: 6, patience: 1, pipeline: true, plansOnce: false },
  auth: { max: 6, patience: 1, pipeline: true, plansOnce: false },
  worker: { max: 8, patience: 10, pipeline: true, plansOnce: false },
  gateway: { max: 6, patience: 1, pipeline: true, plansOnce: false },
};

/**
 * The kinds of scope that each role's policies ask for. Any other would be ignored by them: rows
 * outside the scope would show, or none at all.
 */
const scopeKinds: Readonly<Record<RoleKey, readonly Scope["kind"][]>> = {
  owner: ["all"],
  api: ["enterprises"],
  apiAll: ["all"],
  worker: ["enterprises"],
  gateway: ["node", "nodes"],
};

const lockTimeoutMs = 5_000;
/** A transaction that a bug left open releases its locks after this time. */
const idleInTransactionMs = 60_000;

export interface PoolOptions {
  /** Maximum connections per role, where lower than the default. */
  readonly max?: number | undefined;
  /**
   * After this time PostgreSQL ends a statement of a call or of a gateway; one of a worker may take
   * ten times as long. 30 s if absent.
   */
  readonly statementTimeoutMs?: number | undefined;
  /** What becomes of work that takes a second connection while it holds one; it fails if absent. */
  readonly nested?: ReportNested | undefined;
  /** A server that is silent for this much longer does not answer any more: connections to it end. */
  readonly silenceMs?: number | undefined;
}

/**
 * Makes the pools of a database; connections open on first use.
 * @param url the database's URL; the roles' own URLs follow from it.
 */
export async function openPools<DB>(url: string, options: PoolOptions = {}): Promise<Pools<DB>> {
  const logins = await readLogins(url);
  const listeners = new Set<(event: QueryEvent) => void>();
  const open = (key: PoolKey): RolePool<DB> => {
    const role = poolRoles[key];
    const pool = openPool(roleUrlOf(url, logins, role), key, options);
    const log = (event: LogEvent): void => {
      if (listeners.size === 0) return;
      const reported = toQueryEvent(key, event);
      for (const listener of listeners) listener(reported);
    };
    return {
      key,
      role,
      name: roleName(logins, role),
      pg: pool,
      db: kyselyOn<DB>(pool, key, new PostgresDriver({ pool }), log),
      get log() {
        return listeners.size === 0 ? undefined : log;
      },
    };
  };
  const pools: Record<PoolKey, RolePool<DB>> = {
    owner: open("owner"),
    api: open("api"),
    apiAll: open("apiAll"),
    auth: open("auth"),
    worker: open("worker"),
    gateway: open("gateway"),
  };
  return {
    ...pools,
    onQuery(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    async end() {
      await Promise.all(Object.values(pools).map((pool) => pool.pg.end()));
    },
  };
}

function openPool(connectionString: string, key: PoolKey, options: PoolOptions): pg.Pool {
  const limits = limitsOf[key];
  const { max = limits.max, statementTimeoutMs = 30_000, silenceMs = 5_000 } = options;
  const { nested = failNested } = options;
  const limitMs = limits.patience * statementTimeoutMs;
  const pool = new CheckedPool(key, nested, {
    connectionString,
    Client: preparingClient(),
    max: Math.min(limits.max, max),
    pipeline: limits.pipeline,
    application_name: roles[poolRoles[key]],
    options: `-c search_path=weft,public -c timezone=UTC${limits.plansOnce ? " -c plan_cache_mode=force_generic_plan" : ""}`,
    statement_timeout: limitMs,
    // The driver then drops the connection, with all statements that wait on it.
    ...(limitMs > 0 && { query_timeout: limitMs + silenceMs }),
    lock_timeout: lockTimeoutMs,
    idle_in_transaction_session_timeout: idleInTransactionMs,
    connectionTimeoutMillis: Math.min(15_000, statementTimeoutMs + silenceMs),
    idleTimeoutMillis: 60_000,
    keepAlive: true,
    types: { getTypeParser },
  });
  // A lost connection fails the statement that runs on it, if any, and the pool opens another;
  // without listeners the event would end the process.
  pool.on("error", () => undefined);
  pool.on("connect", (client) => client.on("error", () => undefined));
  return pool;
}

function toQueryEvent(pool: PoolKey, event: LogEvent): QueryEvent {
  const { sql, parameters } = event.query;
  const verb = /^(?:begin|start|commit|rollback(?! to))\b/.exec(sql)?.[0];
  return {
    role: poolRoles[pool],
    pool,
    kind: verb === "commit" || verb === "rollback" ? verb : verb ? "begin" : "query",
    sql,
    parameters,
    durationMs: event.queryDurationMillis,
    ...(event.level === "error" && { error: event.error }),
  };
}

/** What a scoped transaction may be besides read committed and writing. */
type Mode = "read write" | "read only" | "isolation level repeatable read read only";

/**
 * Runs `fn` in a transaction that sees and changes only what the scope allows, and returns its
 * result once COMMIT was answered. When `fn` or a statement fails, nothing of it stays and the
 * error comes through; nothing is tried again.
 * @throws AbortedTransactionError (kysely) when `fn` swallowed a statement's error: PostgreSQL
 * then rolls back although asked to commit.
 */
export function inScope<DB, T>(
  pool: RolePool<DB>,
  scope: Scope,
  fn: (trx: Transaction<DB>) => Promise<T>,
  limits: ScopeLimits = {},
): Promise<T> {
  return runScoped(pool, scope, "read write", fn, limits);
}

/**
 * As inScope, in a transaction that PostgreSQL lets read only. The result is returned without
 * waiting for COMMIT: a reader has nothing to lose by it.
 */
export function scopedRead<DB, T>(
  pool: RolePool<DB>,
  scope: Scope,
  fn: (trx: Transaction<DB>) => Promise<T>,
  limits: ScopeLimits = {},
): Promise<T> {
  return runScoped(pool, scope, "read only", fn, limits);
}

/** As scopedRead, with all statements on one snapshot: what a compile reads. */
export function scopedSnapshot<DB, T>(
  pool: RolePool<DB>,
  scope: Scope,
  fn: (trx: Transaction<DB>) => Promise<T>,
  limits: ScopeLimits = {},
): Promise<T> {
  return runScoped(pool, scope, "isolation level repeatable read read only", fn, limits);
}

/** The pool whose role fits a session's scope. */
export function poolFor<DB>(pools: Pools<DB>, scope: Exclude<Scope, NodeScope>): RolePool<DB> {
  return scope.kind === "all" ? pools.apiAll : pools.api;
}

async function runScoped<DB, T>(
  pool: RolePool<DB>,
  scope: Scope,
  mode: Mode,
  fn: (trx: Transaction<DB>) => Promise<T>,
  limits: ScopeLimits = {},
): Promise<T> {
  if (!scopeKinds[pool.role].includes(scope.kind)) {
    throw new Error(`A scope of kind "${scope.kind}" does not run on the pool ${pool.role}.`);
  }
  const isPipeline = pool.pg.options.pipeline === true;
  const eager = isPipeline && mode !== "read write";
  const begin = beginText(scope, mode, limits);
  const { remembered, atCommit, gone } = limits;
  const readsFirst = isPipeline && limits.readsFirst === true;
  const driver = new ScopedDriver(pool.pg, { begin, eager, readsFirst, remembered, atCommit });
  const db = kyselyOn<DB>(pool.pg, pool.key, driver, pool.log);
  const work = (trx: Transaction<DB>) =>
    gone && mode !== "read write" ? unlessAborted(gone, () => fn(trx)) : fn(trx);
  try {
    return await db.transaction().execute(work);
  } catch (error) {
    // The statement after a failed BEGIN only says that the transaction is aborted.
    throw driver.beginError ?? error;
  }
}

/** Settles as the work does, or at once with the signal's reason: the work goes on without anything that it could use. */
async function unlessAborted<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
  signal.throwIfAborted();
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const abort = (): void => reject(signal.reason);
  signal.addEventListener("abort", abort, { once: true });
  try {
    return await Promise.race([work(), aborted]);
  } finally {
    signal.removeEventListener("abort", abort);
  }
}

/** BEGIN and the scope as one message; every value is a checked integer or a keyword of our own. */
function beginText(scope: Scope, mode: Mode, { lockTimeoutMs, remembered }: ScopeLimits): string {
  const set = Object.entries(settingsOf(scope)).map(
    ([name, value]) => `set local weft.${name} = '${value}'`,
  );
  if (lockTimeoutMs !== undefined) set.push(`set local lock_timeout = ${toId(lockTimeoutMs)}`);
  if (remembered) set.push(remembered.check);
  return [`begin ${mode}`, ...set].join("; ");
}

function settingsOf(scope: Scope): Record<string, string> {
  if (scope.kind === "node") return { node_id: toId(scope.nodeId) };
  if (scope.kind === "nodes") return { node_ids: `{${scope.nodeIds.map(toId).join(",")}}` };
  return {
    scope: `{${scope.kind === "all" ? "" : scope.ids.map(toId).join(",")}}`,
    user_id: scope.userId == null ? "" : toId(scope.userId),
    own_only: scope.kind === "enterprises" && scope.ownOnly ? "on" : "off",
  };
}

function toId(id: number): string {
  if (!Number.isSafeInteger(id)) throw new TypeError(`${id} is not an id`);
  return String(id);
}

interface ScopedBegin {
  readonly begin: string;
  readonly eager: boolean;
  readonly readsFirst: boolean;
  readonly remembered: RememberedAccess | undefined;
  readonly atCommit: ScopeLimits["atCommit"];
}

/**
 * Begins with the scope. An eager one waits neither for BEGIN's answer nor for COMMIT's, so that a
 * transaction of one statement costs one round trip; only transactions that read may be eager. One that writes may send
 * its first reads behind BEGIN, and waits for both.
 */
class ScopedDriver extends PostgresDriver implements TransactionDriver {
  readonly #given: ScopedBegin;
  #started: Promise<void> = Promise.resolve();
  /** Why BEGIN failed, if it did. */
  beginError: unknown;
  begun: Promise<void> | undefined;
  isOver = false;

  constructor(pool: pg.Pool, given: ScopedBegin) {
    super({ pool });
    this.#given = given;
  }

  override async beginTransaction(
    connection: DatabaseConnection,
    _settings: TransactionSettings,
  ): Promise<void> {
    const { begin, eager, readsFirst, remembered } = this.#given;
    if (remembered) remembered.isCurrent = false;
    // What an eager transaction sends behind a BEGIN that fails finds no scope, hence no row.
    this.#started = connection.executeQuery(CompiledQuery.raw(begin)).then(
      () => {
        if (remembered) remembered.isCurrent = true;
      },
      (error: unknown) => {
        this.beginError = error;
      },
    );
    if (eager) return;
    if (readsFirst) {
      this.begun = this.#started.then(() => {
        if (this.beginError !== undefined) throw this.beginError;
        this.begun = undefined;
      });
      // Nobody may wait for it.
      this.begun.catch(() => undefined);
      return;
    }
    await this.#started;
    if (this.beginError === undefined) return;
    // BEGIN itself was carried out where a statement behind it failed: nobody else ends that transaction.
    await connection.executeQuery(CompiledQuery.raw("rollback")).catch(() => undefined);
    throw this.beginError;
  }

  override async commitTransaction(connection: DatabaseConnection): Promise<void> {
    this.isOver = true;
    // Rolled back where BEGIN failed.
    await this.begun;
    // COMMIT is sent before the first of them is answered: after an error PostgreSQL rolls back instead.
    const last = (this.#given.atCommit?.() ?? []).map((query) => connection.executeQuery(query));
    const committed = super.commitTransaction(connection);
    if (!this.#given.eager) {
      const outcomes = await Promise.allSettled([...last, committed]);
      const failed = outcomes.find((outcome) => outcome.status === "rejected");
      if (failed) throw failed.reason;
      return;
    }
    // The connection's next user is served behind this COMMIT. If it fails the connection is lost,
    // which the pool sees by itself.
    committed.catch(() => undefined);
    // A caller who made no statement has heard nothing of BEGIN yet.
    if (this.#given.remembered) await this.#started;
    if (this.beginError !== undefined) throw this.beginError;
  }

  override async rollbackTransaction(
    connection: Parameters<PostgresDriver["rollbackTransaction"]>[0],
  ): Promise<void> {
    this.isOver = true;
    // When even ROLLBACK fails the connection is discarded; the first error is the one to report.
    await super.rollbackTransaction(connection).catch(() => undefined);
  }
}
