/**
 * No work takes a second connection while it holds one. A few calls that do, at the same moment, hold
 * all connections of a pool, and each waits for one more: nothing goes on until their time is over, for
 * all users. The rule is checked where connections are taken, so that no call can forget it.
 */
import { AsyncLocalStorage } from "node:async_hooks";
import {
  type CompiledQuery,
  type ConnectionProvider,
  type DatabaseConnection,
  type Driver,
  Kysely,
  type LogEvent,
  PostgresDialect,
  type QueryResult,
} from "kysely";
import pg from "pg";

/** Receives what broke the rule; one that throws makes the work fail. */
export type ReportNested = (error: NestedConnectionError) => void;

export class NestedConnectionError extends Error {
  constructor(held: string, text: string) {
    super(`work that holds a connection of the pool ${held} asks for another one of ${text}`);
    this.name = "NestedConnectionError";
    // The requesting function is further up than the frames of the driver.
    const { stackTraceLimit } = Error;
    Error.stackTraceLimit = 50;
    Error.captureStackTrace(this, NestedConnectionError);
    Error.stackTraceLimit = stackTraceLimit;
  }
}

interface Hold {
  readonly pool: string;
  isOver: boolean;
}

const holds = new AsyncLocalStorage<Hold>();

/** Runs what works with a connection of this pool. What it starts and does not wait for is free once it is over. */
async function holding<T>(pool: string, work: () => Promise<T>): Promise<T> {
  const hold: Hold = { pool, isOver: false };
  try {
    return await holds.run(hold, work);
  } finally {
    hold.isOver = true;
  }
}

/** Begins work of its own, such as a request: it holds nothing of what it was started from. */
export const ownWork = <T>(work: () => T): T => holds.exit(work);

/** Work that fails: in tests and in development, where each place is to be found. */
export const failNested: ReportNested = (error) => {
  throw error;
};

/** The line of code that asked, outside of this folder and of libraries. */
const placeOf = ({ stack = "" }: Error): string =>
  stack
    .split("\n")
    .slice(1)
    .find((line) => !/node_modules|node:internal|\/src\/db\/[\w-]+\.ts/.test(line)) ?? "";

/** For production: each place is reported once, and the work goes on. */
export function reportNestedOnce(report: (error: NestedConnectionError) => void): ReportNested {
  const known = new Set<string>();
  return (error) => {
    const place = placeOf(error);
    if (known.has(place)) return;
    known.add(place);
    report(error);
  };
}

type Taken = Parameters<pg.Pool["connect"]>[0];

/** A pool that checks the rule before it gives a connection, to callers of `query` as well. */
export class CheckedPool extends pg.Pool {
  readonly #name: string;
  readonly #report: ReportNested;

  constructor(name: string, report: ReportNested, options: pg.PoolConfig) {
    super(options);
    this.#name = name;
    this.#report = report;
  }

  override connect(): Promise<pg.PoolClient>;
  override connect(taken: Taken): void;
  override connect(taken?: Taken): Promise<pg.PoolClient> | undefined {
    const hold = holds.getStore();
    try {
      if (hold && !hold.isOver) this.#report(new NestedConnectionError(hold.pool, this.#name));
    } catch (error) {
      if (!taken) return Promise.reject(error);
      taken(error as Error, undefined, () => undefined);
      return undefined;
    }
    if (!taken) return super.connect();
    super.connect(taken);
    return undefined;
  }
}

/** The driver of one transaction. */
export interface TransactionDriver extends Driver {
  /** COMMIT or ROLLBACK was sent: nothing may follow it. */
  readonly isOver: boolean;
  /** Fails unless BEGIN was carried out; undefined where that is known already, or where nothing can be written anyway. */
  readonly begun: Promise<void> | undefined;
}

const isSelect = /^\s*select\b/i;

/**
 * A connection of which the answer of BEGIN is not there yet. Reads go out behind it; what may write waits for the answer, and
 * so does all that was asked for later: behind a BEGIN that failed it would be a transaction of its own, without scope and check.
 */
class BeginningConnection implements DatabaseConnection {
  readonly #connection: DatabaseConnection;
  readonly #driver: TransactionDriver;
  #isHeld = false;

  constructor(connection: DatabaseConnection, driver: TransactionDriver) {
    this.#connection = connection;
    this.#driver = driver;
  }

  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    this.#isHeld ||= !isSelect.test(query.sql);
    if (this.#isHeld) {
      await this.#driver.begun;
      requireOpen(this.#driver);
    }
    return this.#connection.executeQuery<R>(query);
  }

  async *streamQuery<R>(query: CompiledQuery, chunkSize: number): AsyncGenerator<QueryResult<R>> {
    await this.#driver.begun;
    requireOpen(this.#driver);
    yield* this.#connection.streamQuery<R>(query, chunkSize);
  }
}

/** Behind COMMIT or ROLLBACK a statement would be a transaction of its own, without scope and audit row. */
function requireOpen({ isOver }: TransactionDriver): void {
  if (isOver) throw new Error("the transaction of this statement is over");
}

/**
 * The connection of a transaction, for statements side by side: each is sent at once, in the order in which they were
 * asked for, and PostgreSQL answers them in that order. Kysely's own provider waits for the answer of each before it
 * sends the next, whatever the connection can do.
 */
class PipelinedConnection implements ConnectionProvider {
  readonly #connection: Promise<DatabaseConnection>;
  readonly #driver: TransactionDriver;
  #beginning: BeginningConnection | undefined;

  constructor(single: ConnectionProvider, driver: TransactionDriver) {
    this.#connection = single.provideConnection(async (connection) => connection);
    this.#driver = driver;
  }

  async provideConnection<T>(consumer: (connection: DatabaseConnection) => Promise<T>): Promise<T> {
    const connection = await this.#connection;
    requireOpen(this.#driver);
    if (this.#driver.begun === undefined) return consumer(connection);
    this.#beginning ??= new BeginningConnection(connection, this.#driver);
    return consumer(this.#beginning);
  }
}

/** Kysely on a pool; whatever it runs on a connection counts as holding it. */
export function kyselyOn<DB>(
  pool: pg.Pool,
  name: string,
  driver: Driver | TransactionDriver,
  log?: (event: LogEvent) => void,
): Kysely<DB> {
  const dialect = new PostgresDialect({ pool });
  dialect.createDriver = () => driver;
  const config = log ? { dialect, log } : { dialect };
  const plain = new Kysely<DB>(config).getExecutor();
  const executor = plain.withConnectionProvider({
    provideConnection: (consumer, options) =>
      plain.provideConnection((connection) => holding(name, () => consumer(connection)), options),
  });
  if ("isOver" in driver && pool.options.pipeline === true) {
    executor.withConnectionProvider = (provider) =>
      plain.withConnectionProvider(new PipelinedConnection(provider, driver));
  }
  return new Kysely<DB>({ config, dialect, driver, executor });
}
