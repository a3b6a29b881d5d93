/** Load on a database from this process: lanes that each work without a pause. */
import pg from "pg";

const warmUpMs = 300;

/** Runs `work` in this many lanes; gives how often per second it ended. */
export async function runsPerSecond(
  lanes: number,
  ms: number,
  work: (lane: number) => Promise<unknown>,
): Promise<number> {
  const from = performance.now() + warmUpMs;
  const until = from + ms;
  let count = 0;
  const one = async (lane: number): Promise<void> => {
    while (performance.now() < until) {
      await work(lane);
      const now = performance.now();
      if (now >= from && now < until) count += 1;
    }
  };
  await Promise.all(Array.from({ length: lanes }, (_, lane) => one(lane)));
  return (count * 1_000) / ms;
}

const branches = 16;
const accounts = 100_000;

/** Transactions of the shape of TPC-B, as `pgbench` has them, in a database of their own. */
export interface TpcB {
  /** Transactions per second with this many clients. */
  run(clients: number, ms: number): Promise<number>;
  close(): Promise<void>;
}

/**
 * Makes the tables of pgbench (scale: 16 branches, 100,000 accounts a branch less) in the database
 * of this URL, which must be empty.
 */
export async function openTpcB(url: string): Promise<TpcB> {
  const pool = new pg.Pool({ connectionString: url, max: 32 });
  await pool.query(`
    create table branches (bid int primary key, bbalance int not null) with (fillfactor = 50);
    create table tellers (tid int primary key, bid int, tbalance int not null) with (fillfactor = 50);
    create table accounts (aid int primary key, bid int, abalance int not null, filler char(84))
      with (fillfactor = 90);
    create table history (tid int, bid int, aid int, delta int, mtime timestamp, filler char(22));
    insert into branches select i, 0 from generate_series(1, ${branches}) i;
    insert into tellers select i, (i - 1) / 10 + 1, 0 from generate_series(1, ${branches * 10}) i;
    insert into accounts select i, i % ${branches} + 1, 0, '' from generate_series(1, ${accounts}) i`);
  await pool.query("vacuum analyze");
  return {
    run: (clients, ms) => runsPerSecond(clients, ms, () => transaction(pool)),
    close: () => pool.end(),
  };
}

const upTo = (most: number): number => 1 + Math.floor(Math.random() * most);

/** The five statements of pgbench's built-in script between BEGIN and END, one round trip each. */
async function transaction(pool: pg.Pool): Promise<void> {
  const [aid, bid, tid] = [upTo(accounts), upTo(branches), upTo(branches * 10)];
  const delta = upTo(10_000) - 5_000;
  const client = await pool.connect();
  try {
    await client.query("begin");
    await client.query("update accounts set abalance = abalance + $1 where aid = $2", [delta, aid]);
    await client.query("select abalance from accounts where aid = $1", [aid]);
    await client.query("update tellers set tbalance = tbalance + $1 where tid = $2", [delta, tid]);
    await client.query("update branches set bbalance = bbalance + $1 where bid = $2", [delta, bid]);
    await client.query(
      "insert into history (tid, bid, aid, delta, mtime) values ($1, $2, $3, $4, current_timestamp)",
      [tid, bid, aid, delta],
    );
    await client.query("commit");
    client.release();
  } catch (error) {
    client.release(true);
    throw error;
  }
}
