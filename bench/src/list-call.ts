/** The CPE list over 100,000 CPEs of 1,000 enterprises, against bare Fastify and against its bare SQL. */
import pg from "pg";
import { startBare } from "./child.ts";
import { answersPerSecond, requestBytes } from "./http-load.ts";
import type { Installation } from "./installation.ts";
import { listStatements, scopeOf } from "./product.ts";
import { type Result, ratioResult } from "./report.ts";
import { alternate, defaultRounds, summarise } from "./rounds.ts";
import { runsPerSecond } from "./sql-load.ts";

const path = "/customer/cpe/findAll?page=1&limit=20";
const connections = 16;
const ms = 2_000;

export interface Tenant {
  readonly enterprise: number;
  readonly userId: number;
}

async function answerOf(port: number, token: string): Promise<string> {
  const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
    headers: { authorization: token },
  });
  const text = await answer.text();
  const { code, count } = JSON.parse(text) as { code: number; count: number };
  if (code !== 0 || count === 0) throw new Error(`the list call: ${text.slice(0, 300)}`);
  return text;
}

async function againstFastify(
  { port, folder }: Installation,
  token: string,
  who: string,
  goal: Result["goal"],
): Promise<Result> {
  // The yardstick sends the very same answer, so that both write as many bytes.
  const bare = await startBare("bare-fastify.ts", folder, {
    BENCH_ANSWER: await answerOf(port, token),
  });
  try {
    const load = (to: number, request: Buffer) => () =>
      answersPerSecond({ port: to, connections, ms, request: () => request });
    const rounds = await alternate(
      load(bare.port, requestBytes("/", null)),
      load(port, requestBytes(path, token)),
    );
    const what = `list of 20 of 100,000 CPEs with session, permission, scope and count, ${who}`;
    const names = { bench: "list", what, yardstick: "bare Fastify, same answer", unit: "req/s" };
    return ratioResult(names, summarise(rounds), defaultRounds, goal);
  } finally {
    await bare.stop();
  }
}

async function againstSql(
  { port, databaseUrl }: Installation,
  token: string,
  { enterprise, userId }: Tenant,
): Promise<Result> {
  const statements = await listStatements(databaseUrl, scopeOf(enterprise, userId));
  const options = "-c search_path=weft,public";
  const pool = new pg.Pool({ connectionString: databaseUrl, max: connections, options });
  try {
    const rounds = await alternate(
      () =>
        runsPerSecond(connections, ms, async () => {
          for (const { text, values } of statements) await pool.query(text, values);
        }),
      () =>
        answersPerSecond({
          port,
          connections,
          ms,
          request: () => requestBytes(path, token),
        }),
    );
    const names = {
      bench: "list",
      what: "the same call, one enterprise's user",
      yardstick: "its two statements, no scope, no HTTP",
      unit: "req/s",
    };
    return ratioResult(names, summarise(rounds), defaultRounds, null);
  } finally {
    await pool.end();
  }
}

/** The three values of the list call. */
export async function listCall(
  installation: Installation,
  tenant: Tenant,
  admin: number,
): Promise<Result[]> {
  const token = await installation.token(tenant.userId);
  const whole = await installation.token(admin);
  return [
    await againstFastify(installation, token, "one enterprise's user", { atLeast: 0.1 }),
    await againstFastify(installation, whole, "whole tree", null),
    await againstSql(installation, token, tenant),
  ];
}
